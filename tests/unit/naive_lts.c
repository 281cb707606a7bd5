#include "naive_lts.h"

#include <stdlib.h>
#include <string.h>

static bool has(uint32_t set, uint32_t s) { return set >> s & 1; }

static void close_taus(struct naive *n) {
    for (uint32_t s = 0; s < n->states; s++) n->taus[s] = n->to[0][s] | UINT32_C(1) << s;
    for (uint32_t round = 0; round < n->states; round++)
        for (uint32_t s = 0; s < n->states; s++)
            for (uint32_t t = 0; t < n->states; t++)
                if (has(n->taus[s], t)) n->taus[s] |= n->taus[t];
}

void naive_from(struct naive *n, const struct lts *l) {
    if (l->states > NAIVE_STATES || l->labels.count + 2 > NAIVE_LABELS) abort();
    *n = (struct naive){.states = l->states, .labels = l->labels.count + 2, .initial = l->initial};
    n->end = l->end;
    n->error = l->error;
    for (uint32_t s = 0; s < l->states; s++)
        for (uint64_t i = l->first[s]; i < l->first[s + 1]; i++)
            n->to[l->edge[i].label][s] |= UINT32_C(1) << l->edge[i].target;
    if (l->end != LTS_NONE) n->to[l->labels.count][l->end] = UINT32_C(1) << l->end;
    if (l->error != LTS_NONE) n->to[l->labels.count + 1][l->error] = UINT32_C(1) << l->error;
    close_taus(n);
}

void naive_union(struct naive *n, const struct naive *a, const struct naive *b, uint32_t *shift) {
    if (a->states + b->states > NAIVE_STATES || a->labels != b->labels) abort();
    *n = *a;
    *shift = a->states;
    n->states = a->states + b->states;
    for (uint32_t label = 0; label < a->labels; label++)
        for (uint32_t s = 0; s < b->states; s++) n->to[label][a->states + s] = b->to[label][s] << a->states;
    close_taus(n);
}

/* ---- Bisimilarities: the largest relation, by removing pairs that break the rule ---- */

/* 1: end, 2: error. They are known by their edges, since in a union there may be two of a kind. */
static int kind(const struct naive *n, uint32_t s) {
    return n->to[n->labels - 2][s] ? 1 : n->to[n->labels - 1][s] ? 2 : 0;
}

/* Does t answer s -label-> target? */
typedef bool answer(const struct naive *n, const uint32_t *relates, uint32_t s, uint32_t label, uint32_t target,
                    uint32_t t);

static bool answers(const struct naive *n, const uint32_t *relates, uint32_t s, uint32_t t, answer *by) {
    for (uint32_t label = 0; label < n->labels; label++)
        for (uint32_t target = 0; target < n->states; target++)
            if (has(n->to[label][s], target) && !by(n, relates, s, label, target, t)) return false;
    return true;
}

static void make_symmetric(const struct naive *n, uint32_t *relates, answer *by) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t s = 0; s < n->states; s++)
            for (uint32_t t = 0; t < n->states; t++)
                if (has(relates[s], t) && (!answers(n, relates, s, t, by) || !answers(n, relates, t, s, by))) {
                    relates[s] &= ~(UINT32_C(1) << t);
                    relates[t] &= ~(UINT32_C(1) << s);
                    changed = true;
                }
    }
}

static void largest(const struct naive *n, uint32_t *relates, answer *by) {
    for (uint32_t s = 0; s < n->states; s++) {
        relates[s] = 0;
        for (uint32_t t = 0; t < n->states; t++)
            if (kind(n, s) == kind(n, t)) relates[s] |= UINT32_C(1) << t;
    }
    make_symmetric(n, relates, by);
}

static void largest_plain(const struct naive *n, uint32_t *relates, answer *by) {
    for (uint32_t s = 0; s < n->states; s++) relates[s] = (UINT32_C(1) << n->states) - 1;
    make_symmetric(n, relates, by);
}

static bool answer_strong(const struct naive *n, const uint32_t *relates, uint32_t s, uint32_t label, uint32_t target,
                          uint32_t t) {
    (void)s;
    return n->to[label][t] & relates[target];
}

