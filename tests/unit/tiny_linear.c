/* Traces, failures, divergences, tree failures, fair testing: all words, up to what they lead to. */
#include "tiny.h"

#include <string.h>

#include "unit.h"

/* What two LTSs may be in after the same word. */
struct situation {
    states x, y;
    bool chaos_x, chaos_y; /* a prefix was a divergence trace */
    uint32_t depth;
};

enum { MOST_SITUATIONS = 8192 };
struct situations {
    struct situation at[MOST_SITUATIONS];
    int count;
};

static void add_situation(struct situations *all, struct situation new) {
    if (!new.x) return;
    for (int i = 0; i < all->count; i++) {
        const struct situation *known = &all->at[i];
        if (known->x == new.x && known->y == new.y && known->chaos_x == new.chaos_x && known->chaos_y == new.chaos_y)
            return;
    }
    assert_true(all->count < MOST_SITUATIONS);
    all->at[all->count++] = new;
}

/* One situation for each word of x, shortest words first, each situation once. */
static const struct situations *situations_of(const struct tiny *x, const struct tiny *y) {
    static struct situations all;
    states div_x = tiny_divergent(x), div_y = tiny_divergent(y);
    int labels = x->labels > y->labels ? x->labels : y->labels;
    states x0 = tiny_close(x, 1), y0 = tiny_close(y, 1);
    all.count = 0;
    add_situation(&all, (struct situation){x0, y0, x0 & div_x, y0 & div_y, 0});
    for (int i = 0; i < all.count; i++)
        for (int a = 1; a < labels; a++) {
            struct situation now = all.at[i];
            now.x = tiny_after(x, now.x, a);
            now.y = tiny_after(y, now.y, a);
            now.chaos_x |= (now.x & div_x) != 0;
            now.chaos_y |= (now.y & div_y) != 0;
            now.depth++;
            add_situation(&all, now);
        }
    return &all;
}

/* A stable state of the set refuses all of the labels. */
static bool refuses(const struct tiny *t, states set, uint32_t labels) {
    for (int s = 0; s < t->count; s++) {
        bool can = !(set >> s & 1) || t->to[s][0];
        for (int a = 1; a < t->labels; a++) can |= (labels >> a & 1) && t->to[s][a];
        if (!can) return true;
    }
    return false;
}

bool tiny_traces(const struct tiny *x, const struct tiny *y, uint32_t *depth) {
    const struct situations *all = situations_of(x, y);
    for (int i = 0; i < all->count; i++)
        if (!all->at[i].y) return *depth = all->at[i].depth, false;
    return true;
}

bool tiny_strong_traces(const struct tiny *x, const struct tiny *y, uint32_t *depth) {
    struct tiny shown_x = tiny_with_visible_tau(x), shown_y = tiny_with_visible_tau(y);
    return tiny_traces(&shown_x, &shown_y, depth);
}

static bool all_failures(const struct tiny *x, const struct tiny *y, const struct situation *at, bool chaos) {
    for (uint32_t labels = 0; labels < 1u << TINY_LABELS; labels += 2) {
        bool fx = refuses(x, at->x, labels) || (chaos && at->chaos_x);
        bool fy = refuses(y, at->y, labels) || (chaos && at->chaos_y);
        if (fx && !fy) return false;
    }
    return true;
}

bool tiny_stable_failures(const struct tiny *x, const struct tiny *y, uint32_t *depth) {
    const struct situations *all = situations_of(x, y);
    for (int i = 0; i < all->count; i++)
        if (!all_failures(x, y, &all->at[i], false)) return *depth = all->at[i].depth, false;
    return true;
}

/* Some state of the set gets by no tau* a to anywhere, for none of the labels. */
static bool refuses_for_ever(const struct tiny *t, states set, uint32_t labels) {
    for (int s = 0; s < t->count; s++) {
        bool can = !(set >> s & 1);
        for (int a = 1; a < t->labels; a++) can |= (labels >> a & 1) && tiny_after(t, 1u << s, a);
        if (!can) return true;
    }
    return false;
}

