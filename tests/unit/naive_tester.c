#include "naive_tester.h"

#include <stdlib.h>
#include <string.h>

enum { LABELS = 16, PAIRS = NAIVE_SYSTEM * NAIVE_TESTER, WORDS = (PAIRS + 63) / 64 };

struct naive_pair {
    const struct lts *p;
    const struct tester *t;
    uint32_t own[LABELS];          /* by label of the tester: that of the system, or LTS_NONE; [0] is not used */
    uint64_t silent[NAIVE_SYSTEM]; /* states that invisible steps lead to, with the state itself */
    bool diverges[NAIVE_SYSTEM];   /* invisible steps for ever */
    uint32_t taus[NAIVE_TESTER];   /* tau* of the tester */
    bool invisible[LABELS * 4];    /* by label of the system */
};

static bool is_invisible(const struct naive_pair *n, uint32_t label) { return n->invisible[label]; }

/* ---- Closures ---- */

static void close_silent(struct naive_pair *n) {
    const struct lts *p = n->p;
    for (uint32_t s = 0; s < p->states; s++) {
        n->silent[s] = UINT64_C(1) << s;
        for (bool more = true; more;) {
            uint64_t before = n->silent[s];
            for (uint32_t u = 0; u < p->states; u++)
                for (const struct lts_edge *e = lts_begin(p, u); e < lts_end(p, u); e++)
                    if (n->silent[s] >> u & 1 && is_invisible(n, e->label)) n->silent[s] |= UINT64_C(1) << e->target;
            more = n->silent[s] != before;
        }
    }
    /* By definition: there is an invisible way of as many steps as there are states. */
    for (uint32_t s = 0; s < p->states; s++) {
        uint64_t now = UINT64_C(1) << s;
        for (uint32_t i = 0; i < p->states; i++) {
            uint64_t next = 0;
            for (uint32_t u = 0; u < p->states; u++)
                for (const struct lts_edge *e = lts_begin(p, u); e < lts_end(p, u); e++)
                    if (now >> u & 1 && is_invisible(n, e->label)) next |= UINT64_C(1) << e->target;
            now = next;
        }
        n->diverges[s] = now != 0;
    }
}

static void close_tester(struct naive_pair *n) {
    const struct lts *l = &n->t->lts;
    for (uint32_t s = 0; s < l->states; s++) {
        n->taus[s] = 1u << s;
        for (uint32_t round = 0; round < l->states; round++)
            for (uint32_t u = 0; u < l->states; u++)
                for (const struct lts_edge *e = lts_begin(l, u); e < lts_end(l, u); e++)
                    if (n->taus[s] >> u & 1 && e->label == LTS_TAU) n->taus[s] |= 1u << e->target;
    }
}

static uint64_t system_after(const struct naive_pair *n, uint64_t from, uint32_t label) {
    uint64_t to = 0;
    if (n->own[label] == LTS_NONE) return 0;
    for (uint32_t u = 0; u < n->p->states; u++)
        for (const struct lts_edge *e = lts_begin(n->p, u); e < lts_end(n->p, u); e++)
            if (from >> u & 1 && e->label == n->own[label]) to |= n->silent[e->target];
    return to;
}

static uint32_t tester_after(const struct naive_pair *n, uint32_t from, uint32_t label) {
    const struct lts *l = &n->t->lts;
    uint32_t to = 0;
    for (uint32_t u = 0; u < l->states; u++)
        for (const struct lts_edge *e = lts_begin(l, u); e < lts_end(l, u); e++)
            if (from >> u & 1 && e->label == label) to |= n->taus[e->target];
    return to;
}

/* ---- After one trace ---- */

/* The visible labels, by number of the tester, that a state of the system has; bit 0: something invisible. */
static uint32_t next_of(const struct naive_pair *n, uint32_t s) {
    uint32_t next = 0;
    for (const struct lts_edge *e = lts_begin(n->p, s); e < lts_end(n->p, s); e++) {
        if (is_invisible(n, e->label)) next |= 1;
        for (uint32_t l = 1; l < n->t->lts.labels.count; l++)
            if (n->own[l] == e->label) next |= 1u << l;
    }
    return next;
}

static unsigned illegal_after(const struct naive_pair *n, uint64_t system, uint32_t tester) {
    unsigned found = 0;
    for (uint32_t q = 0; q < n->t->lts.states; q++) {
        uint32_t offers = 0;
        if (!(tester >> q & 1)) continue;
        found |= n->t->kinds[q] & TESTER_REJECT;
        for (const struct lts_edge *e = lts_begin(&n->t->lts, q); e < lts_end(&n->t->lts, q); e++)
            offers |= 1u << e->label;
        for (uint32_t s = 0; s < n->p->states; s++) {
            if (!(system >> s & 1)) continue;
            if (n->diverges[s]) found |= n->t->kinds[q] & TESTER_LIVELOCK;
            uint32_t next = next_of(n, s);
            if (!(next & 1) && !(next & offers)) found |= n->t->kinds[q] & TESTER_DEADLOCK;
        }
    }
    return found;
}