/* tau: t itself will do; else t tau* t1 label t2, s related to t1. */
static bool answer_branching(const struct naive *n, const uint32_t *relates, uint32_t s, uint32_t label,
                             uint32_t target, uint32_t t) {
    if (label == 0 && has(relates[target], t)) return true;
    for (uint32_t t1 = 0; t1 < n->states; t1++)
        if (has(n->taus[t], t1) && has(relates[s], t1) && (n->to[label][t1] & relates[target])) return true;
    return false;
}

static uint32_t after_label(const struct naive *n, uint32_t set, uint32_t label) {
    uint32_t closed = 0, next = 0;
    for (uint32_t s = 0; s < n->states; s++)
        if (has(set, s)) next |= n->to[label][s];
    for (uint32_t s = 0; s < n->states; s++)
        if (has(next, s)) closed |= n->taus[s];
    return closed;
}

static bool answer_weak(const struct naive *n, const uint32_t *relates, uint32_t s, uint32_t label, uint32_t target,
                        uint32_t t) {
    (void)s;
    return (label == 0 ? n->taus[t] : after_label(n, n->taus[t], label)) & relates[target];
}

/* As relations that are not symmetric: s is related to t if t answers all that s does, and something else, perhaps. */
typedef bool demand(const struct naive *n, const uint32_t *relates, uint32_t s, uint32_t t);

static void largest_preorder(const struct naive *n, uint32_t *relates, answer *by, demand *also) {
    for (uint32_t s = 0; s < n->states; s++) relates[s] = (UINT32_C(1) << n->states) - 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t s = 0; s < n->states; s++)
            for (uint32_t t = 0; t < n->states; t++)
                if (has(relates[s], t) && (!answers(n, relates, s, t, by) || (also && !also(n, relates, s, t)))) {
                    relates[s] &= ~(UINT32_C(1) << t);
                    changed = true;
                }
    }
}

static bool same_labels(const struct naive *n, const uint32_t *relates, uint32_t s, uint32_t t) {
    (void)relates;
    for (uint32_t label = 0; label < n->labels; label++)
        if (!n->to[label][s] != !n->to[label][t]) return false;
    return true;
}

static bool is_coupled(const struct naive *n, const uint32_t *relates, uint32_t s, uint32_t t) {
    for (uint32_t u = 0; u < n->states; u++)
        if (has(n->taus[t], u) && has(relates[u], s)) return true;
    return false;
}

/* Tau* a, and nothing after it. */
static struct naive star_of(const struct naive *n) {
    struct naive star = *n;
    memset(star.to, 0, sizeof star.to);
    for (uint32_t label = 1; label < n->labels; label++)
        for (uint32_t s = 0; s < n->states; s++)
            for (uint32_t t = 0; t < n->states; t++)
                if (has(n->taus[s], t)) star.to[label][s] |= n->to[label][t];
    close_taus(&star);
    return star;
}

void naive_simulation(const struct naive *n, bool ready, uint32_t *relates) {
    largest_preorder(n, relates, answer_strong, ready ? same_labels : NULL);
}
void naive_weak_simulation(const struct naive *n, uint32_t *relates) {
    largest_preorder(n, relates, answer_weak, NULL);
}
void naive_coupled(const struct naive *n, uint32_t *relates) { largest_preorder(n, relates, answer_weak, is_coupled); }

void naive_taustar(const struct naive *n, uint32_t *relates) {
    struct naive star = star_of(n);
    largest_plain(&star, relates, answer_strong);
}

void naive_strong(const struct naive *n, uint32_t *relates) { largest(n, relates, answer_strong); }
void naive_branching(const struct naive *n, uint32_t *relates) { largest(n, relates, answer_branching); }
void naive_weak(const struct naive *n, uint32_t *relates) { largest(n, relates, answer_weak); }

/* States of `within` from which taus can go on for ever without leaving it. */
static uint32_t endless(const struct naive *n, uint32_t within) {
    for (uint32_t before = 0; before != within;) {
        before = within;
        for (uint32_t s = 0; s < n->states; s++)
            if (has(within, s) && !(n->to[0][s] & within)) within &= ~(UINT32_C(1) << s);
    }
    return within;
}

