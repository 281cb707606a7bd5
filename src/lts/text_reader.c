#include "lts/text_reader.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stream.h"
#include "base/text.h"
#include "lts/mcrl2/aterm.h"
#include "lts/label_list.h"

enum { PIECE = 1 << 18, SHOWN = 40, LONGEST_LINE = 1 << 26 };

static bool blank(char c) { return c == ' ' || c == '\t'; }

bool text_expected(struct text_reader *r, const char *what, const char *at, const char *end) {
    if (at >= end)
        return problem_set(r->why, EXIT_BAD_INPUT, "%s:%llu: expected %s at the end of the line", r->name,
                           (unsigned long long)r->line, what);
    int shown = end - at > SHOWN ? SHOWN : (int)(end - at);
    return problem_set(r->why, EXIT_BAD_INPUT, "%s:%llu: expected %s, found '%.*s%s'", r->name,
                       (unsigned long long)r->line, what, shown, at, end - at > SHOWN ? "..." : "");
}

bool text_complain(struct text_reader *r, const char *what) {
    return problem_set(r->why, EXIT_BAD_INPUT, "%s:%llu: %s", r->name, (unsigned long long)r->line, what);
}

const char *text_skip(const char *at, const char *end) {
    while (at < end && blank(*at)) at++;
    return at;
}

const char *text_trim(const char *at, const char *end) {
    while (end > at && blank(end[-1])) end--;
    return end;
}

bool text_take(struct text_reader *r, const char **at, const char *end, char c, const char *what) {
    *at = text_skip(*at, end);
    if (*at >= end || **at != c) return text_expected(r, what, *at, end);
    ++*at;
    return true;
}

bool text_number(struct text_reader *r, const char **at, const char *end, uint64_t limit, const char *what,
                 uint64_t *value) {
    const char *p = text_skip(*at, end), *begin = p;
    uint64_t n = 0;
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        n = n * 10 + (uint64_t)(*p - '0');
        if (n >= limit)
            return problem_set(r->why, EXIT_BAD_INPUT, "%s:%llu: %s '%.*s...' is too large: it must be below %llu",
                               r->name, (unsigned long long)r->line, what, (int)(p - begin) + 1, begin,
                               (unsigned long long)limit);
    }
    if (p == begin) return text_expected(r, what, p, end);
    *at = p;
    *value = n;
    return true;
}

/* ---- Labels ---- */

static bool is(const char *text, size_t length, const char *word) {
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static bool name_taken(struct text_reader *r) {
    return problem_set(r->why, EXIT_BAD_INPUT,
                       "%s:%llu: with --tau %s, 'tau' would be a visible action, but onager calls the invisible one "
                       "so: leave --tau out, or rename the action",
                       r->name, (unsigned long long)r->line, r->options->tau);
}

static bool find_label(struct text_reader *r, const char *name, size_t length, const char *spelt, size_t spelt_length,
                       uint32_t *label) {
    if (tau_names_has(&r->taus, name, length)) {
        if (r->options) tau_met_note(r->options->met, spelt, spelt_length);
        return *label = LTS_TAU, true;
    }
    if (memchr(name, 0, length)) return text_complain(r, "there is a zero byte in the label");
    if (is(name, length, "tau")) return name_taken(r);
    if (length + 1 > r->label_room) r->label = memory_resize(r->label, r->label_room = 2 * length + 64);
    memcpy(r->label, name, length);
    r->label[length] = 0;
    *label = names_add(&r->build.labels, r->label);
    assert(*label != LTS_TAU); /* tau was looked for before */
    return true;
}

bool text_name(struct text_reader *r, const char *name, size_t length, uint32_t *label) {
    return find_label(r, name, length, name, length, label);
}

bool text_label(struct text_reader *r, const char *at, const char *end, uint32_t *label) {
    size_t length = (size_t)(end - at), spelt = length;
    const char *name = at;
    if (*at == '"' && (length == 1 || end[-1] != '"'))
        return text_complain(r, "the label begins with '\"' but does not end with one");
    label_unquote(&name, &length);
    return find_label(r, name, length, at, spelt, label);
}

/* ---- Lines ---- */

static bool parse_line(struct text_reader *r, const char *at, const char *end) {
    static const char mark[] = "\xef\xbb\xbf"; /* some editors put it at the beginning of a file in UTF-8 */
    if (r->line++ == 0 && end - at >= 3 && memcmp(at, mark, 3) == 0) at += 3;
    if (end > at && end[-1] == '\r') end--;
    end = text_trim(at, end);
    at = text_skip(at, end);
    return at == end || r->format->line(r, at, end);
}

/* Parses the whole lines of a piece, and at the end of the file the last one too; says how much that was. */
static bool parse_lines(struct text_reader *r, const char *text, size_t size, bool last, size_t *done) {
    const char *at = text, *end = text + size;
    while (at < end) {
        if (r->format->plain && !(at = r->format->plain(r, at, end))) return false;
        if (at == end) break;
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline && !last) break;
        if (!parse_line(r, at, newline ? newline : end)) return false;
        at = newline ? newline + 1 : end;
    }
    *done = (size_t)(at - text);
    return true;
}

