/* Reading .aut: the file comes in pieces of which whole lines are parsed, so that little more than the LTS is in
 * memory. A line is parsed from both ends, since a label may contain commas and quotes. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "lts/aut.h"

enum { PIECE = 1 << 20, SHOWN = 40, MANY_STATES = 1 << 24, LONGEST_LINE = 1 << 26 };

struct reader {
    const char *name;
    const struct aut_options *options;
    struct problem *why;
    struct lts_builder build;
    uint64_t line;
    bool header;              /* it has been read */
    uint64_t promised, count; /* transitions */
    uint32_t states;          /* promised */
    char *label;              /* the one at hand, with a 0 at its end */
    size_t label_room;
    const char *tau; /* without quotes, or NULL */
    size_t tau_length;
};

static bool blank(char c) { return c == ' ' || c == '\t'; }

/* Says what was expected at `at`, and what is there up to the end of the line. */
static bool expected(struct reader *r, const char *what, const char *at, const char *end) {
    if (at >= end)
        return problem_set(r->why, EXIT_BAD_INPUT, "%s:%llu: expected %s at the end of the line", r->name,
                           (unsigned long long)r->line, what);
    int shown = end - at > SHOWN ? SHOWN : (int)(end - at);
    return problem_set(r->why, EXIT_BAD_INPUT, "%s:%llu: expected %s, found '%.*s%s'", r->name,
                       (unsigned long long)r->line, what, shown, at, end - at > SHOWN ? "..." : "");
}

/* Something else about this line. */
static bool complain(struct reader *r, const char *what) {
    return problem_set(r->why, EXIT_BAD_INPUT, "%s:%llu: %s", r->name, (unsigned long long)r->line, what);
}

static const char *skip(const char *at, const char *end) {
    while (at < end && blank(*at)) at++;
    return at;
}

/* A character, and white space before it. */
static bool take(struct reader *r, const char **at, const char *end, char c, const char *what) {
    *at = skip(*at, end);
    if (*at >= end || **at != c) return expected(r, what, *at, end);
    ++*at;
    return true;
}

/* A number below `limit`, and white space before it. */
static bool number(struct reader *r, const char **at, const char *end, uint64_t limit, const char *what,
                   uint64_t *value) {
    const char *p = skip(*at, end), *begin = p;
    uint64_t n = 0;
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        n = n * 10 + (uint64_t)(*p - '0');
        if (n >= limit)
            return problem_set(r->why, EXIT_BAD_INPUT, "%s:%llu: %s '%.*s...' is too large: it must be below %llu",
                               r->name, (unsigned long long)r->line, what, (int)(p - begin) + 1, begin,
                               (unsigned long long)limit);
    }
    if (p == begin) return expected(r, what, p, end);
    *at = p;
    *value = n;
    return true;
}

static bool check_counts(struct reader *r, uint64_t initial, uint64_t states) {
    if (initial >= states)
        return problem_set(r->why, EXIT_BAD_INPUT, "%s:%llu: the initial state is %llu, but there are only %llu states",
                           r->name, (unsigned long long)r->line, (unsigned long long)initial,
                           (unsigned long long)states);
    if (states > MANY_STATES && states - 1 > 2 * r->promised)
        return problem_set(r->why, EXIT_BAD_INPUT,
                           "%s:%llu: the header promises %llu states, but so few transitions (%llu) that most of them "
                           "can have none: des (INITIAL, TRANSITIONS, STATES)",
                           r->name, (unsigned long long)r->line, (unsigned long long)states,
                           (unsigned long long)r->promised);
    return true;
}

/* des (0, 3, 2) */
static bool parse_header(struct reader *r, const char *at, const char *end) {
    static const char what[] = "the header 'des (INITIAL, TRANSITIONS, STATES)'";
    uint64_t initial, states;
    if (end - at < 3 || strncmp(at, "des", 3) != 0) return expected(r, what, at, end);
    at += 3;
    if (!take(r, &at, end, '(', "'(' after 'des'") ||
        !number(r, &at, end, UINT32_MAX - 1, "the initial state", &initial) ||
        !take(r, &at, end, ',', "',' after the initial state") ||
        !number(r, &at, end, UINT64_C(1) << 40, "the number of transitions", &r->promised) ||
        !take(r, &at, end, ',', "',' after the number of transitions") ||
        !number(r, &at, end, UINT32_MAX - 1, "the number of states", &states) ||
        !take(r, &at, end, ')', "')' after the number of states"))
        return false;
    at = skip(at, end);
    if (at < end) return expected(r, "nothing more after the header", at, end);
    if (!check_counts(r, initial, states)) return false;
    r->build.initial = (uint32_t)initial;
    r->build.states = r->states = (uint32_t)states;
    r->header = true;
    return true;
}

