#include "code/strict_explain.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/text.h"
#include "code/source_line.h"

/* ---- The line ---- */

struct line {
    char *file; /* NULL: not known */
    unsigned number, column;
    char *text; /* of the source, without what is around it; NULL: not known */
};

static void line_fini(struct line *l) {
    free(l->file);
    free(l->text);
}

/* What models in ASSET's language are compiled behind, which is not where they say it. */
static bool is_ours(const char *file) {
    return text_ends_with(file, "/onager/asset.h") || text_ends_with(file, "/onager/asset_model.h");
}

/* pc is where a call returns to. */
static bool line_of_address(uintptr_t pc, int image, struct line *l) {
    Dl_info info;
    int length;
    if (pc == 0 || dladdr((void *)pc, &info) == 0) return false;
    char *said = source_lines(image, pc - 1 - (uintptr_t)info.dli_fbase);
    for (const char *line = said; line && *line && !l->file; line += strcspn(line, "\n"), line += *line == '\n') {
        l->number = source_line_number(line, &length);
        if (l->number == 0) break;
        l->file = text_format("%.*s", length, line);
        if (!is_ours(l->file)) break;
        free(l->file);
        l->file = NULL;
    }
    free(said);
    return l->file != NULL;
}

/* Line `number` of the file as a new string, or NULL. */
static char *text_of_line(const char *file, unsigned number) {
    char *text = files_read(file, NULL), *at = text;
    for (unsigned n = 1; at && n < number; n++) {
        at = strchr(at, '\n');
        if (at) at++;
    }
    char *line = at ? text_format("%.*s", (int)strcspn(at, "\r\n"), at) : NULL;
    free(text);
    return line;
}

static void find_line(const struct watch_finding *found, int image, struct line *l) {
    *l = (struct line){0};
    if (found->place) {
        l->file = memory_copy_string(found->place->file ? found->place->file : "?");
        l->number = found->place->line;
        l->column = found->place->column;
    } else if (!line_of_address(found->pc, image, l)) return;
    l->text = text_of_line(l->file, l->number);
}

unsigned strict_line(const struct watch_finding *found, int image, char **file) {
    struct line l;
    find_line(found, image, &l);
    free(l.text);
    *file = l.file;
    return l.file ? l.number : 0;
}

/* " (ring.c:21: s->x[i] = 1)", with as much of the line as is good to read. */
static void print_line(const struct line *l, char *out, size_t size) {
    enum { MOST = 70 };
    out[0] = 0;
    if (!l->file) return;
    const char *name = text_file_name(l->file), *text = l->text ? l->text : "";
    text += strspn(text, " \t");
    int length = (int)strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1])) length--;
    if (length == 0) snprintf(out, size, " (%.60s:%u)", name, l->number);
    else
        snprintf(out, size, " (%.60s:%u: %.*s%s)", name, l->number, length > MOST ? MOST : length, text,
                 length > MOST ? "..." : "");
}

/* ---- The array that the compiler's check speaks of ---- */

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* CELL(s->A, ...), of onager.h, at the column: compilers place what it is made of where it begins. */
static bool find_matrix(const struct line *l, char *name, size_t size) {
    static const char start[] = "CELL(";
    if (!l->text || l->column == 0 || strlen(l->text) < l->column) return false;
    const char *at = l->text + l->column - 1, *end = at + strcspn(at, ","), *begin;
    if (strncmp(at, start, sizeof start - 1) != 0 || *end != ',') return false;
    while (isspace((unsigned char)end[-1])) end--;
    for (begin = end; is_name(begin[-1]);) begin--;
    snprintf(name, size, "%.*s", (int)(end - begin), begin);
    return end > begin;
}

/* The names in `text` that are followed by an index: the one nearest to the column, which compilers place at the array,
 * at the index or at the bracket. */