/* ---- Files ---- */

static bool start(struct text_reader *r, const struct text_format *f) {
    const struct lts_file_options *o = r->options;
    r->format = f;
    if (!tau_names_init(&r->taus, o ? o->tau : NULL, f->kind, r->why)) return false;
    lts_build(&r->build);
    r->mine = memory_get_zeroed(f->size);
    return true;
}

/* Is it binary where text is expected? */
static bool is_misnamed(struct text_reader *r, const struct text_format *f, const char *text, size_t size) {
    if (f->kind == FILE_MCRL2 || !aterm_begins(text, size)) return false;
    problem_set(r->why, EXIT_BAD_INPUT, "%s is in the binary format of mCRL2: %s", r->name,
                strcmp(r->name, "standard input") == 0 ? "say --from lts" : "its name must end with .lts");
    return true;
}

/* The format shows in the first bytes, if nothing was said. */
static bool parse_first(struct text_reader *r, const struct text_format *f, const char *text, size_t size) {
    if (!f) f = aterm_begins(text, size) ? &mcrl2_format : &aut_format;
    return !is_misnamed(r, f, text, size) && start(r, f);
}

static bool parse_piece(struct text_reader *r, const char *text, size_t size, bool last, size_t *done) {
    return (r->format->piece ? r->format->piece : parse_lines)(r, text, size, last, done);
}

/* Has somebody asked to stop, or is it too much? */
static bool must_stop(struct text_reader *r) {
    struct effort *effort = r->options ? r->options->effort : NULL;
    if (!effort_look(effort)) return false;
    char *what = text_format("reading %s", r->name);
    effort_problem(effort, what, r->why);
    free(what);
    return true;
}

/* The LTS if all is well, else nothing. */
static bool finish(struct text_reader *r, bool fine, struct lts *out) {
    if (!r->format) return false;
    fine = fine && r->format->complete(r);
    if (r->mine && r->format->end) r->format->end(r);
    free(r->label);
    free(r->mine);
    tau_names_fini(&r->taus);
    if (!fine) {
        free(r->build.triples);
        names_fini(&r->build.labels);
        return false;
    }
    r->build.effort = r->options ? r->options->effort : NULL;
    lts_build_finish(&r->build, out);
    if (!must_stop(r)) return true;
    lts_fini(out);
    return false;
}

bool text_reader_text(const struct text_format *f, const char *text, size_t size, const char *name,
                      const struct lts_file_options *o, struct lts *out, struct problem *why) {
    struct text_reader r = {.name = name, .options = o, .why = why};
    size_t done;
    bool fine = parse_first(&r, f, text, size) && parse_piece(&r, text, size, true, &done);
    return finish(&r, fine, out);
}

/* The next bytes behind those that are there; false: it is over. */
static bool more(struct text_reader *r, struct stream_in *in, char *text, size_t *size, size_t room, bool *last) {
    ssize_t n = STREAM_AGAIN;
    while (n == STREAM_AGAIN)
        if (must_stop(r) || (n = stream_read(in, text + *size, room - *size, r->why)) == STREAM_FAILED) return false;
    *last = n == STREAM_END;
    *size += (size_t)n;
    return true;
}

static bool read_all(struct text_reader *r, const struct text_format *f, struct stream_in *in) {
    size_t size = 0, room = PIECE, done = 0;
    char *text = memory_get(room);
    bool fine = true, last = false;
    while (fine && size < ATERM_MAGIC && !last) fine = more(r, in, text, &size, room, &last);
    fine = fine && parse_first(r, f, text, size) && parse_piece(r, text, size, last, &done);
    while (fine && !last) {
        assert(done <= size && size <= room);
        memmove(text, text + done, size -= done);
        if (size >= LONGEST_LINE) fine = (r->line++, text_complain(r, "the line is too long")); /* as of /dev/zero */
        if (size == room) text = memory_resize(text, room *= 2);
        fine = fine && more(r, in, text, &size, room, &last) && parse_piece(r, text, size, last, &done);
    }
    free(text);
    return fine;
}

bool text_reader_file(const struct text_format *f, const char *path, const struct lts_file_options *o, struct lts *out,
                      struct problem *why) {
    bool standard = strcmp(path, "-") == 0;
    struct text_reader r = {.name = standard ? "standard input" : path, .options = o, .why = why};
    struct stream_in *in = NULL;
    do {
        errno = 0;
        in = stream_open(path, f && lts_file_kind(path, FILE_UNKNOWN) == f->kind, why);
    } while (!in && errno == EINTR && !must_stop(&r)); /* a pipe that nobody writes */
    bool fine = in && read_all(&r, f, in);
    stream_close(in);
    return finish(&r, fine, out);
}
