#include "model/c/c_source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/c/c_includes.h"

enum { MOST_ROUNDS = 8 }; /* of reading what changes meanwhile */

const char *const c_source_own[] = {"onager.h",
                                    "onager/pack.h",
                                    "onager/calls.h",
                                    "onager/plugin.h",
                                    "onager/engine.h",
                                    "onager/esc.h",
                                    "onager/observe.h",
                                    "onager/strict.h",
                                    "onager/asset.h",
                                    "onager/asset_calls.h",
                                    "onager/asset_end.h",
                                    "onager/asset_model.h",
                                    "onager/asset_probe.h",
                                    NULL};

/* ---- Linemarkers: # LINE "FILE" FLAG... ---- */

/* Undoes the escapes of a C string that ends with a quote. NULL: it does not end. *past: what follows. */
static char *unquote(const char *at, const char *end, const char **past) {
    char *text = memory_get((size_t)(end - at) + 1), *out = text;
    while (at < end && *at != '"' && *at != '\n') {
        if (*at != '\\' || at + 1 == end) {
            *out++ = *at++;
            continue;
        }
        static const char letters[] = "abtnvfr";
        const char *letter = at[1] ? strchr(letters, at[1]) : NULL;
        int digits = 0, value = 0;
        for (; digits < 3 && at + 1 + digits < end && at[1 + digits] >= '0' && at[1 + digits] <= '7'; digits++)
            value = 8 * value + at[1 + digits] - '0';
        if (digits) *out++ = (char)value;
        else *out++ = letter ? (char)('\a' + (letter - letters)) : at[1];
        at += digits ? 1 + digits : 2;
    }
    *out = 0;
    *past = at + 1;
    if (at < end && *at == '"') return text;
    free(text);
    return NULL;
}

/* The file that the line says is entered, or NULL. *of_system: by the flag that says so. */
static char *entered(const char *line, const char *end, bool *of_system) {
    const char *at = line, *past;
    if (end - at < 4 || at[0] != '#' || at[1] != ' ') return NULL;
    for (at += 2; at < end && *at >= '0' && *at <= '9';) at++;
    if (at == line + 2 || end - at < 3 || at[0] != ' ' || at[1] != '"') return NULL;
    char *name = unquote(at + 2, end, &past);
    bool enters = false;
    *of_system = false;
    for (at = past; name && at < end && *at != '\n'; at++) {
        enters |= *at == '1';
        *of_system |= *at == '3';
    }
    if (name && enters) return name;
    free(name);
    return NULL;
}

/* ---- What is included ---- */

static bool is_own(const char *name, const char *headers) {
    size_t n = strlen(headers);
    if (strncmp(name, headers, n) != 0 || name[n] != '/') return false;
    for (size_t i = 0; c_source_own[i]; i++)
        if (strcmp(name + n + 1, c_source_own[i]) == 0) return true;
    return false;
}

/* Files of the system may differ from compiler to compiler; in /usr/local and elsewhere are those of users. */
static bool is_of_system(const char *name) {
    static const char *const folders[] = {"/usr/include/", "/usr/lib", "/usr/local/lib"}; /* and /usr/lib64, ... */
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strncmp(name, folders[i], strlen(folders[i])) == 0) return !strstr(name, "/../");
    return false;
}

/* What has no file: <built-in> and the like. There may be a file of such a name. */
static bool is_no_file(const char *name) {
    size_t n = strlen(name);
    return n >= 2 && name[0] == '<' && name[n - 1] == '>' && access(name, F_OK) != 0;
}

static bool counts(const char *name, bool of_system, const char *headers) {
    return !is_no_file(name) && !(of_system && is_of_system(name)) && !is_own(name, headers);
}