static void find_array(const struct line *l, char *name, size_t size) {
    long best = -1;
    name[0] = 0;
    if (find_matrix(l, name, size)) return;
    for (const char *bracket = l->text; bracket && (bracket = strchr(bracket, '[')); bracket++) {
        const char *end = bracket, *begin;
        while (end > l->text && isspace((unsigned char)end[-1])) end--;
        for (begin = end; begin > l->text && is_name(begin[-1]); begin--) {}
        if (begin == end || isdigit((unsigned char)*begin)) continue;
        long from = begin - l->text + 1 - (long)l->column, to = bracket - l->text + 1 - (long)l->column;
        long away = from <= 0 && to >= 0 ? 0 : labs(from) < labs(to) ? labs(from) : labs(to);
        if (best >= 0 && away >= best) continue;
        best = away;
        snprintf(name, size, "%.*s", (int)(end - begin), begin);
    }
}

/* ---- Words ---- */

static void name_element(const struct watch_finding *found, char *name, size_t size) {
    if (found->field->is_array) snprintf(name, size, "%.60s[%lld]", found->field->name, (long long)found->index);
    else snprintf(name, size, "%.60s", found->field->name);
}

static void explain_range(const struct watch_finding *found, const char *line, char *text, size_t size) {
    char name[96];
    int64_t low;
    uint64_t high;
    name_element(found, name, sizeof name);
    strict_watch_range(found->field, &low, &high);
    snprintf(text, size, "the value %lld was stored in %s, which is declared as %.40s: %lld to %llu%s",
             (long long)found->value, name, found->field->spec, (long long)low, (unsigned long long)high, line);
}

static void explain_index(const struct watch_finding *found, const char *line, char *text, size_t size) {
    const struct onager_field *f = found->field;
    const char *what = found->store ? "store" : "load";
    if (f->is_array)
        snprintf(text, size, "a %s at index %lld of the array %.60s, which has %u element%s%s", what,
                 (long long)found->index, f->name, f->length, f->length == 1 ? "" : "s", line);
    else if (found->index < 0) snprintf(text, size, "a %s in front of the variable %.60s%s", what, f->name, line);
    else snprintf(text, size, "a %s behind the variable %.60s%s", what, f->name, line);
}

/* Of an array, by the name of its type, as in "uint8_t [3][4]": 3, and *is_matrix. */
static unsigned long length_of(const char *type, bool *is_matrix) {
    const char *last = strrchr(type, '['), *first = last;
    while (first && first > type && first[-1] == ']') {
        const char *before = first - 1;
        while (before > type && isdigit((unsigned char)before[-1])) before--;
        if (before == type || before[-1] != '[') break;
        first = before - 1;
    }
    *is_matrix = first != last;
    return first ? strtoul(first + 1, NULL, 10) : 0;
}

static void explain_bounds(const struct watch_finding *found, const struct line *l, const char *line, char *text,
                           size_t size) {
    char name[64], matrix[64];
    bool by_row, is_matrix = find_matrix(l, matrix, sizeof matrix);
    unsigned long length = length_of(found->type, &by_row);
    const char *what = by_row ? "row" : is_matrix ? "column" : "index";
    find_array(l, name, sizeof name);
    snprintf(text, size, "%s %lld of %s%s, which has %lu %s%s%s", what, (long long)found->index,
             *name ? "the array " : "an array", name, length, is_matrix || by_row ? what : "element",
             length == 1 ? "" : "s", line);
}

void strict_explain(const struct watch_finding *found, int image, char *text, size_t size) {
    struct line l;
    char line[160];
    const char *what = found->store ? "store" : "load";
    find_line(found, image, &l);
    print_line(&l, line, sizeof line);
    switch (found->kind) {
    case WATCH_RANGE: explain_range(found, line, text, size); break;
    case WATCH_INDEX: explain_index(found, line, text, size); break;
    case WATCH_BOUNDS: explain_bounds(found, &l, line, text, size); break;
    case WATCH_OUTSIDE:
        if (found->distance) /* in bytes of another build, which would mean nothing */
            snprintf(text, size, "a %s far %s the state%s", what, found->distance < 0 ? "before" : "behind", line);
        else snprintf(text, size, "a %s behind the state%s", what, line);
        break;
    case WATCH_NULL: snprintf(text, size, "a %s by a null pointer%s", what, line); break;
    case WATCH_DIVISION: snprintf(text, size, "a division by zero%s", line); break;
    case WATCH_NOTHING:
    case WATCH_LAYOUT: snprintf(text, size, "nothing was found"); break;
    }
    line_fini(&l);
}