bool tiny_ordinary_failures(const struct tiny *x, const struct tiny *y, uint32_t *depth) {
    const struct situations *all = situations_of(x, y);
    for (int i = 0; i < all->count; i++)
        for (uint32_t labels = 0; labels < 1u << TINY_LABELS; labels += 2)
            if (refuses_for_ever(x, all->at[i].x, labels) && !refuses_for_ever(y, all->at[i].y, labels))
                return *depth = all->at[i].depth, false;
    return true;
}

bool tiny_csp_stable_failures(const struct tiny *x, const struct tiny *y, uint32_t *depth) {
    const struct situations *all = situations_of(x, y);
    for (int i = 0; i < all->count; i++)
        if (!all->at[i].y || !all_failures(x, y, &all->at[i], false)) return *depth = all->at[i].depth, false;
    return true;
}

bool tiny_strong_failures(const struct tiny *x, const struct tiny *y, uint32_t *depth) {
    struct tiny shown_x = tiny_with_visible_tau(x), shown_y = tiny_with_visible_tau(y);
    return tiny_csp_stable_failures(&shown_x, &shown_y, depth);
}

bool tiny_ndfd(const struct tiny *x, const struct tiny *y, uint32_t *depth) {
    const struct situations *all = situations_of(x, y);
    states div_x = tiny_divergent(x), div_y = tiny_divergent(y);
    for (int i = 0; i < all->count; i++) {
        const struct situation *at = &all->at[i];
        bool may_x = at->x & div_x, may_y = at->y & div_y;
        if (!at->y || (may_x && !may_y) || (!may_y && !all_failures(x, y, at, false))) return *depth = at->depth, false;
    }
    return true;
}

bool tiny_cffd(const struct tiny *x, const struct tiny *y, uint32_t *depth) {
    const struct situations *all = situations_of(x, y);
    states div_x = tiny_divergent(x), div_y = tiny_divergent(y);
    for (int i = 0; i < all->count; i++) {
        const struct situation *at = &all->at[i];
        if (!all_failures(x, y, at, false) || ((at->x & div_x) && !(at->y & div_y))) return *depth = at->depth, false;
    }
    return true;
}

bool tiny_failures_divergences(const struct tiny *x, const struct tiny *y, uint32_t *depth) {
    const struct situations *all = situations_of(x, y);
    for (int i = 0; i < all->count; i++) {
        const struct situation *at = &all->at[i];
        if (!all_failures(x, y, at, true) || (at->chaos_x && !at->chaos_y)) return *depth = at->depth, false;
    }
    return true;
}

/* Tr(r of x) is a part of Tr(s of y): no word leads to the empty set on the right alone. */
static bool traces_included(const struct tiny *x, int r, const struct tiny *y, int s) {
    struct {
        states x, y;
    } seen[4096];
    int count = 1;
    seen[0].x = tiny_close(x, 1u << r);
    seen[0].y = tiny_close(y, 1u << s);
    for (int i = 0; i < count; i++)
        for (int a = 1; a < x->labels; a++) {
            states nx = tiny_after(x, seen[i].x, a), ny = tiny_after(y, seen[i].y, a);
            bool known = !nx;
            if (nx && !ny) return false;
            for (int k = 0; k < count && !known; k++) known = seen[k].x == nx && seen[k].y == ny;
            if (known) continue;
            assert_true(count < 4096);
            seen[count].x = nx;
            seen[count++].y = ny;
        }
    return true;
}

/* K is what s can not do; a state of y refuses it iff it can do no more than s. */
bool tiny_tree_failures(const struct tiny *x, const struct tiny *y, uint32_t *depth) {
    const struct situations *all = situations_of(x, y);
    for (int i = 0; i < all->count; i++)
        for (int s = 0; s < x->count; s++) {
            bool matched = !(all->at[i].x >> s & 1);
            for (int r = 0; r < y->count && !matched; r++)
                matched = (all->at[i].y >> r & 1) && traces_included(y, r, x, s);
            if (!matched) return *depth = all->at[i].depth, false;
        }
    return true;
}