static bool is(const char *text, size_t length, const char *word) {
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static bool is_tau(const struct reader *r, const char *text, size_t length) {
    if (r->tau) return length == r->tau_length && memcmp(text, r->tau, length) == 0;
    return is(text, length, "i") || is(text, length, "tau");
}

static void without_quotes(const char **text, size_t *length) {
    if (*length < 2 || (*text)[0] != '"' || (*text)[*length - 1] != '"') return;
    ++*text;
    *length -= 2;
}

/* The number of the label from `at` to `end`, trimmed on the left only. */
static bool parse_label(struct reader *r, const char *at, const char *end, uint32_t *label) {
    while (end > at && blank(end[-1])) end--;
    size_t length = (size_t)(end - at);
    if (length == 0) return complain(r, "expected a label between the commas: (FROM, LABEL, TO)");
    if (*at == '"' && (length == 1 || end[-1] != '"'))
        return complain(r, "the label begins with '\"' but does not end with one");
    without_quotes(&at, &length);
    if (is_tau(r, at, length)) return *label = LTS_TAU, true;
    if (memchr(at, 0, length)) return complain(r, "there is a zero byte in the label");
    if (is(at, length, "tau"))
        return problem_set(
            r->why, EXIT_BAD_INPUT,
            "%s:%llu: with --tau %s, 'tau' would be a visible action, but onager calls the invisible one "
            "so: leave --tau out, or rename the action",
            r->name, (unsigned long long)r->line, r->tau);
    if (length + 1 > r->label_room) r->label = memory_resize(r->label, r->label_room = 2 * length + 64);
    memcpy(r->label, at, length);
    r->label[length] = 0;
    *label = names_add(&r->build.labels, r->label);
    return true;
}

/* Where the number at the end of the text begins. */
static const char *last_number(const char *at, const char *end) {
    while (end > at && end[-1] >= '0' && end[-1] <= '9') end--;
    return end;
}

static bool check_state(struct reader *r, uint64_t s) {
    if (s < r->states) return true;
    return problem_set(r->why, EXIT_BAD_INPUT, "%s:%llu: there is no state %llu: the header promises %u, from 0 to %u",
                       r->name, (unsigned long long)r->line, (unsigned long long)s, r->states, r->states - 1);
}

/* (0, "label", 1) */
static bool parse_edge(struct reader *r, const char *at, const char *end) {
    uint64_t from, to;
    uint32_t label = LTS_TAU;
    if (!take(r, &at, end, '(', "'(FROM, LABEL, TO)'") || !number(r, &at, end, UINT32_MAX, "the state FROM", &from) ||
        !take(r, &at, end, ',', "',' after the state FROM"))
        return false;
    if (end[-1] != ')') return expected(r, "')'", end, end);
    end--;
    while (end > at && blank(end[-1])) end--;
    const char *last = last_number(at, end), *comma = last;
    while (comma > at && blank(comma[-1])) comma--;
    if (last == end || comma == at || comma[-1] != ',') return expected(r, "'LABEL, TO)'", skip(at, end), end);
    if (!number(r, &last, end, UINT32_MAX, "the state TO", &to) ||
        !parse_label(r, skip(at, comma - 1), comma - 1, &label) || !check_state(r, from) || !check_state(r, to))
        return false;
    if (r->count == r->promised)
        return problem_set(r->why, EXIT_BAD_INPUT,
                           "%s:%llu: the header promises %llu transitions, but this is one more", r->name,
                           (unsigned long long)r->line, (unsigned long long)r->promised);
    r->count++;
    lts_build_edge(&r->build, (uint32_t)from, label, (uint32_t)to);
    return true;
}

static bool parse_line(struct reader *r, const char *at, const char *end) {
    static const char mark[] = "\xef\xbb\xbf"; /* some editors put it at the beginning of a file in UTF-8 */
    if (r->line++ == 0 && end - at >= 3 && memcmp(at, mark, 3) == 0) at += 3;
    if (end > at && end[-1] == '\r') end--;
    while (end > at && blank(end[-1])) end--;
    at = skip(at, end);
    if (at == end) return true;
    return r->header ? parse_edge(r, at, end) : parse_header(r, at, end);
}

/* Parses the whole lines of a piece, and at the end of the file the last one too; says how much that was. */
static bool parse_piece(struct reader *r, const char *text, size_t size, bool last, size_t *done) {
    const char *at = text, *end = text + size;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline && !last) break;
        if (!parse_line(r, at, newline ? newline : end)) return false;
        at = newline ? newline + 1 : end;
    }
    *done = (size_t)(at - text);
    return true;
}