/* What can be had from a state by steps inside its class. */
struct view {
    bool stays;                  /* in the class for ever */
    uint32_t into[NAIVE_LABELS]; /* the states of the classes that edges lead to; by tau: of other classes */
};

static void look(const struct naive *n, const uint32_t *class_of, uint32_t s, struct view *v) {
    uint32_t inside = UINT32_C(1) << s;
    for (uint32_t before = 0; before != inside;) {
        before = inside;
        for (uint32_t u = 0; u < n->states; u++)
            if (has(inside, u)) inside |= n->to[0][u] & class_of[s];
    }
    *v = (struct view){.stays = has(endless(n, class_of[s]), s)};
    for (uint32_t label = 0; label < n->labels; label++) {
        uint32_t targets = 0;
        for (uint32_t u = 0; u < n->states; u++)
            if (has(inside, u)) targets |= n->to[label][u];
        for (uint32_t c = 0; c < n->states; c++)
            if (has(targets, c)) v->into[label] |= class_of[c];
    }
    v->into[0] &= ~class_of[s];
}

/* Divergence inside the class is a matter of classes, so this one refines an equivalence: two states of a class stay
 * together if, by steps inside the class, they get to edges into the same classes, and both or neither can stay in it
 * for ever. */
static bool same_in_class(const struct view *a, const struct view *b) {
    return a->stays == b->stays && memcmp(a->into, b->into, sizeof a->into) == 0;
}

/* The same for weak bisimilarity: two states of a class stay together if they get to the same classes by tau*, and by
 * tau* label tau*, and both or neither can stay in the class for ever. */
static void look_far(const struct naive *n, const uint32_t *class_of, uint32_t s, struct view *v) {
    *v = (struct view){.stays = has(endless(n, class_of[s]), s)};
    for (uint32_t label = 0; label < n->labels; label++) {
        uint32_t targets = label == 0 ? n->taus[s] : after_label(n, n->taus[s], label);
        for (uint32_t c = 0; c < n->states; c++)
            if (has(targets, c)) v->into[label] |= class_of[c];
    }
}

/* Refines classes by what their states see. */
static void divide(const struct naive *n, uint32_t *relates,
                   void (*look_from)(const struct naive *n, const uint32_t *class_of, uint32_t s, struct view *v)) {
    for (uint32_t s = 0; s < n->states; s++) {
        relates[s] = 0;
        for (uint32_t t = 0; t < n->states; t++)
            if (kind(n, s) == kind(n, t)) relates[s] |= UINT32_C(1) << t;
    }
    for (bool changed = true; changed;) {
        uint32_t finer[NAIVE_STATES];
        struct view views[NAIVE_STATES];
        for (uint32_t s = 0; s < n->states; s++) look_from(n, relates, s, &views[s]);
        for (uint32_t s = 0; s < n->states; s++) {
            finer[s] = 0;
            for (uint32_t t = 0; t < n->states; t++)
                if (has(relates[s], t) && same_in_class(&views[s], &views[t])) finer[s] |= UINT32_C(1) << t;
        }
        changed = memcmp(finer, relates, n->states * sizeof *finer) != 0;
        memcpy(relates, finer, n->states * sizeof *finer);
    }
}

void naive_branching_div(const struct naive *n, uint32_t *relates) { divide(n, relates, look); }
void naive_weak_div(const struct naive *n, uint32_t *relates) { divide(n, relates, look_far); }

/* ---- Relations of traces: all pairs of sets of states that the same trace leads to ---- */

struct both {
    const struct naive *n, *m;
};
typedef bool same_sets(const struct both *b, uint32_t set, uint32_t other);

static bool always(const struct both *b, uint32_t s, uint32_t t, same_sets *same) {
    uint64_t *pairs = malloc(sizeof *pairs);
    size_t count = 1, room = 1;
    bool fine = true;
    pairs[0] = (uint64_t)b->n->taus[s] << 32 | b->m->taus[t];
    for (size_t i = 0; i < count && fine; i++) {
        uint32_t set = (uint32_t)(pairs[i] >> 32), other = (uint32_t)pairs[i];
        fine = same(b, set, other);
        for (uint32_t label = 1; label < b->n->labels; label++) {
            uint32_t set_after = after_label(b->n, set, label), other_after = after_label(b->m, other, label);
            uint64_t next = (uint64_t)set_after << 32 | other_after;
            size_t j = 0;
            while (j < count && pairs[j] != next) j++;
            if (j < count || next == 0) continue;
            if (count == room) pairs = realloc(pairs, (room *= 2) * sizeof *pairs);
            pairs[count++] = next;
        }
    }
    free(pairs);
    return fine;
}

