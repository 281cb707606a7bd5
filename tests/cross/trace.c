/* trace.c: see trace.h. */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 1 << 16 };

struct step {
    int transition; /* -1: none */
    bool mapped;
    uint8_t state[RM_VARS];
};

struct execution {
    bool swaps; /* of representatives */
    unsigned count, stem;
    int closing;                 /* -1: there is no cycle */
    long no_return;              /* -1: none */
    struct step step[MAX_STEPS]; /* stem, then cycle */
};

/* The value that is stored as `code`; RM_MAX_VALUE + 1 if none is. The encoding is that of cross_model.c. */
static uint8_t value_of(unsigned x, unsigned shape, json_int_t code) {
    for (unsigned v = 0; v <= RM_MAX_VALUE; v++) {
        json_int_t c = v;
        if (x >= RM_GLOBAL)
            c = shape == 1 ? v * 26214 : shape == 2 ? (json_int_t)(v * UINT64_C(0x3333333333333333)) : c;
        else if (x >= RM_LOCAL) c = shape == 0 ? c : (c - 1) * (shape == 1 ? 200 : INT64_C(4294967295));
        else c = shape == 1 ? v * 1638 : c;
        if (c == code) return (uint8_t)v;
    }
    return RM_MAX_VALUE + 1;
}

static bool read_array(const json_t *state, const char *name, unsigned first, unsigned shape, uint8_t *out) {
    static const char *const places[] = {"here", "there", "nowhere", "elsewhere", "anywhere", "somewhere"};
    const json_t *array = json_object_get(state, name);
    if (json_array_size(array) != 4) return false;
    for (unsigned i = 0; i < 4; i++) {
        const json_t *item = json_array_get(array, i);
        out[first + i] = RM_MAX_VALUE + 1;
        if (json_is_integer(item)) out[first + i] = value_of(first + i, shape, json_integer_value(item));
        if (!json_is_string(item)) continue;
        /* A name; or digits: a number that is too large for a JSON integer. */
        if (first == RM_GLOBAL)
            out[first + i] = value_of(first + i, shape, (json_int_t)strtoull(json_string_value(item), NULL, 10));
        for (uint8_t v = 0; first == RM_PC && v <= RM_MAX_VALUE; v++)
            if (strcmp(json_string_value(item), places[v]) == 0) out[first + i] = v;
    }
    for (unsigned i = 0; i < 4; i++)
        if (out[first + i] > RM_MAX_VALUE) return false;
    return true;
}

/* {"number": 5, "name": "T5"}, or null: -1. -2: wrong. */
static int read_transition(const json_t *json) {
    char name[16];
    if (json_is_null(json)) return -1;
    const json_t *number = json_object_get(json, "number"), *text = json_object_get(json, "name");
    if (!json_is_integer(number) || !json_is_string(text)) return -2;
    int t = (int)json_integer_value(number);
    snprintf(name, sizeof name, "T%d", t);
    return t >= 0 && t < RM_MAX_TRANSITIONS && strcmp(json_string_value(text), name) == 0 ? t : -2;
}

static const char *read_steps(const json_t *list, unsigned shape, struct execution *x) {
    if (!json_is_array(list)) return "the trace has no stem or no cycle";
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *json = json_array_get(list, i), *state = json_object_get(json, "state");
        if (x->count == MAX_STEPS) return "the trace is too long";
        struct step *s = &x->step[x->count++];
        s->transition = read_transition(json_object_get(json, "transition"));
        s->mapped = json_is_true(json_object_get(json, "mapped"));
        if (json_is_boolean(json_object_get(json, "mapped")) != x->swaps)
            return x->swaps ? "a step does not tell whether it was mapped" : "a step speaks of the symmetry map";
        if (s->transition == -2 || !json_is_string(json_object_get(json, "text")))
            return "a step of the trace lacks something";
        const json_t *empty = json_object_get(state, shape == 2 ? "pc" : "at");
        if (empty && (!json_is_array(empty) || json_array_size(empty) > 0)) return "an array of length 0 has elements";
        if (!read_array(state, shape == 2 ? "at" : "pc", RM_PC, shape, s->state) ||
            !read_array(state, "local", RM_LOCAL, shape, s->state) ||
            !read_array(state, "global", RM_GLOBAL, shape, s->state))
            return "a state of the trace is not one of the model";
    }
    return NULL;
}

static const char *read_execution(const json_t *trace, unsigned shape, struct execution *x) {
    const char *wrong = read_steps(json_object_get(trace, "stem"), shape, x);
    x->stem = x->count;
    if (!wrong) wrong = read_steps(json_object_get(trace, "cycle"), shape, x);
    const json_t *closing = json_object_get(trace, "closing");
    const json_t *no_return = json_object_get(trace, "point_of_no_return");
    x->closing = closing ? read_transition(closing) : -2;
    x->no_return = json_is_integer(no_return) ? (long)json_integer_value(no_return) : -1;
    if (wrong) return wrong;
    if (x->closing == -2) return "the closing transition is malformed";
    if ((x->closing >= 0) != (x->count > x->stem))
        return "there is a cycle without a closing transition, or vice versa";
    if (x->no_return >= (long)x->count) return "the point of no return is outside the trace";
    if (!x->count) return "the trace is empty";
    return NULL;
}

