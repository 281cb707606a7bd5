#include "check/certificate.h"

#include <stdlib.h>
#include <string.h>

#include "reduce/closure.h"
#include "check/saved_run.h"
#include "graph/ranks.h"

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
    struct space *s;
    bool *set;
    uint32_t *list, *stack;
    unsigned char *bits;
    size_t bytes;
};

/* The set that was used, with what it obliges. */
static bool write_set(struct sets *v, const word *state, struct archive_writer *w, struct problem *why) {
    struct ts *ts = v->s->ts;
    struct ts_fault fault;
    uint32_t count;
    memset(v->set, 0, ts->transitions);
    memset(v->bits, 0, v->bytes);
    bool good = ts->ops->stubborn_set(v->s->worker, state, v->list, &count, &fault);
    for (uint32_t i = 0; good && i < count; i++) v->set[v->list[i]] = true;
    if (!ts_has(ts, TS_CHOICE_OF_RULES))
        good = good && closure_add(ts, v->s->worker, state, v->set, v->list, v->stack, &fault);
    if (!good) return problem_set(why, EXIT_BAD_INPUT, "%s: %s: %s", ts->path, fault.where, fault.text);
    for (uint32_t t = 0; t < ts->transitions; t++)
        if (v->set[t]) v->bits[t / 8] |= (unsigned char)(1u << t % 8);
    archive_write(w, v->bits, v->bytes);
    return true;
}

static bool write_sets(struct archive_writer *w, struct space *s, struct problem *why) {
    size_t n = s->ts->transitions;
    struct sets v = {.s = s, .bytes = (n + 7) / 8};
    struct walk walk;
    struct stop stop = {.kind = STOP_DONE};
    bool good = archive_section(w, "sets");
    v.set = memory_get(n);
    v.list = memory_get(n * sizeof *v.list);
    v.stack = memory_get(n * sizeof *v.stack);
    v.bits = memory_get(v.bytes);
    walk_init(&walk, s, false, 0, 256);
    while (good && walk_next(&walk, &stop)) {
        for (uint32_t i = 0; good && i < walk.count; i++)
            good = write_set(&v, walk.states + (size_t)i * s->ts->words, w, why);
        if (good && space_must_stop(s, "certificate", walk.at, s->states, &stop)) break;
    }
    bool read = walk_fini(&walk);
    free(v.set);
    free(v.list);
    free(v.stack);
    free(v.bits);
    if (!read || stop.kind != STOP_DONE) return problem_set(why, EXIT_BAD_INPUT, "%s", stop.reason);
    return good;
}

/* ---- Ranks ---- */

static bool rank(struct witness *v, const struct questions *q, enum property p, struct problem *why) {
    switch (p) {
    case PROP_MAY: return witness_some(v, TS_MAY, !q->terminal_not_may, why);
    case PROP_MUST: return witness_all(v, TS_MUST, !q->terminal_not_must, why);
    case PROP_INFINITE: return witness_components(v, q->finitely, why);
    default: return witness_some(v, 0, true, why);
    }
}

/* One section for each property that needs them, in the order of enum property. */
static bool write_ranks(struct archive_writer *w, struct space *s, const struct questions *q, unsigned checked,
                        struct problem *why) {
    static const enum property ranked[] = {PROP_MAY, PROP_MUST, PROP_INFINITE, PROP_TERMINATION};
    struct witness v;
    if (!(checked & (PROP_MAY | PROP_MUST | PROP_INFINITE | PROP_TERMINATION))) return true;
    bool good = witness_init(&v, s, (checked & PROP_INFINITE) != 0, why);
    for (size_t i = 0; good && i < sizeof ranked / sizeof ranked[0]; i++) {
        if (!(checked & ranked[i])) continue;
        good = rank(&v, q, ranked[i], why);
        if (!good) break;
        archive_section(w, property_name(ranked[i]));
        archive_write(w, witness_ranks(&v), v.states * sizeof(uint32_t));
    }
    witness_fini(&v);
    return good;
}

bool certificate_write(const char *path, struct space *s, const struct questions *q, unsigned checked,
                       struct problem *why) {
    if (checked & (PROP_LTL | PROP_AUTOMATON | PROP_TESTER))
        return problem_set(why, EXIT_BAD_INPUT, "there are no certificates for %s",
                           checked & PROP_TESTER ? "testers" : "formulas");
    if (checked & PROP_PROGRESS)
        return problem_set(
            why, EXIT_BAD_INPUT,
            "there are no certificates for tests of progress by actions (leave them out: --no-progress)");
    struct archive_writer *w = archive_create(path, ARCHIVE_CERTIFICATE, why);
    if (!w) return false;
    write_claim(w, s, q, checked);
    bool good = saved_states(w, s, 0, s->trail.count, SAVED_WHILE_ALLOWED, why) &&
                (!s->ts->reduction.stubborn || write_sets(w, s, why)) && write_ranks(w, s, q, checked, why);
    if (good) return archive_commit(w, NULL, why);
    archive_abandon(w);
    return false;
}
