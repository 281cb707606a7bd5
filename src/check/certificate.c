#include "check/certificate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/closure.h"
#include "check/saved_run.h"
#include "graph/ranks.h"
#include "graph/sweep.h"

static void write_claim(struct archive_writer *w, const struct space *s, const struct questions *q, unsigned checked) {
    struct identity model = {0}, run = {0};
    identity_of_model(&model, s->ts);
    saved_run(&run, s->ts, q, checked);
    identity_write(&model, w, "model");
    identity_write(&run, w, "run");
    identity_fini(&model);
    identity_fini(&run);
    archive_section(w, "claim");
    archive_write_number(w, s->states);
    archive_write_number(w, s->edges);
    archive_write_number(w, s->terminals);
}

/* ---- Stubborn sets: a bit for each transition, in whole bytes for each state ---- */

struct sets {
    struct sweep sweep;
    struct archive_writer *w;
    size_t bytes; /* for each state */
    struct scratch {
        bool *set;
        uint32_t *list, *stack;
    } * scratch; /* by thread */
};

/* The set that was used, with what it obliges. False: model code failed. */
static bool find_set(struct ts *ts, struct ts_worker *w, struct scratch *a, const word *state, unsigned char *bits,
                     struct ts_fault *fault) {
    uint32_t count;
    memset(a->set, 0, ts->transitions);
    bool good = ts->ops->stubborn_set(w, state, a->list, &count, fault);
    assert(!good || count <= ts->transitions);
    for (uint32_t i = 0; good && i < count; i++) a->set[a->list[i]] = true;
    if (!ts_has(ts, TS_CHOICE_OF_RULES)) good = good && closure_add(ts, w, state, a->set, a->list, a->stack, fault);
    for (uint32_t t = 0; good && t < ts->transitions; t++)
        if (a->set[t]) bits[t / 8] |= (unsigned char)(1u << t % 8);
    return good;
}

static void find_sets(void *context, unsigned member, const struct sweep_batch *x) {
    struct sets *v = context;
    struct space *s = v->sweep.s;
    memset(x->room, 0, x->count * v->bytes);
    for (uint32_t i = 0; i < x->count; i++) {
        struct ts_fault fault;
        unsigned char *bits = (unsigned char *)x->room + i * v->bytes;
        const word *state = x->states + (size_t)i * s->ts->words;
        if (find_set(s->ts, s->members[member].worker, &v->scratch[member], state, bits, &fault)) continue;
        sweep_fault(&v->sweep, x, i, &fault);
        return;
    }
}

static bool write_batch(void *context, const struct sweep_batch *x) {
    struct sets *v = context;
    archive_write(v->w, x->room, x->count * v->bytes);
    return true;
}

static void scratch_init(struct sets *v, const struct space *s) {
    size_t n = s->ts->transitions;
    v->scratch = memory_get(s->team.size * sizeof *v->scratch);
    for (unsigned k = 0; k < s->team.size; k++)
        v->scratch[k] =
            (struct scratch){memory_get(n), memory_get(n * sizeof(uint32_t)), memory_get(n * sizeof(uint32_t))};
}

static void scratch_fini(struct sets *v, const struct space *s) {
    for (unsigned k = 0; k < s->team.size; k++) {
        free(v->scratch[k].set);
        free(v->scratch[k].list);
        free(v->scratch[k].stack);
    }
    free(v->scratch);
}

static bool write_sets(struct archive_writer *w, struct space *s, struct problem *why) {
    struct sets v = {.w = w, .bytes = (s->ts->transitions + 7) / 8};
    struct stop stop;
    if (!archive_section(w, "sets")) return false;
    v.sweep = (struct sweep){.s = s,
                             .phase = "certificate",
                             .context = &v,
                             .need = SWEEP_STATES,
                             .room = v.bytes,
                             .take = find_sets,
                             .put = write_batch};
    scratch_init(&v, s);
    sweep_init(&v.sweep);
    bool good = sweep_all(&v.sweep, &stop);
    sweep_fini(&v.sweep);
    scratch_fini(&v, s);
    if (good) return true;
    if (stop.kind != STOP_FAULT) return problem_set(why, EXIT_BAD_INPUT, "%s", stop.reason);
    return problem_set(why, EXIT_BAD_INPUT, "%s: %s: %s", s->ts->path, stop.fault.where, stop.fault.text);
}

/* ---- Ranks ---- */

static bool rank(struct witness *v, const struct questions *q, const struct property_row *row, struct problem *why) {
    bool ends = property_counts_ends(row, q->terminal_not_may, q->terminal_not_must);
    switch (row->rank) {
    case RANK_SOME: return witness_some(v, row->target, ends, why);
    case RANK_ALL: return witness_all(v, row->target, ends, why);
    default: return witness_components(v, q->finitely, why);
    }
}

static bool is_ranked(const struct property_row *row, unsigned checked) {
    return (checked & row->id) && row->rank != RANK_NOTHING;
}

/* One section for each property that needs them, in the order of the table. */
static bool write_ranks(struct archive_writer *w, struct space *s, const struct questions *q, unsigned checked,
                        struct problem *why) {
    struct witness v;
    bool any = false, labels = false;
    for (const struct property_row *row = property_table; row->name; row++) {
        any |= is_ranked(row, checked);
        labels |= is_ranked(row, checked) && row->rank == RANK_COMPONENTS;
    }
    if (!any) return true;
    bool good = witness_init(&v, s, labels, why);
    for (const struct property_row *row = property_table; good && row->name; row++) {
        if (!is_ranked(row, checked)) continue;
        good = rank(&v, q, row, why);
        if (!good) break;
        assert(v.states == s->trail.count); /* a rank for each state, by its number */
        archive_section(w, row->name);
        archive_write(w, witness_ranks(&v), v.states * sizeof(uint32_t));
    }
    witness_fini(&v);
    return good;
}

bool certificate_write(const char *path, struct space *s, const struct questions *q, unsigned checked,
                       struct problem *why) {
    for (const struct property_row *row = property_table; row->name; row++)
        if ((checked & row->id) && row->rank == RANK_UNKNOWN)
            return problem_set(why, EXIT_BAD_INPUT, "there are no certificates for %s", row->plural);
    struct archive_writer *w = archive_create(path, ARCHIVE_CERTIFICATE, why);
    if (!w) return false;
    write_claim(w, s, q, checked);
    bool good = saved_states(w, s, 0, s->trail.count, SAVED_WHILE_ALLOWED, why) &&
                (!s->ts->reduction.stubborn || write_sets(w, s, why)) && write_ranks(w, s, q, checked, why);
    if (good) return archive_commit(w, NULL, why);
    archive_abandon(w);
    return false;
}
