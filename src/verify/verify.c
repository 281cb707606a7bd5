#include "verify/verify.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "reduce/audit.h"
#include "verify/states.h"
#include "ts/valuation.h"

struct verifier {
    struct verification *result;
    const struct claim *c;
    struct ts *ts;
    struct ts_worker *w;
    struct states known;
    struct audit *audit; /* NULL: no stubborn sets */
    uint64_t at;         /* number of the state at hand */
    const word *s;
    bool *set;               /* its stubborn set; without stubborn sets: all transitions */
    uint64_t *next;          /* numbers of its successors */
    uint32_t *labels, count; /* the transitions that lead there */
    word *successor;
    uint32_t *list;
    uint64_t edges, terminals;
};

/* ---- Refutations ---- */

static bool refute(struct verifier *v, const word *state, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static bool refute(struct verifier *v, const word *state, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    v->result->end = VERIFY_REFUTED;
    v->result->message = text_vformat(fmt, args);
    va_end(args);
    if (!state) return false;
    v->result->state = memory_get(v->ts->words * sizeof(word));
    memcpy(v->result->state, state, v->ts->words * sizeof(word));
    return false;
}

static bool model_failed(struct verifier *v, const struct ts_fault *f) {
    if (f->transition == TS_NONE) return refute(v, v->s, "%s: %s", f->where, f->text);
    return refute(v, v->s, "%s, transition %u: %s", f->where, f->transition, f->text);
}

/* The transition's name, for one message at a time. */
static const char *name(struct verifier *v, uint32_t t, char buffer[128]) {
    v->ts->ops->transition_name(v->w, t, buffer, 128);
    return buffer;
}

/* ---- The claim as a whole ---- */

static bool claim_makes_sense(struct verifier *v) {
    const struct claim *c = v->c;
    for (const struct property_row *row = property_table; row->name; row++) {
        if (!(c->checks & row->id)) continue;
        if (row->needs & NEEDS_FUNCTION && !(v->ts->features & row->feature))
            return refute(v, NULL, "%s is claimed, but the model has no %s", row->name,
                          ts_feature_name((enum ts_feature)row->feature));
        if (row->rank == RANK_UNKNOWN)
            return refute(v, NULL, "%s are claimed, for which there are no certificates", row->plural);
    }
    if (c->reduction.stubborn && !c->derived && !ts_has(v->ts, TS_OBLIGATIONS))
        return refute(v, NULL, "stubborn sets are claimed, but the model has no obligations");
    if (c->reduction.symmetry && !ts_has(v->ts, TS_SYMMETRY))
        return refute(v, NULL, "symmetry is claimed, but the model has no symmetry map");
    struct reduction reduction = c->reduction;
    if (ts_has(v->ts, TS_BAD_IS_TERMINAL)) reduction.preserve = PRESERVE_SAFETY; /* D0, D1 and D2 preserve them */
    const char *gap =
        property_gap(c->checks, &reduction, (c->checks & PROP_TERMINATION) != 0, property_symmetric(v->ts));
    return !gap || refute(v, NULL, "more is claimed than the reduction justifies: %s", gap);
}

/* A state has its mark, and nothing where no variable is. */
static bool is_state(const struct ts *ts, const word *s) {
    unsigned used = (ts->bits + 1) % 64;
    return (s[0] & 1) && (!used || s[ts->words - 1] >> used == 0);
}

static bool take_states(struct verifier *v) {
    for (uint64_t i = 0; i < v->c->count; i++) {
        const word *s = claim_state(v->c, i);
        if (!is_state(v->ts, s)) return refute(v, NULL, "number %llu is not a state", (unsigned long long)i);
        if (!states_add(&v->known, i)) return refute(v, s, "this state occurs twice");
    }
    return true;
}

static bool initial_is_there(struct verifier *v) {
    struct ts_fault fault;
    const struct ts_ops *ops = v->ts->ops;
    if (!ops->initial(v->w, v->successor, &fault) ||
        (v->c->reduction.symmetry && !ops->representative(v->w, v->successor, v->successor, &fault)))
        return refute(v, NULL, "%s: %s", fault.where, fault.text);
    return states_find(&v->known, v->successor) != STATES_NONE ||
           refute(v, v->successor, "this is the initial state%s, and it is missing",
                  v->c->reduction.symmetry ? "'s representative" : "");
}

/* ---- One state: edges ---- */

static bool fire(struct verifier *v, uint32_t t, bool *enabled) {
    struct ts_fault fault;
    char buffer[128];
    int fired = v->ts->ops->fire(v->w, v->s, t, v->successor, &fault);
    if (fired < 0) return model_failed(v, &fault);
    *enabled = fired;
    if (!fired) return true;
    if (v->c->reduction.symmetry && !v->ts->ops->representative(v->w, v->successor, v->successor, &fault))
        return model_failed(v, &fault);
    v->next[v->count] = states_find(&v->known, v->successor);
    v->labels[v->count++] = t;
    return v->next[v->count - 1] != STATES_NONE ||
           refute(v, v->s, "transition %u (%s) leads from this state to one that is missing", t, name(v, t, buffer));
}

static bool fire_all(struct verifier *v) {
    bool enabled;
    v->count = 0;
    for (uint32_t t = 0; t < v->ts->transitions; t++)
        if (v->set[t] && !fire(v, t, &enabled)) return false;
    v->edges += v->count;
    v->terminals += v->count == 0;
    return true;
}

/* ---- One state: its stubborn set ---- */

static bool set_is_closed(struct verifier *v) {
    struct ts_fault fault;
    uint32_t count;
    char one[128], two[128];
    for (uint32_t t = 0; t < v->ts->transitions; t++) {
        if (!v->set[t]) continue;
        if (!v->ts->ops->obligations(v->w, v->s, t, v->list, &count, &fault)) return model_failed(v, &fault);
        for (uint32_t i = 0; i < count; i++)
            if (!v->set[v->list[i]])
                return refute(
                    v, v->s,
                    "the stubborn set of this state has transition %u (%s), but not transition %u (%s), which "
                    "the first obliges",
                    t, name(v, t, one), v->list[i], name(v, v->list[i], two));
    }
    return true;
}

/* No member is enabled: then nothing may be. */
static bool nothing_is_enabled(struct verifier *v) {
    struct ts_fault fault;
    char buffer[128];
    for (uint32_t t = 0; t < v->ts->transitions; t++) {
        int fired = v->ts->ops->fire(v->w, v->s, t, v->successor, &fault);
        if (fired < 0) return model_failed(v, &fault);
        if (fired)
            return refute(v, v->s,
                          "the stubborn set of this state has no enabled member, but transition %u (%s) is "
                          "enabled",
                          t, name(v, t, buffer));
    }
    return true;
}

static bool set_is_stubborn(struct verifier *v) {
    struct audit_finding f;
    bool cut = false;
    char buffer[128];
    /* D1 and D2 are what matters. */
    bool closed = v->c->derived || ts_has(v->ts, TS_CHOICE_OF_RULES) || set_is_closed(v);
    if (!closed || (v->count == 0 && !nothing_is_enabled(v))) return false;
    bool good = audit_set(v->audit, v->s, v->set, (v->c->checks & PROP_SAFETY) != 0, &f, &cut);
    v->result->cut += cut;
    if (good) return true;
    if (f.fault == AUDIT_MODEL) return model_failed(v, &f.model);
    return refute(v, v->s, "the set of this state is not stubborn: %s; member %u (%s)", audit_text(f.fault),
                  f.transition, name(v, f.transition, buffer));
}

/* ---- One state: properties ---- */

static bool check(struct verifier *v, enum ts_feature which) {
    const char *message = NULL;
    struct ts_fault fault;
    if (!v->ts->ops->check(v->w, v->s, which, &message, &fault)) return model_failed(v, &fault);
    return !message || refute(v, v->s, "%s: %s", ts_feature_name(which), message);
}

/* Whether the state is a target of the property. */
static bool is_target(struct verifier *v, const struct property_row *row, bool *target) {
    uint8_t class = 0;
    struct ts_batch b = {.sources = v->s, .count = 1, .classes = &class, .wanted = row->target};
    bool terminals = property_counts_ends(row, v->c->terminal_not_may, v->c->terminal_not_must);
    if (b.wanted && valuation_classify(v->ts, v->w, &b) < 1) return model_failed(v, &b.fault);
    *target = (class & b.wanted) || (terminals && v->count == 0);
    return true;
}

static bool ranks_decrease(struct verifier *v, const struct property_row *row) {
    enum property_number p = (enum property_number)(row - property_table);
    uint32_t rank = claim_rank(v->c, p, v->at), smaller = 0;
    bool target = false, all = row->rank == RANK_ALL;
    if (!is_target(v, row, &target)) return false;
    for (uint32_t i = 0; i < v->count; i++) {
        assert(v->next[i] < v->c->count); /* fire_all refutes what leads to a state that is missing */
        smaller += claim_rank(v->c, p, v->next[i]) < rank;
    }
    if (target || (all ? v->count > 0 && smaller == v->count : smaller > 0)) return true;
    return refute(v, v->s, "%s: this state is no target, and %s successor of smaller rank than %u", row->name,
                  all && smaller ? "not every successor is a" : "has no", rank);
}

static bool occurs_finitely(struct verifier *v, const struct property_row *row) {
    enum property_number p = (enum property_number)(row - property_table);
    uint32_t rank = claim_rank(v->c, p, v->at);
    char buffer[128];
    for (uint32_t i = 0; i < v->count; i++) {
        uint32_t t = v->labels[i], to = claim_rank(v->c, p, v->next[i]);
        if (v->c->finitely[t] || to < rank || (to == rank && t != v->c->infinitely)) continue;
        return refute(v, v->s, "%s: transition %u (%s) leads from this state, of rank %u, to rank %u", row->name, t,
                      name(v, t, buffer), rank, to);
    }
    return true;
}

static bool look_at(struct verifier *v) {
    const struct claim *c = v->c;
    if ((c->checks & PROP_SAFETY) && !check(v, TS_CHECK_STATE)) return false;
    if (c->reduction.stubborn)
        for (uint32_t t = 0; t < v->ts->transitions; t++) v->set[t] = claim_in_set(c, v->at, t);
    if (!fire_all(v)) return false;
    if (c->reduction.stubborn && !set_is_stubborn(v)) return false;
    if ((c->checks & PROP_DEADLOCK) && v->count == 0 && !check(v, TS_CHECK_DEADLOCK)) return false;
    for (const struct property_row *row = property_table; row->name; row++)
        if (claim_ranks(c, row) && !(row->rank == RANK_COMPONENTS ? occurs_finitely : ranks_decrease)(v, row))
            return false;
    return true;
}

/* ---- All of it ---- */

static bool counts_agree(struct verifier *v) {
    const struct claim *c = v->c;
    if (v->edges != c->edges)
        return refute(v, NULL, "%llu edge%s claimed, and there %s %llu", (unsigned long long)c->edges,
                      c->edges == 1 ? " is" : "s are", v->edges == 1 ? "is" : "are", (unsigned long long)v->edges);
    return v->terminals == c->terminals || refute(v, NULL, "%llu terminal state%s claimed, and there %s %llu",
                                                  (unsigned long long)c->terminals, c->terminals == 1 ? " is" : "s are",
                                                  v->terminals == 1 ? "is" : "are", (unsigned long long)v->terminals);
}

/* False: interrupted. */
static bool look_at_all(struct verifier *v, const struct verify_limits *limits, struct problem *why) {
    if (!claim_makes_sense(v) || !take_states(v) || !initial_is_there(v)) return true;
    for (v->at = 0; v->at < v->c->count; v->at++) {
        v->s = claim_state(v->c, v->at);
        if (!look_at(v)) return true;
        if (limits->interrupted && *limits->interrupted)
            return problem_set(why, EXIT_INCONCLUSIVE, "interrupted: %llu of %llu states were looked at",
                               (unsigned long long)v->at + 1, (unsigned long long)v->c->count);
    }
    if (counts_agree(v) && v->result->cut) {
        v->result->end = VERIFY_CUT;
        v->result->message =
            text_format("outside the stubborn sets of %llu states, transitions were followed to %u states only "
                        "(--outside)",
                        (unsigned long long)v->result->cut, limits->outside);
    }
    return true;
}

bool verify_run(struct verification *result, struct claim *c, struct ts *ts, struct ts_worker *w,
                const struct verify_limits *limits, struct problem *why) {
    struct verifier v = {.result = result, .c = c, .ts = ts, .w = w};
    const char *odd = NULL;
    *result = (struct verification){.end = VERIFY_VERIFIED};
    if (!claim_read(c, ts, &odd, why)) return false;
    if (odd) return refute(&v, NULL, "%s", odd), true;
    size_t n = ts->transitions;
    v.set = memory_get(n);
    memset(v.set, 1, n);
    v.next = memory_get(n * sizeof *v.next);
    v.labels = memory_get(n * sizeof *v.labels);
    v.list = memory_get(n * sizeof *v.list);
    v.successor = memory_get(ts->words * sizeof(word));
    if (c->reduction.stubborn) v.audit = audit_new(ts, w, limits->outside);
    bool judged = states_init(&v.known, claim_state(c, 0), c->count, ts->words)
                      ? look_at_all(&v, limits, why)
                      : problem_set(why, EXIT_INCONCLUSIVE, "no memory is left for the states");
    states_fini(&v.known);
    audit_free(v.audit);
    free(v.set);
    free(v.next);
    free(v.labels);
    free(v.list);
    free(v.successor);
    return judged;
}

void verification_fini(struct verification *v) {
    free(v->message);
    free(v->state);
    *v = (struct verification){0};
}