/* Does t lead from `from` to `to`? With swaps, `mapped` is told whether the symmetry map had to help. */
static bool leads(const struct naive_graph *g, bool swaps, const uint8_t *from, int t, const uint8_t *to,
                  bool *mapped) {
    uint8_t s[RM_VARS], r[RM_VARS];
    memcpy(s, from, RM_VARS);
    if (t < 0 || !rm_fire(g->model, s, (unsigned)t)) return false;
    memcpy(r, s, RM_VARS);
    if (swaps) rm_symmetry(g->model, r);
    *mapped = memcmp(r, s, RM_VARS) != 0;
    return memcmp(r, to, RM_VARS) == 0;
}

static const char *check_steps(const struct execution *x, const struct naive_graph *g) {
    uint8_t s[RM_VARS];
    bool mapped;
    memcpy(s, g->model->initial, RM_VARS);
    if (x->swaps) rm_symmetry(g->model, s);
    mapped = memcmp(s, g->model->initial, RM_VARS) != 0;
    if (x->step[0].transition != -1) return "the first step has a transition";
    if (memcmp(s, x->step[0].state, RM_VARS) != 0) return "the trace does not begin in the initial state";
    if (mapped != x->step[0].mapped) return "the first step is wrong about the symmetry map";
    for (unsigned i = 1; i < x->count; i++) {
        if (!leads(g, x->swaps, x->step[i - 1].state, x->step[i].transition, x->step[i].state, &mapped))
            return "a step of the trace is not a step of the model";
        if (mapped != x->step[i].mapped) return "a step is wrong about the symmetry map";
    }
    if (x->closing >= 0 &&
        !leads(g, x->swaps, x->step[x->count - 1].state, x->closing, x->step[x->stem].state, &mapped))
        return "the closing transition does not close the cycle";
    return NULL;
}

/* Are they the same state, or, if the graph is symmetric and the execution concrete, represented by the same? The map
 * may need several passes. */
static bool stands_for(const struct execution *x, const struct naive_graph *g, const uint8_t *a, const uint8_t *b) {
    uint8_t of_a[RM_VARS], of_b[RM_VARS];
    memcpy(of_a, a, RM_VARS);
    memcpy(of_b, b, RM_VARS);
    for (unsigned i = 0; i < RM_PROCESSES && g->mode.symmetry && !x->swaps; i++)
        rm_symmetry(g->model, of_a), rm_symmetry(g->model, of_b);
    return memcmp(of_a, of_b, RM_VARS) == 0;
}

static const char *check_end(const struct execution *x, const struct expectation *e, const struct naive_graph *g) {
    const uint8_t *last = x->step[x->count - 1].state;
    if (x->closing >= 0) return "there is a cycle";
    if (e->raises_outside) {
        for (unsigned t = 0; t < g->model->slots; t++)
            if (rm_fire_raises(g->model, last, t)) return NULL;
        return "the last state does not raise the error";
    }
    if (!stands_for(x, g, last, g->state[e->state])) return "it ends in another state";
    if (e->length && x->count != e->length) return "it is not the one on the stack";
    if (!e->length && x->count != g->depth_of[e->state] + 1) return "it is not a shortest one";
    return NULL;
}

/* Marks what can be reached from s, or, `back`, what s can be reached from. How many are marked? */
static uint32_t mark_connected(const struct naive_graph *g, uint32_t s, bool back, bool *marked) {
    uint32_t count = 1;
    memset(marked, 0, g->states);
    marked[s] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t e = 0; e < g->edges; e++) {
            uint32_t from = back ? g->edge[e].to : g->edge[e].from, to = back ? g->edge[e].from : g->edge[e].to;
            if (marked[from] && !marked[to]) count++, changed = marked[to] = true;
        }
    }
    return count;
}

/* Is the last state of the execution in a component that cannot be left, and does it go round in it? */
static const char *check_bottom(const struct execution *x, const struct naive_graph *unreduced) {
    uint32_t last = naive_find(unreduced, x->step[x->count - 1].state);
    bool *there = malloc(unreduced->states), *back = malloc(unreduced->states);
    const char *wrong = NULL;
    if (!there || !back) abort();
    uint32_t count = mark_connected(unreduced, last, false, there);
    mark_connected(unreduced, last, true, back);
    for (uint32_t i = 0; i < unreduced->states; i++)
        if (there[i] && !back[i]) wrong = "it ends in a part that can be left";
    if (!wrong && count > 1 && x->count == x->stem + 1) wrong = "it idles where something can happen";
    free(there);
    free(back);
    return wrong;
}

