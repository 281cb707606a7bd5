#include "lts/tester.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "lts/lts_components.h"

enum { MOST_OF_A_NAME = 60 };

/* ---- Making one ---- */

struct visit {
    uint32_t *number; /* by old state; LTS_NONE: not met */
    uint32_t *state;  /* by new one: the old state */
    uint32_t count;
};

/* Breadth-first, as lts_reachable numbers them. */
static void visit_all(struct visit *v, const struct lts *l) {
    memset(v->number, 0xff, l->states * sizeof *v->number);
    v->number[l->initial] = 0;
    v->state[v->count++] = l->initial;
    for (uint32_t i = 0; i < v->count; i++)
        for (const struct lts_edge *e = lts_begin(l, v->state[i]); e < lts_end(l, v->state[i]); e++) {
            if (v->number[e->target] != LTS_NONE) continue;
            v->number[e->target] = v->count;
            v->state[v->count++] = e->target;
        }
}

/* The way to a state without a name: "A/b" is where b has led from A. */
static char *name_by_way(const char *from, const char *label) {
    char *name = text_format("%s/%s", from, label);
    if (strlen(name) > MOST_OF_A_NAME) memcpy(name + MOST_OF_A_NAME - 3, "...", 4);
    return name;
}

static void name_states(struct tester *t, const struct visit *v, char *const *names) {
    for (uint32_t s = 0; s < t->lts.states; s++) {
        const char *given = names[v->state[s]];
        if (!given && s == t->lts.error) given = "ERROR";
        if (!given && s == 0) given = t->name;
        if (given) t->state_name[s] = memory_copy_string(given);
    }
    for (uint32_t s = 0; s < t->lts.states; s++)
        for (const struct lts_edge *e = lts_begin(&t->lts, s); e < lts_end(&t->lts, s); e++)
            if (!t->state_name[e->target])
                t->state_name[e->target] = name_by_way(t->state_name[s], t->lts.labels.text[e->label]);
}

void tester_init(struct tester *t, const char *name, struct lts *lts, const uint8_t *kinds, char *const *names) {
    struct visit v = {memory_get(lts->states * sizeof *v.number), memory_get(lts->states * sizeof *v.state), 0};
    *t = (struct tester){.name = memory_copy_string(name)};
    visit_all(&v, lts);
    lts_reachable(lts, &t->lts);
    assert(v.count == t->lts.states); /* both number states breadth-first */
    t->kinds = memory_get_zeroed(t->lts.states);
    t->state_name = memory_get_zeroed(t->lts.states * sizeof *t->state_name);
    for (uint32_t s = 0; s < t->lts.states; s++) {
        t->kinds[s] = kinds[v.state[s]];
        if (v.state[s] == lts->error) t->kinds[s] |= TESTER_REJECT;
    }
    name_states(t, &v, names);
    free(v.number);
    free(v.state);
    lts_fini(lts);
}

void tester_fini(struct tester *t) {
    for (uint32_t s = 0; t->state_name && s < t->lts.states; s++) free(t->state_name[s]);
    free(t->state_name);
    free(t->kinds);
    free(t->name);
    if (t->name) lts_fini(&t->lts);
    *t = (struct tester){0};
}

/* ---- Rules ---- */

/* The first state that is on a circle of tau, or LTS_NONE. */
static uint32_t state_on_tau_loop(const struct lts *l) {
    bool *on_loop = tau_cycles(l);
    uint32_t s = 0;
    while (s < l->states && !on_loop[s]) s++;
    free(on_loop);
    return s < l->states ? s : LTS_NONE;
}

bool tester_well_formed(const struct tester *t, const char *where, struct problem *why) {
    const struct lts *l = &t->lts;
    uint32_t loop = state_on_tau_loop(l);
    if (loop != LTS_NONE)
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s: the tester %s can do tau for ever from its state %s on; a tester must not run without "
                           "the system",
                           where, t->name, t->state_name[loop]);
    for (uint32_t s = 0; s < l->states; s++) {
        const struct lts_edge *first = lts_begin(l, s);
        if ((t->kinds[s] & TESTER_DEADLOCK) && first < lts_end(l, s) && first->label == LTS_TAU)
            return problem_set(
                why, EXIT_BAD_INPUT,
                "%s: the state %s of the tester %s is a deadlock monitor, and has a tau (to %s); nothing "
                "would ever stop there. Let the state after the tau be the deadlock monitor",
                where, t->state_name[s], t->name, t->state_name[first->target]);
    }
    return true;
}

unsigned tester_kinds(const struct tester *t) {
    unsigned kinds = 0;
    for (uint32_t s = 0; s < t->lts.states; s++) kinds |= t->kinds[s];
    return kinds;
}

/* ---- Moving ---- */

uint32_t tester_sees(const struct tester *t, const char *action) {
    uint32_t label = names_find(&t->lts.labels, action);
    bool own = label != LTS_TAU && (label == t->other || label == t->end || label == t->error); /* a name by chance */
    return label == NAMES_NONE || own ? t->other : label;
}

/* Backward, by sweeps: testers are small, and most of their edges lead from lower to higher numbers. */
bool *tester_hopes(const struct tester *t) {
    bool *hopes = memory_get_zeroed(t->lts.states);
    for (uint32_t s = 0; s < t->lts.states; s++) hopes[s] = t->kinds[s] != 0;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t s = t->lts.states; s-- > 0;)
            for (const struct lts_edge *e = lts_begin(&t->lts, s); e < lts_end(&t->lts, s) && !hopes[s]; e++)
                if (hopes[e->target]) hopes[s] = more = true;
    }
    return hopes;
}

const struct lts_edge *tester_next(const struct tester *t, uint32_t s, uint32_t label, const struct lts_edge **end) {
    const struct lts_edge *low = lts_begin(&t->lts, s), *high = lts_end(&t->lts, s), *last = high;
    while (low < high) {
        const struct lts_edge *middle = low + (high - low) / 2;
        if (middle->label < label) low = middle + 1;
        else high = middle;
    }
    for (*end = low; *end < last && (*end)->label == label;) ++*end;
    return low;
}