static void start(struct reader *r, const char *name, const struct aut_options *o, struct problem *why) {
    *r = (struct reader){.name = name, .options = o, .why = why};
    lts_build(&r->build);
    if (o && o->tau) {
        r->tau = o->tau;
        r->tau_length = strlen(o->tau);
        without_quotes(&r->tau, &r->tau_length);
    }
}

/* Has somebody asked to stop, or is it too much? */
static bool must_stop(struct reader *r) {
    struct effort *effort = r->options ? r->options->effort : NULL;
    if (!effort_look(effort)) return false;
    char *what = text_format("reading %s", r->name);
    effort_problem(effort, what, r->why);
    free(what);
    return true;
}

/* The LTS if all is well, else nothing. */
static bool finish(struct reader *r, bool fine, struct lts *out) {
    if (fine && !r->header)
        fine = problem_set(r->why, EXIT_BAD_INPUT, "%s: it is empty: expected 'des (INITIAL, TRANSITIONS, STATES)'",
                           r->name);
    if (fine && r->count != r->promised)
        fine = problem_set(
            r->why, EXIT_BAD_INPUT,
            "%s:%llu: the file ends after %llu transitions, but the header promises %llu: is it complete?", r->name,
            (unsigned long long)r->line, (unsigned long long)r->count, (unsigned long long)r->promised);
    free(r->label);
    if (fine) {
        r->build.effort = r->options ? r->options->effort : NULL;
        lts_build_finish(&r->build, out);
        fine = !must_stop(r);
        if (!fine) lts_fini(out);
    } else {
        free(r->build.triples);
        names_fini(&r->build.labels);
    }
    return fine;
}

bool aut_parse(const char *text, size_t size, const char *name, const struct aut_options *o, struct lts *out,
               struct problem *why) {
    struct reader r;
    size_t done;
    start(&r, name, o, why);
    return finish(&r, parse_piece(&r, text, size, true, &done), out);
}

static bool read_all(struct reader *r, int fd) {
    size_t size = 0, room = PIECE, done;
    char *text = memory_get(room);
    bool fine = true, last = false;
    while (fine && !last) {
        fine = !must_stop(r);
        if (!fine) break;
        ssize_t n = read(fd, text + size, room - size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fine = problem_set(r->why, EXIT_BAD_INPUT, "cannot read %s: %s", r->name, strerror(errno));
        if (!fine) break;
        last = n == 0;
        size += (size_t)n;
        fine = parse_piece(r, text, size, last, &done);
        if (!fine) break;
        memmove(text, text + done, size -= done);
        if (size >= LONGEST_LINE) fine = (r->line++, complain(r, "the line is too long")); /* as of /dev/zero */
        if (size == room) text = memory_resize(text, room *= 2);
    }
    free(text);
    return fine;
}

bool aut_read(const char *path, const struct aut_options *o, struct lts *out, struct problem *why) {
    struct reader r;
    bool standard = strcmp(path, "-") == 0;
    int fd;
    start(&r, standard ? "standard input" : path, o, why);
    do fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    while (fd < 0 && errno == EINTR && !must_stop(&r)); /* a pipe that nobody writes */
    if (fd < 0) problem_set(why, EXIT_BAD_INPUT, "cannot read %s: %s", path, strerror(errno));
    bool fine = finish(&r, fd >= 0 && read_all(&r, fd), out);
    if (fd >= 0 && !standard) close(fd);
    return fine;
}
