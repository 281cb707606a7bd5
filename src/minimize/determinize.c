/* Determinising by sets of states. A set is closed under tau-edges, and then only those of its states are listed that
 * have a visible edge or are special: the others make no difference. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "algo/set_table.h"
#include "base/memory.h"
#include "base/text.h"
#include "minimize/determinize.h"

enum { NONE = UINT32_MAX };

struct subsets {
    const struct lts *lts;
    struct set_table sets;
    /* The set at hand. */
    uint32_t *member, members;
    uint32_t *seen, visit;
    struct lts_edge *step; /* visible edges of a set */
    uint64_t steps, step_room;
    struct lts_builder build;
    uint64_t allowed; /* bytes */
};

/* The number of the set at hand. */
static uint32_t number_of(struct subsets *d) { return set_table_number(&d->sets, d->member, d->members); }

static void reach(struct subsets *d, uint32_t s) {
    if (d->seen[s] == d->visit) return;
    d->seen[s] = d->visit;
    d->member[d->members++] = s;
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool matters(const struct lts *l, uint32_t s) {
    return s == l->end || s == l->error ||
           (l->first[s] < l->first[s + 1] && l->edge[l->first[s + 1] - 1].label != LTS_TAU);
}

static void new_set(struct subsets *d) {
    if (++d->visit == 0) {
        memset(d->seen, 0, d->lts->states * sizeof *d->seen);
        d->visit = 1;
    }
    d->members = 0;
}

/* Closes the set at hand and puts it into its normal form. */
static void close_set(struct subsets *d) {
    const struct lts *l = d->lts;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < d->members; i++)
        for (const struct lts_edge *e = lts_begin(l, d->member[i]); e < lts_end(l, d->member[i]) && e->label == LTS_TAU;
             e++)
            reach(d, e->target);
    for (uint32_t i = 0; i < d->members; i++)
        if (matters(l, d->member[i])) d->member[kept++] = d->member[i];
    d->members = kept;
    qsort(d->member, kept, sizeof *d->member, by_number);
}

static int by_label(const void *a, const void *b) {
    const struct lts_edge *x = a, *y = b;
    if (x->label != y->label) return x->label < y->label ? -1 : 1;
    return x->target == y->target ? 0 : x->target < y->target ? -1 : 1;
}

static void add_step(struct subsets *d, uint32_t label, uint32_t target) {
    if (d->steps == d->step_room) {
        d->step_room = 2 * d->step_room + 64;
        d->step = memory_resize(d->step, d->step_room * sizeof *d->step);
    }
    d->step[d->steps++] = (struct lts_edge){label, target};
}

/* Where a set can go. That it has a special state is shown by an edge of a label of its own. */
static void collect_steps(struct subsets *d, uint32_t set) {
    const struct lts *l = d->lts;
    d->steps = 0;
    for (uint32_t i = 0; i < set_table_size(&d->sets, set); i++) {
        uint32_t s = set_table_members(&d->sets, set)[i];
        if (s == l->end) add_step(d, l->labels.count, s);
        if (s == l->error) add_step(d, l->labels.count + 1, s);
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            if (e->label != LTS_TAU) add_step(d, e->label, e->target);
    }
    qsort(d->step, d->steps, sizeof *d->step, by_label);
}

static void expand(struct subsets *d, uint32_t set) {
    collect_steps(d, set);
    for (uint64_t i = 0; i < d->steps;) {
        uint32_t label = d->step[i].label;
        new_set(d);
        for (; i < d->steps && d->step[i].label == label; i++) reach(d, d->step[i].target);
        close_set(d);
        lts_build_edge(&d->build, set, label, number_of(d));
    }
}

static bool too_large(const struct subsets *d) {
    return set_table_bytes(&d->sets) + d->build.room * sizeof *d->build.triples > d->allowed;
}

/* Making the LTS, and minimising it, takes as much again and more. */
static uint64_t memory_for_sets(const struct effort *effort) {
    uint64_t free = memory_available(), used = memory_resident();
    if (effort && effort->most && effort->most < free + used) free = effort->most > used ? effort->most - used : 0;
    return free / 4;
}

static void start(struct subsets *d, const struct lts *l, const struct effort *effort) {
    *d = (struct subsets){.lts = l, .step_room = 64};
    set_table_init(&d->sets);
    d->step = memory_get(d->step_room * sizeof *d->step);
    d->member = memory_get(l->states * sizeof *d->member);
    d->seen = memory_get_zeroed(l->states * sizeof *d->seen);
    d->allowed = memory_for_sets(effort);
    lts_build_with(&d->build, &l->labels);
    names_add(&d->build.labels, DETERMINIZE_END);
    names_add(&d->build.labels, DETERMINIZE_ERROR);
    assert(d->build.labels.count == l->labels.count + 2); /* collect_steps counts on these numbers */
}

static void finish(struct subsets *d) {
    set_table_fini(&d->sets);
    free(d->member);
    free(d->seen);
    free(d->step);
}

bool lts_determinize(const struct lts *l, struct effort *effort, struct lts *out, struct problem *why) {
    struct subsets d;
    bool fine = true;
    start(&d, l, effort);
    new_set(&d);
    reach(&d, l->initial);
    close_set(&d);
    number_of(&d);
    for (uint32_t i = 0; i < set_table_count(&d.sets) && fine; i++) {
        expand(&d, i);
        fine = !too_large(&d) && set_table_count(&d.sets) < NONE / 2 && !effort_over(effort);
    }
    if (fine) {
        d.build.states = set_table_count(&d.sets);
        lts_build_finish(&d.build, out);
    } else {
        char bytes[16];
        if (effort && effort->over) effort_problem(effort, "determinising", why);
        problem_set(why, EXIT_INCONCLUSIVE,
                    "determinising takes too much memory: %u sets of states so far, %s. Perhaps a finer relation will "
                    "do (--eq weak)",
                    set_table_count(&d.sets), text_bytes((double)d.allowed, bytes));
        free(d.build.triples);
        names_fini(&d.build.labels);
    }
    finish(&d);
    return fine;
}
