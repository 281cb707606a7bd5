/* Reading .aut: a line is parsed from both ends, since a label may contain commas and quotes. */
#include <string.h>

#include "base/text.h"
#include "lts/aut_plain.h"

enum { MANY_STATES = 1 << 24 };

static bool check_counts(struct text_reader *r, uint64_t initial, uint64_t states) {
    const struct aut *a = r->mine;
    if (initial >= states)
        return problem_set(
            r->why, EXIT_BAD_INPUT, "%s:%llu: the initial state is %llu, but the header promises %llu state%s", r->name,
            (unsigned long long)r->line, (unsigned long long)initial, (unsigned long long)states, text_s(states));
    if (states > MANY_STATES && states - 1 > 2 * a->promised)
        return problem_set(r->why, EXIT_BAD_INPUT,
                           "%s:%llu: the header promises %llu states, but so few transitions (%llu) that most of them "
                           "can have none: des (INITIAL, TRANSITIONS, STATES)",
                           r->name, (unsigned long long)r->line, (unsigned long long)states,
                           (unsigned long long)a->promised);
    return true;
}

/* des (0, 3, 2) */
static bool parse_header(struct text_reader *r, const char *at, const char *end) {
    static const char what[] = "the header 'des (INITIAL, TRANSITIONS, STATES)'";
    struct aut *a = r->mine;
    uint64_t initial, states;
    if (end - at < 3 || strncmp(at, "des", 3) != 0) return text_expected(r, what, at, end);
    at += 3;
    if (!text_take(r, &at, end, '(', "'(' after 'des'") ||
        !text_number(r, &at, end, UINT32_MAX - 1, "the initial state", &initial) ||
        !text_take(r, &at, end, ',', "',' after the initial state") ||
        !text_number(r, &at, end, UINT64_C(1) << 40, "the number of transitions", &a->promised) ||
        !text_take(r, &at, end, ',', "',' after the number of transitions") ||
        !text_number(r, &at, end, UINT32_MAX - 1, "the number of states", &states) ||
        !text_take(r, &at, end, ')', "')' after the number of states"))
        return false;
    at = text_skip(at, end);
    if (at < end) return text_expected(r, "nothing more after the header", at, end);
    if (!check_counts(r, initial, states)) return false;
    r->build.initial = (uint32_t)initial;
    r->build.states = a->states = (uint32_t)states;
    a->header = true;
    return true;
}

/* Where the number at the end of the text begins. */
static const char *last_number(const char *at, const char *end) {
    while (end > at && end[-1] >= '0' && end[-1] <= '9') end--;
    return end;
}

static bool check_state(struct text_reader *r, uint64_t s) {
    const struct aut *a = r->mine;
    if (s < a->states) return true;
    return problem_set(r->why, EXIT_BAD_INPUT, "%s:%llu: there is no state %llu: the header promises %u, from 0 to %u",
                       r->name, (unsigned long long)r->line, (unsigned long long)s, a->states, a->states - 1);
}

static bool between_commas(struct text_reader *r, const char *at, const char *end, uint32_t *label) {
    at = text_skip(at, end);
    end = text_trim(at, end);
    if (at == end) return text_complain(r, "expected a label between the commas: (FROM, LABEL, TO)");
    return text_label(r, at, end, label);
}

/* (0, "label", 1) */
static bool parse_edge(struct text_reader *r, const char *at, const char *end) {
    struct aut *a = r->mine;
    uint64_t from, to;
    uint32_t label = LTS_TAU;
    if (!text_take(r, &at, end, '(', "'(FROM, LABEL, TO)'") ||
        !text_number(r, &at, end, UINT32_MAX, "the state FROM", &from) ||
        !text_take(r, &at, end, ',', "',' after the state FROM"))
        return false;
    if (end[-1] != ')') return text_expected(r, "')'", end, end);
    end = text_trim(at, end - 1);
    const char *last = last_number(at, end), *comma = text_trim(at, last);
    if (last == end || comma == at || comma[-1] != ',')
        return text_expected(r, "'LABEL, TO)'", text_skip(at, end), end);
    if (!text_number(r, &last, end, UINT32_MAX, "the state TO", &to) || !between_commas(r, at, comma - 1, &label) ||
        !check_state(r, from) || !check_state(r, to))
        return false;
    if (a->count == a->promised)
        return problem_set(r->why, EXIT_BAD_INPUT,
                           "%s:%llu: the header promises %llu transition%s, but this is one more", r->name,
                           (unsigned long long)r->line, (unsigned long long)a->promised, text_s(a->promised));
    a->count++;
    lts_build_edge(&r->build, (uint32_t)from, label, (uint32_t)to);
    return true;
}

static bool parse_line(struct text_reader *r, const char *at, const char *end) {
    const struct aut *a = r->mine;
    return a->header ? parse_edge(r, at, end) : parse_header(r, at, end);
}

static bool complete(struct text_reader *r) {
    const struct aut *a = r->mine;
    if (!a->header)
        return problem_set(r->why, EXIT_BAD_INPUT, "%s: it is empty: expected 'des (INITIAL, TRANSITIONS, STATES)'",
                           r->name);
    if (a->count == a->promised) return true;
    return problem_set(r->why, EXIT_BAD_INPUT,
                       "%s:%llu: the file ends after %llu transition%s, but the header promises %llu: is it complete?",
                       r->name, (unsigned long long)r->line, (unsigned long long)a->count, text_s(a->count),
                       (unsigned long long)a->promised);
}

const struct text_format aut_format = {
    .kind = FILE_AUT, .size = sizeof(struct aut), .line = parse_line, .complete = complete, .plain = aut_plain_lines};