/* Goals can be reached from before the point of no return, and not from it on; it ends in a cycle or at the end. */
static const char *check_no_return(const struct execution *x, unsigned goals, const struct expectation *e,
                                   const struct naive_graph *unreduced) {
    if (x->no_return < 0) return "there is no point of no return";
    bool *can = naive_can_reach(unreduced, goals);
    const char *wrong = NULL;
    for (unsigned i = 0; i < x->count && !wrong; i++) {
        uint32_t here = naive_find(unreduced, x->step[i].state);
        if (here == UINT32_MAX) wrong = "a state is not reachable";
        else if (i < (unsigned)x->no_return && !can[here] && !e->raises_outside && !e->late)
            wrong = "the point of no return was earlier";
        else if (i >= (unsigned)x->no_return && can[here]) wrong = "after the point of no return there is a way out";
    }
    free(can);
    if (!wrong && !e->raises_outside && !e->late) wrong = check_bottom(x, unreduced);
    if (wrong || x->closing >= 0) return wrong;
    uint32_t last = naive_find(unreduced, x->step[x->count - 1].state);
    return unreduced->flags[last] & NAIVE_TERMINAL ? NULL : "it stops where it could go on";
}

/* Progress has ended in a terminal state: the execution is one to there, and found on the fly. */
static const char *check_stuck(const struct execution *x, const struct expectation *e, const struct naive_graph *g) {
    return e->stuck ? check_end(x, e, g) : NULL;
}

static const char *check_must(const struct execution *x, const struct options *o, const struct rm_model *m) {
    uint8_t s[RM_VARS];
    if (x->closing < 0) {
        const uint8_t *last = x->step[x->count - 1].state;
        if (!o->terminal_not_must) return "there is no cycle";
        if (rm_holds(m, &m->must, last)) return "the last state is a progress state";
        for (unsigned t = 0; t < m->slots; t++)
            if (memcpy(s, last, RM_VARS), rm_fire(m, s, t)) return "it stops where it could go on";
        return NULL;
    }
    for (unsigned i = x->stem; i < x->count; i++)
        if (rm_holds(m, &m->must, x->step[i].state)) return "there is a progress state on the cycle";
    return NULL;
}

static const char *check_infinite(const struct execution *x, const struct options *o) {
    if (x->closing < 0) return "there is no cycle";
    bool often = (unsigned)x->closing == o->often, rarely = o->rarely >> x->closing & 1;
    for (unsigned i = x->stem + 1; i < x->count; i++) {
        often |= (unsigned)x->step[i].transition == o->often;
        rarely |= o->rarely >> x->step[i].transition & 1;
    }
    return !often ? "the transition is not on the cycle" : rarely ? "a forbidden transition is on the cycle" : NULL;
}

/* Concrete executions are those of the model itself, whatever the mode. */
static const char *check_loss(const struct execution *x, unsigned goals, const struct expectation *e,
                              const struct naive_graph *unreduced) {
    struct naive_graph plain;
    if (!unreduced->mode.symmetry || x->swaps) return check_no_return(x, goals, e, unreduced);
    naive_build(&plain, unreduced->model, (struct naive_mode){0});
    const char *wrong = check_no_return(x, goals, e, &plain);
    naive_free(&plain);
    return wrong;
}

const char *trace_check(const json_t *trace, const struct options *o, unsigned shape, const struct expectation *e,
                        const struct naive_graph *g, const struct naive_graph *unreduced) {
    static struct execution x;
    memset(&x, 0, sizeof x);
    x.swaps = o->swaps;
    const char *wrong = read_execution(trace, shape, &x);
    if (!wrong) wrong = check_steps(&x, g);
    if (!wrong) wrong = check_stuck(&x, e, g);
    if (wrong) return wrong;
    switch (e->property) {
    case SAFETY:
    case DEADLOCK:
    case MODEL_ERROR: return check_end(&x, e, g);
    case MAY: return check_loss(&x, may_goals(o), e, unreduced);
    case TERMINATION: return check_loss(&x, NAIVE_TERMINAL, e, unreduced);
    case MUST: return check_must(&x, o, g->model);
    case INFINITE: return check_infinite(&x, o);
    default: return NULL;
    }
}

static int lowest_enabled(const struct rm_model *m, const uint8_t *s) {
    for (unsigned t = 0; t < m->slots; t++)
        if (rm_enabled(m, s, t)) return (int)t;
    return -1;
}

const char *trace_check_typical(const json_t *trace, unsigned shape, const struct rm_model *m) {
    static struct execution x;
    const struct naive_graph plain = {.model = m};
    memset(&x, 0, sizeof x);
    const char *wrong = read_execution(trace, shape, &x);
    if (!wrong) wrong = check_steps(&x, &plain);
    if (wrong) return wrong;
    for (unsigned i = 1; i < x.count; i++)
        if (x.step[i].transition != lowest_enabled(m, x.step[i - 1].state)) return "it is not the lowest transition";
    if (x.closing != lowest_enabled(m, x.step[x.count - 1].state)) return "it does not end as it should";
    for (unsigned i = 0; i < x.count; i++)
        for (unsigned j = 0; j < i; j++)
            if (memcmp(x.step[i].state, x.step[j].state, RM_VARS) == 0)
                return "the cycle should have been closed earlier";
    return NULL;
}