static unsigned illegal_traces(const struct naive_pair *n) {
    struct sets {
        uint64_t system;
        uint32_t tester;
    } *met = NULL;
    size_t count = 0, room = 0;
    unsigned found = 0;
    uint64_t system = n->silent[n->p->initial];
    uint32_t tester = n->taus[n->t->lts.initial];
    for (size_t i = 0, label = 0;;) {
        size_t k = 0;
        while (k < count && (met[k].system != system || met[k].tester != tester)) k++;
        if (k == count && system && tester) {
            if (count == room) met = realloc(met, (room = 2 * room + 64) * sizeof *met);
            met[count++] = (struct sets){system, tester};
            found |= illegal_after(n, system, tester);
        }
        if (++label >= n->t->lts.labels.count) {
            label = 1;
            i++;
        }
        if (n->t->lts.labels.count < 2 || i >= count) break;
        system = system_after(n, met[i].system, (uint32_t)label);
        tester = tester_after(n, met[i].tester, (uint32_t)label);
    }
    free(met);
    return found;
}

/* ---- Infinite traces ---- */

struct seen_steps {
    const struct naive_pair *n;
    uint64_t step[PAIRS][WORDS], good[PAIRS][WORDS]; /* by one visible action; and through a monitor */
};

/* Ways of the tester by tau* a tau*: marks where they lead, and whether a monitor was on the way, but for its start. */
static void walk(const struct lts *l, const uint8_t *kinds, uint32_t q, uint32_t label, bool done, bool good,
                 uint32_t *plain, uint32_t *marked) {
    if (done && good) *marked |= 1u << q;
    if (done) *plain |= 1u << q;
    for (const struct lts_edge *e = lts_begin(l, q); e < lts_end(l, q); e++) {
        bool better = good || (kinds[e->target] & TESTER_INFINITE);
        if (e->label == LTS_TAU) walk(l, kinds, e->target, label, done, better, plain, marked);
        else if (e->label == label && !done) walk(l, kinds, e->target, label, true, better, plain, marked);
    }
}

static void make_steps(struct seen_steps *x) {
    const struct naive_pair *n = x->n;
    uint32_t tester = n->t->lts.states;
    for (uint32_t q = 0; q < tester; q++)
        for (uint32_t label = 1; label < n->t->lts.labels.count; label++) {
            uint32_t plain = 0, marked = 0;
            walk(&n->t->lts, n->t->kinds, q, label, false, false, &plain, &marked);
            for (uint32_t s = 0; s < n->p->states; s++) {
                uint64_t to = system_after(n, n->silent[s], label);
                for (uint32_t i = 0; i < n->p->states * tester; i++) {
                    if (!(to >> i / tester & 1)) continue;
                    if (plain >> i % tester & 1) x->step[s * tester + q][i / 64] |= UINT64_C(1) << i % 64;
                    if (marked >> i % tester & 1) x->good[s * tester + q][i / 64] |= UINT64_C(1) << i % 64;
                }
            }
        }
}

static bool has(const uint64_t *set, uint32_t i) { return set[i / 64] >> i % 64 & 1; }

static bool illegal_infinite(const struct naive_pair *n) {
    static struct seen_steps x;
    uint32_t nodes = n->p->states * n->t->lts.states, start = n->p->initial * n->t->lts.states + n->t->lts.initial;
    memset(&x, 0, sizeof x);
    x.n = n;
    make_steps(&x);
    for (uint32_t k = 0; k < nodes; k++) /* now step is its own transitive closure */
        for (uint32_t i = 0; i < nodes; i++)
            if (has(x.step[i], k))
                for (uint32_t w = 0; w < WORDS; w++) x.step[i][w] |= x.step[k][w];
    for (uint32_t i = 0; i < nodes; i++)
        for (uint32_t j = 0; j < nodes; j++)
            if (has(x.good[i], j) && (i == start || has(x.step[start], i)) && (i == j || has(x.step[j], i)))
                return true;
    return false;
}

unsigned naive_illegal(const struct lts *system, const struct tester *tester) {
    struct naive_pair n = {.p = system, .t = tester};
    for (uint32_t a = 0; a < system->labels.count; a++) n.invisible[a] = true;
    for (uint32_t l = 1; l < tester->lts.labels.count; l++) {
        n.own[l] = names_find(&system->labels, tester->lts.labels.text[l]);
        if (n.own[l] == NAMES_NONE) n.own[l] = LTS_NONE;
        else n.invisible[n.own[l]] = false;
    }
    close_silent(&n);
    close_tester(&n);
    return illegal_traces(&n) | (illegal_infinite(&n) ? TESTER_INFINITE : 0u);
}
