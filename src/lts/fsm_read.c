/* Reading .fsm: three or four sections, with lines of three dashes between them. */
#include <string.h>

#include "base/text.h"
#include "lts/text_reader.h"

enum section { PARAMETERS, STATES, TRANSITIONS, INITIAL, SECTIONS };

struct fsm {
    int section; /* enum section */
    uint64_t parameters;
    uint64_t states;  /* lines of the second section */
    uint64_t highest; /* number of a state in a transition; they begin with 1 */
    bool initial;     /* it has been read */
};

static bool is_separator(const char *at, const char *end) { return end - at == 3 && memcmp(at, "---", 3) == 0; }

static bool next_section(struct text_reader *r) {
    struct fsm *f = r->mine;
    return ++f->section < SECTIONS || text_complain(r, "there are at most four sections, and here begins a fifth");
}

static bool identifier(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("_'@", c);
}

/* name(2) Sort "value" "value": only that it is there matters. */
static bool parse_parameter(struct text_reader *r, const char *at, const char *end) {
    static const char what[] = "a parameter 'NAME(NUMBER) SORT \"VALUE\"...', or '---'";
    struct fsm *f = r->mine;
    const char *p = at;
    uint64_t values;
    while (p < end && *p && identifier(*p)) p++;
    if (p == at || p == end || *p != '(') return text_expected(r, what, at, end);
    p++;
    if (!text_number(r, &p, end, UINT32_MAX, "the number of values of the parameter", &values) ||
        !text_take(r, &p, end, ')', "')' after the number of values"))
        return false;
    f->parameters += values > 0;
    return true;
}

/* A number for each parameter. */
static bool parse_state(struct text_reader *r, const char *at, const char *end) {
    struct fsm *f = r->mine;
    uint64_t value, values = 0;
    for (; at < end; at = text_skip(at, end), values++)
        if (!text_number(r, &at, end, UINT32_MAX, "the number of a value, or '---'", &value)) return false;
    if (values != f->parameters)
        return problem_set(r->why, EXIT_BAD_INPUT,
                           "%s:%llu: this state has %llu value%s, but there %s %llu parameter%s", r->name,
                           (unsigned long long)r->line, (unsigned long long)values, text_s(values),
                           f->parameters == 1 ? "is" : "are", (unsigned long long)f->parameters, text_s(f->parameters));
    return ++f->states < UINT32_MAX || text_complain(r, "there are too many states");
}

/* From 1 on. */
static bool parse_number(struct text_reader *r, const char **at, const char *end, const char *what, uint32_t *state) {
    struct fsm *f = r->mine;
    uint64_t n;
    *at = text_skip(*at, end);
    if (*at < end && **at == '[') return text_complain(r, "there are probabilities here, which onager does not know");
    if (!text_number(r, at, end, UINT32_MAX - 1, what, &n)) return false;
    if (n == 0) return text_complain(r, "the states of an .fsm file are 1, 2, ...; there is no state 0");
    if (f->states > 0 && n > f->states)
        return problem_set(
            r->why, EXIT_BAD_INPUT, "%s:%llu: there is no state %llu: the second section has %llu state%s", r->name,
            (unsigned long long)r->line, (unsigned long long)n, (unsigned long long)f->states, text_s(f->states));
    if (n > f->highest) f->highest = n;
    *state = (uint32_t)n - 1;
    return true;
}

/* 1 2 "label" */
static bool parse_transition(struct text_reader *r, const char *at, const char *end) {
    uint32_t from = 0, to = 0, label = LTS_TAU;
    if (!parse_number(r, &at, end, "a transition 'FROM TO \"LABEL\"', or '---'", &from) ||
        !parse_number(r, &at, end, "the state TO", &to))
        return false;
    at = text_skip(at, end);
    if (at == end || *at != '"') return text_expected(r, "the label in quotes", at, end);
    if (!text_label(r, at, end, &label)) return false;
    lts_build_edge(&r->build, from, label, to);
    return true;
}

static bool parse_initial(struct text_reader *r, const char *at, const char *end) {
    struct fsm *f = r->mine;
    if (f->initial) return text_complain(r, "there is one initial state, and it was given before");
    if (!parse_number(r, &at, end, "the number of the initial state", &r->build.initial)) return false;
    f->initial = true;
    return at == end || text_expected(r, "nothing more after the initial state", text_skip(at, end), end);
}

static bool parse_line(struct text_reader *r, const char *at, const char *end) {
    static bool (*const parse[])(struct text_reader *, const char *, const char *) = {parse_parameter, parse_state,
                                                                                      parse_transition, parse_initial};
    const struct fsm *f = r->mine;
    return is_separator(at, end) ? next_section(r) : parse[f->section](r, at, end);
}

/* The initial state is the first one, if nothing else is said. */
static bool complete(struct text_reader *r) {
    enum { MANY_STATES = 1 << 24 };
    struct fsm *f = r->mine;
    if (r->line == 0)
        return problem_set(r->why, EXIT_BAD_INPUT,
                           "%s: it is empty: expected parameters, '---', states, '---' and transitions", r->name);
    if (f->section < TRANSITIONS)
        return problem_set(r->why, EXIT_BAD_INPUT,
                           "%s:%llu: the file ends in its %s section: expected '---' and then transitions", r->name,
                           (unsigned long long)r->line, f->section == PARAMETERS ? "first" : "second");
    if (f->section == INITIAL && !f->initial)
        return text_complain(r, "the file ends after '---': expected the number of the initial state");
    if (f->states == 0 && f->highest > MANY_STATES && f->highest > 2 * r->build.count + 1)
        return problem_set(
            r->why, EXIT_BAD_INPUT,
            "%s: the highest number of a state is %llu, but there are so few transitions (%llu) that most "
            "states can have none",
            r->name, (unsigned long long)f->highest, (unsigned long long)r->build.count);
    if (f->states > r->build.states) r->build.states = (uint32_t)f->states;
    return true;
}

const struct text_format fsm_format = {
    .kind = FILE_FSM, .size = sizeof(struct fsm), .line = parse_line, .complete = complete};