/* ---- Fair testing ---- */

/* Nodes (A, B) from a start, and every set of them as a description of K. Edges to nodes with A or B empty: END, NO. */
enum { MOST_NODES = 13, END = -1, NO = -2 };
struct nodes {
    struct {
        states a, b;
        int to[TINY_LABELS];
    } at[MOST_NODES];
    int count, labels;
};

static int node_of(struct nodes *n, states a, states b, bool *too_many) {
    if (!b) return NO;
    if (!a) return END;
    for (int i = 0; i < n->count; i++)
        if (n->at[i].a == a && n->at[i].b == b) return i;
    if (n->count == MOST_NODES) return *too_many = true, NO;
    n->at[n->count].a = a;
    n->at[n->count].b = b;
    return n->count++;
}

static bool nodes_from(struct nodes *n, const struct tiny *x, states a, const struct tiny *y, states b) {
    bool too_many = false;
    n->count = 0;
    n->labels = x->labels;
    node_of(n, a, b, &too_many);
    for (int i = 0; i < n->count; i++)
        for (int l = 1; l < x->labels; l++)
            n->at[i].to[l] = node_of(n, tiny_after(x, n->at[i].a, l), tiny_after(y, n->at[i].b, l), &too_many);
    return !too_many;
}

/* For each node of the set, the states of y that can do a word of its K: through nodes of the set, to END. */
static void able_states(const struct nodes *n, uint32_t set, const struct tiny *y, states *able) {
    memset(able, 0, MOST_NODES * sizeof *able);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < n->count; i++)
            for (int r = 0; r < y->count && set >> i & 1; r++) {
                if (able[i] >> r & 1) continue;
                bool can = false;
                for (int l = 1; l < y->labels; l++) {
                    states next = tiny_after(y, 1u << r, l);
                    int to = n->at[i].to[l];
                    can |= next && (to == END || (to >= 0 && (set >> to & 1) && (next & able[to])));
                }
                if (can) able[i] |= 1u << r, changed = true;
            }
    }
}

/* Prefixes of K lead to nodes of the set, from the start, from which END can be reached in the set. */
static uint32_t prefix_nodes(const struct nodes *n, uint32_t set) {
    uint32_t live = 0, reached = set & 1;
    for (int round = 0; round <= n->count; round++)
        for (int i = 0; i < n->count; i++)
            for (int l = 1; l < n->labels && set >> i & 1; l++) {
                int to = n->at[i].to[l];
                if (to == END || (to >= 0 && (live >> to & 1))) live |= 1u << i;
                if ((reached >> i & 1) && to >= 0 && (set >> to & 1)) reached |= 1u << to;
            }
    return live & reached;
}

/* Is (w, K) of this set a tree failure up to a prefix of y? It is one of x, since K leads to A empty. */
static bool set_refutes(const struct nodes *n, uint32_t set, const struct tiny *y) {
    states able[MOST_NODES];
    uint32_t prefixes = prefix_nodes(n, set);
    if (!(prefixes & 1)) return false; /* K is empty */
    able_states(n, set, y, able);
    for (int i = 0; i < n->count; i++)
        if ((prefixes >> i & 1) && (n->at[i].b & ~able[i])) return false;
    return true;
}

bool tiny_fair_testing(const struct tiny *x, const struct tiny *y, uint32_t *depth, bool *known) {
    const struct situations *all = situations_of(x, y);
    *known = true;
    for (int i = 0; i < all->count; i++) {
        if (!all->at[i].y) return *depth = all->at[i].depth, false;
        for (int s = 0; s < x->count; s++) {
            struct nodes n = {0};
            if (!(all->at[i].x >> s & 1)) continue;
            if (!nodes_from(&n, x, tiny_close(x, 1u << s), y, all->at[i].y)) {
                *known = false;
                return true;
            }
            for (uint32_t set = 1; set < 1u << n.count; set += 2)
                if (set_refutes(&n, set, y)) return *depth = all->at[i].depth, false;
        }
    }
    return true;
}