static bool both_or_none(const struct both *b, uint32_t set, uint32_t other) {
    (void)b;
    return (set == 0) == (other == 0);
}

bool naive_traces_equal(const struct naive *n, uint32_t s, const struct naive *m, uint32_t t) {
    return always(&(struct both){n, m}, s, t, both_or_none);
}

/* Tau is one more label. */
static struct naive with_visible_tau(const struct naive *n) {
    struct naive shown = *n;
    if (n->labels == NAIVE_LABELS) abort();
    shown.labels++;
    memcpy(shown.to[n->labels], n->to[0], sizeof n->to[0]);
    memset(shown.to[0], 0, sizeof n->to[0]);
    close_taus(&shown);
    return shown;
}

bool naive_strong_traces_equal(const struct naive *n, uint32_t s, const struct naive *m, uint32_t t) {
    struct naive shown = with_visible_tau(n), other = with_visible_tau(m);
    return naive_traces_equal(&shown, s, &other, t);
}

/* The labels that a stable state offers. */
static uint32_t offers(const struct naive *n, uint32_t s) {
    uint32_t set = 0;
    for (uint32_t label = 1; label < n->labels; label++)
        if (n->to[label][s]) set |= UINT32_C(1) << label;
    return set;
}

/* Whatever a stable state of `set` refuses, one of `other` refuses. */
static bool refusals_within(const struct naive *n, uint32_t set, const struct naive *m, uint32_t other) {
    for (uint32_t s = 0; s < n->states; s++) {
        if (!has(set, s) || n->to[0][s]) continue;
        bool found = false;
        for (uint32_t t = 0; t < m->states && !found; t++)
            found = has(other, t) && !m->to[0][t] && !(offers(m, t) & ~offers(n, s));
        if (!found) return false;
    }
    return true;
}

static bool diverges(const struct naive *n, uint32_t set) { return endless(n, (UINT32_C(1) << n->states) - 1) & set; }

static bool same_failures(const struct both *b, uint32_t set, uint32_t other) {
    return both_or_none(b, set, other) && diverges(b->n, set) == diverges(b->m, other) &&
           refusals_within(b->n, set, b->m, other) && refusals_within(b->m, other, b->n, set);
}

bool naive_failures_equal(const struct naive *n, uint32_t s, const struct naive *m, uint32_t t) {
    return always(&(struct both){n, m}, s, t, same_failures);
}

bool naive_strong_failures_equal(const struct naive *n, uint32_t s, const struct naive *m, uint32_t t) {
    struct naive shown = with_visible_tau(n), other = with_visible_tau(m);
    return naive_failures_equal(&shown, s, &other, t);
}

static bool first_within_second(const struct both *b, uint32_t set, uint32_t other) {
    (void)b;
    return set == 0 || other != 0;
}

/* For every state of `set` there is one of `other` that can execute no more. */
static bool tree_refusals_within(const struct naive *n, uint32_t set, const struct naive *m, uint32_t other) {
    for (uint32_t s = 0; s < n->states; s++) {
        bool found = !has(set, s);
        for (uint32_t t = 0; t < m->states && !found; t++)
            found = has(other, t) && always(&(struct both){m, n}, t, s, first_within_second);
        if (!found) return false;
    }
    return true;
}

static bool same_tree_failures(const struct both *b, uint32_t set, uint32_t other) {
    return both_or_none(b, set, other) && tree_refusals_within(b->n, set, b->m, other) &&
           tree_refusals_within(b->m, other, b->n, set);
}

bool naive_tree_failures_equal(const struct naive *n, uint32_t s, const struct naive *m, uint32_t t) {
    return always(&(struct both){n, m}, s, t, same_tree_failures);
}