static bool is_later(struct timespec a, struct timespec b) {
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

/* False: it has no contents that can be read. *newest: when one of them was changed. */
static bool add_contents(XXH3_state_t *hash, const char *name, struct timespec *newest) {
    struct bytes contents;
    struct stat info;
    if (!bytes_read(&contents, name)) return false;
    if (stat(name, &info) != 0) return bytes_fini(&contents), false;
    if (is_later(info.st_ctim, *newest)) *newest = info.st_ctim;
    XXH3_128bits_update(hash, &contents.size, sizeof contents.size);
    XXH3_128bits_update(hash, contents.at, contents.size);
    bytes_fini(&contents);
    return true;
}

/* If a file cannot be read, or no file is named at all, the whole text takes its place: then the identity depends on
 * more than it must. */
static XXH128_hash_t hash_included(const struct bytes *text, const char *headers, struct timespec *newest) {
    XXH3_state_t *hash = XXH3_createState();
    bool all = true, told = text->size == 0;
    XXH3_128bits_reset(hash);
    *newest = (struct timespec){0};
    const char *end = text->at + text->size;
    for (const char *line = text->at, *next; line < end; line = next) {
        bool of_system;
        next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next + 1 : end;
        char *name = *line == '#' ? entered(line, next, &of_system) : NULL;
        told |= name != NULL;
        if (name && counts(name, of_system, headers)) all &= add_contents(hash, name, newest);
        free(name);
    }
    if (!all || !told) XXH3_128bits_update(hash, text->at, text->size);
    XXH128_hash_t sum = XXH3_128bits_digest(hash);
    XXH3_freeState(hash);
    return sum;
}

/* ---- Reading ---- */

static enum c_source_result preprocess(struct bytes *text, const struct command *flags, const char *model,
                                       struct child *child) {
    struct command c;
    char *messages;
    int status;
    c_command_copy(&c, flags);
    c_command_add(&c, memory_copy_string("-E"));
    c_command_add(&c, memory_copy_string("-"));
    bool ran = c_command_run(&c, model, child, text, &messages, &status);
    int error = errno;
    free(messages);
    c_command_fini(&c);
    errno = error;
    if (!ran) return C_SOURCE_UNABLE;
    if (status == 0) return C_SOURCE_READ;
    bytes_fini(text);
    return C_SOURCE_REFUSED;
}

/* The model's text and our own headers: all that the compiler sees, if nothing else is included. */
static enum c_source_result join(struct bytes *text, const char *model, const char *headers) {
    size_t size = 0;
    char *all = NULL;
    FILE *out = open_memstream(&all, &size);
    bool good = fwrite(model, strlen(model) + 1, 1, out) == 1;
    for (size_t i = 0; good && c_source_own[i]; i++) {
        struct bytes contents;
        char *path = text_format("%s/%s", headers, c_source_own[i]);
        good = bytes_read(&contents, path);
        if (good) {
            fprintf(out, "%s %zu\n", c_source_own[i], contents.size);
            fwrite(contents.at, 1, contents.size, out);
            bytes_fini(&contents);
        }
        free(path);
    }
    good &= fclose(out) == 0;
    *text = (struct bytes){all, size};
    if (good) return C_SOURCE_READ;
    bytes_fini(text);
    return C_SOURCE_REFUSED;
}

static enum c_source_result see(const struct c_source *s, struct bytes *text, const struct command *flags,
                                const char *model, struct child *child) {
    return s->closed ? join(text, model, s->headers) : preprocess(text, flags, model, child);
}

static bool same_text(const struct bytes *a, const struct bytes *b) {
    return a->size == b->size && memcmp(a->at, b->at, a->size) == 0;
}

/* The contents are read after the text is made. They belong to it if none of the files has changed since before that,
 * or if a second round gives the same. The clock is the one that files are dated by. */
enum c_source_result c_source_read(struct c_source *s, const struct command *flags, const char *text,
                                   const char *headers, struct child *child) {
    struct c_source before = {.text = {.at = NULL}};
    s->headers = headers;
    s->closed = c_includes_nothing(text, flags->args[0], headers);
    for (int round = 0; round < MOST_ROUNDS; round++) {
        struct timespec begin, newest;
        clock_gettime(CLOCK_REALTIME_COARSE, &begin);
        enum c_source_result result = see(s, &s->text, flags, text, child);
        if (result != C_SOURCE_READ) return bytes_fini(&before.text), result;
        s->included = hash_included(s->closed ? &(struct bytes){.at = "", .size = 0} : &s->text, headers, &newest);
        bool same = before.text.at && same_text(&before.text, &s->text) && XXH128_isEqual(before.included, s->included);
        bytes_fini(&before.text);
        if (same || is_later(begin, newest)) return C_SOURCE_READ;
        before = *s;
    }
    bytes_fini(&before.text);
    return C_SOURCE_UNSTEADY;
}

enum c_source_result c_source_again(const struct c_source *s, const struct command *flags, const char *text,
                                    struct child *child, bool *same) {
    struct bytes now;
    enum c_source_result result = see(s, &now, flags, text, child);
    *same = result == C_SOURCE_READ && same_text(&s->text, &now);
    if (result == C_SOURCE_READ) bytes_fini(&now);
    return result;
}

void c_source_fini(struct c_source *s) { bytes_fini(&s->text); }