/* For each DFA state q, the states of t that can do a word which q accepts. */
static void able_for_dfa(const struct tiny *t, const struct dfa *k, states *able) {
    for (int q = 0; q < k->count; q++) able[q] = k->accepting >> q & 1 ? (1u << t->count) - 1 : 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int q = 0; q < k->count; q++)
            for (int s = 0; s < t->count; s++)
                for (int a = 1; a < t->labels && !(able[q] >> s & 1); a++)
                    if (tiny_after(t, 1u << s, a) & able[k->next[q][a]]) able[q] |= 1u << s, changed = true;
    }
}

static uint32_t live_of(const struct dfa *k, int labels) {
    uint32_t live = k->accepting;
    for (int round = 0; round < k->count; round++)
        for (int q = 0; q < k->count; q++)
            for (int a = 1; a < labels; a++)
                if (live >> k->next[q][a] & 1) live |= 1u << q;
    return live;
}

/* No state of y after w and a prefix of K refuses what is left of K. */
static bool never_refused(const struct tiny *y, states b, const struct dfa *k, const states *able, uint32_t live) {
    struct {
        states b;
        int q;
    } seen[1024];
    int count = 1;
    seen[0].b = b;
    seen[0].q = 0;
    for (int i = 0; i < count; i++) {
        if (seen[i].b & ~able[seen[i].q]) return false;
        for (int a = 1; a < y->labels; a++) {
            states nb = tiny_after(y, seen[i].b, a);
            int q = k->next[seen[i].q][a];
            bool known = !nb || !(live >> q & 1);
            for (int j = 0; j < count && !known; j++) known = seen[j].b == nb && seen[j].q == q;
            if (known) continue;
            assert_true(count < 1024);
            seen[count].b = nb;
            seen[count++].q = q;
        }
    }
    return true;
}

bool tiny_fair_refuted(const struct tiny *x, const struct tiny *y, const struct dfa *k) {
    states able_x[DFA_STATES], able_y[DFA_STATES];
    uint32_t live = live_of(k, x->labels);
    if (!(live & 1) || (k->accepting & 1)) return false; /* K is empty, or has the empty word */
    able_for_dfa(x, k, able_x);
    able_for_dfa(y, k, able_y);
    const struct situations *all = situations_of(x, y);
    for (int i = 0; i < all->count; i++)
        if ((all->at[i].x & ~able_x[0]) && never_refused(y, all->at[i].y, k, able_y, live)) return true;
    return false;
}

bool tiny_fails_test(const struct tiny *t, const struct tiny *tester, states success) {
    bool reached[TINY_STATES][TINY_STATES] = {{false}}, hope[TINY_STATES][TINY_STATES] = {{false}};
    reached[0][0] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (int s = 0; s < t->count; s++)
            for (int z = 0; z < tester->count; z++) {
                if ((success >> z & 1) && !hope[s][z]) hope[s][z] = changed = true;
                for (int a = 0; a < TINY_LABELS; a++)
                    for (int s2 = 0; s2 < t->count; s2++)
                        for (int z2 = 0; z2 < tester->count; z2++) {
                            bool st = t->to[s][a] >> s2 & 1, zt = tester->to[z][a] >> z2 & 1;
                            bool go = a ? st && zt : (st && z == z2) || (zt && s == s2);
                            if (!go) continue;
                            if (reached[s][z] && !reached[s2][z2]) reached[s2][z2] = changed = true;
                            if (hope[s2][z2] && !hope[s][z]) hope[s][z] = changed = true;
                        }
            }
    }
    for (int s = 0; s < t->count; s++)
        for (int z = 0; z < tester->count; z++)
            if (reached[s][z] && !hope[s][z]) return true;
    return false;
}
