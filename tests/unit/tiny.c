#include "tiny.h"

#include <stdio.h>
#include <string.h>

#include "unit.h"

void tiny_seed(uint64_t seed) { random_start(seed); }

static uint32_t chance(uint32_t n) { return random_below(n); }

struct tiny tiny_random(int count, int labels, uint32_t edges, uint32_t percent_tau) {
    struct tiny t = {.count = count, .labels = labels};
    for (uint32_t i = 0; i < edges; i++) {
        int label = labels == 1 || chance(100) < percent_tau ? 0 : 1 + (int)chance((uint32_t)labels - 1);
        t.to[chance((uint32_t)count)][label] |= 1u << chance((uint32_t)count);
    }
    return t;
}

/* One change or two: an edge more or less, a label changed, a state doubled, a tau put before a state. */
static void mutate(struct tiny *t) {
    uint32_t s = chance((uint32_t)t->count), r = chance((uint32_t)t->count), label = chance((uint32_t)t->labels);
    switch (chance(5)) {
    case 0: t->to[s][label] |= 1u << r; break;
    case 1: t->to[s][label] &= t->to[s][label] - 1; break;
    case 2: /* a copy of s, with an edge to it where there was one to s */
        if (t->count >= 6) break;
        memcpy(t->to[t->count], t->to[s], sizeof t->to[s]);
        for (int a = 0; a < t->labels; a++)
            if (t->to[r][a] >> s & 1) t->to[r][a] |= 1u << t->count;
        t->count++;
        break;
    case 3: /* s first does tau, then what it did */
        if (t->count >= 6) break;
        memcpy(t->to[t->count], t->to[s], sizeof t->to[s]);
        memset(t->to[s], 0, sizeof t->to[s]);
        t->to[s][0] = 1u << t->count++;
        break;
    default: t->to[s][0] |= 1u << s; break; /* divergence */
    }
}

struct tiny tiny_mutant(const struct tiny *t) {
    struct tiny m = *t;
    for (uint32_t n = 1 + chance(2); n > 0; n--) mutate(&m);
    return m;
}

void tiny_losing(const struct tiny *t, struct tiny *early, struct tiny *late) {
    *late = (struct tiny){.count = 2 * t->count, .labels = t->labels};
    for (int s = 0; s < t->count; s++)
        for (int a = 0; a < t->labels; a++) {
            late->to[s][a] = t->to[s][a];
            late->to[t->count + s][a] = t->to[s][a] << t->count;
        }
    for (uint32_t n = 1 + chance(3); n > 0; n--) {
        states *to = &late->to[t->count + (int)chance((uint32_t)t->count)][chance((uint32_t)t->labels)];
        *to &= *to - 1;
    }
    for (int s = 1; s < t->count; s++)
        if (chance(100) < 80) late->to[s][0] |= 1u << (t->count + s);
    *early = *late;
    early->to[0][0] |= 1u << t->count;
}

static const char *const label_name[TINY_LABELS] = {"tau", "a", "b", "c", "d"};

void tiny_lts(const struct tiny *t, struct lts *out) {
    struct lts_builder b;
    lts_build(&b);
    for (int a = 1; a < t->labels; a++) names_add(&b.labels, label_name[a]);
    for (int s = 0; s < t->count; s++)
        for (int a = 0; a < t->labels; a++)
            for (int r = 0; r < t->count; r++)
                if (t->to[s][a] >> r & 1) lts_build_edge(&b, (uint32_t)s, (uint32_t)a, (uint32_t)r);
    b.states = (uint32_t)t->count;
    lts_build_finish(&b, out);
}

struct tiny tiny_from_lts(const struct lts *l) {
    struct tiny t = {.count = (int)l->states, .labels = (int)l->labels.count};
    assert_true(l->initial == 0 && l->states <= TINY_STATES && l->labels.count <= TINY_LABELS);
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) t.to[s][e->label] |= 1u << e->target;
    return t;
}

void tiny_print(const char *name, const struct tiny *t) {
    printf("%s:", name);
    for (int s = 0; s < t->count; s++)
        for (int a = 0; a < t->labels; a++)
            for (int r = 0; r < t->count; r++)
                if (t->to[s][a] >> r & 1) printf(" %d-%s->%d", s, label_name[a], r);
    printf(" (%d states)\n", t->count);
}

struct tiny tiny_read(const char *text) {
    struct tiny t = {.count = 1, .labels = 1};
    int from, to, length;
    char name[8];
    for (; sscanf(text, " %d-%7[a-z]->%d%n", &from, name, &to, &length) == 3; text += length) {
        int label = 0;
        while (strcmp(label_name[label], name) != 0) label++;
        t.to[from][label] |= 1u << to;
        if (from >= t.count) t.count = from + 1;
        if (to >= t.count) t.count = to + 1;
        if (label >= t.labels) t.labels = label + 1;
    }
    return t;
}

/* ---- Operators ---- */

struct tiny tiny_parallel(const struct tiny *x, const struct tiny *y, uint32_t synchronised) {
    int labels = x->labels > y->labels ? x->labels : y->labels;
    struct tiny t = {.count = x->count * y->count, .labels = labels};
    for (int s = 0; s < x->count; s++)
        for (int r = 0; r < y->count; r++)
            for (int a = 0; a < labels; a++)
                for (int s2 = 0; s2 < x->count; s2++)
                    for (int r2 = 0; r2 < y->count; r2++) {
                        bool sx = x->to[s][a] >> s2 & 1, ry = y->to[r][a] >> r2 & 1;
                        bool go = synchronised >> a & 1 ? sx && ry : (sx && r == r2) || (ry && s == s2);
                        if (go) t.to[s * y->count + r][a] |= 1u << (s2 * y->count + r2);
                    }
    return t;
}

struct tiny tiny_hide(const struct tiny *t, uint32_t labels) {
    struct tiny h = *t;
    for (int s = 0; s < t->count; s++)
        for (int a = 1; a < t->labels; a++)
            if (labels >> a & 1) {
                h.to[s][0] |= h.to[s][a];
                h.to[s][a] = 0;
            }
    return h;
}

struct tiny tiny_rename(const struct tiny *t, const int *new_label) {
    struct tiny n = {.count = t->count, .labels = t->labels};
    for (int s = 0; s < t->count; s++)
        for (int a = 0; a < t->labels; a++) n.to[s][a ? new_label[a] : 0] |= t->to[s][a];
    return n;
}

struct tiny tiny_with_tau_loop(const struct tiny *t) {
    struct tiny n = *t;
    for (int s = 0; s < t->count; s++) n.to[s][0] |= 1u << s;
    return n;
}

struct tiny tiny_prefix(const struct tiny *t, int label) {
    struct tiny n = {.count = t->count + 1, .labels = t->labels};
    n.to[0][label] = 2;
    for (int s = 0; s < t->count; s++)
        for (int a = 0; a < t->labels; a++) n.to[s + 1][a] = t->to[s][a] << 1;
    return n;
}

/* ---- Words, up to what they lead to ---- */

states tiny_close(const struct tiny *t, states set) {
    for (states before = 0; before != set;) {
        before = set;
        for (int s = 0; s < t->count; s++)
            if (set >> s & 1) set |= t->to[s][0];
    }
    return set;
}

states tiny_after(const struct tiny *t, states set, int label) {
    states next = 0;
    set = tiny_close(t, set);
    for (int s = 0; s < t->count; s++)
        if (set >> s & 1) next |= t->to[s][label];
    return tiny_close(t, next);
}

/* States with an endless tau path. */
static states divergent(const struct tiny *t) {
    states left = (1u << t->count) - 1;
    for (states before = 0; before != left;) {
        before = left;
        for (int s = 0; s < t->count; s++)
            if (!(t->to[s][0] & left)) left &= ~(1u << s);
    }
    return left;
}

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
    states div_x = divergent(x), div_y = divergent(y);
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

bool tiny_cffd(const struct tiny *x, const struct tiny *y, uint32_t *depth) {
    const struct situations *all = situations_of(x, y);
    states div_x = divergent(x), div_y = divergent(y);
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

/* ---- Bisimulations: relations between states, made smaller until they are right ---- */

/* Both in one; the initial state of y is x->count. */
static struct tiny side_by_side(const struct tiny *x, const struct tiny *y) {
    struct tiny t = {.count = x->count + y->count, .labels = x->labels > y->labels ? x->labels : y->labels};
    assert_true(t.count <= TINY_STATES);
    memcpy(t.to, x->to, sizeof t.to);
    for (int s = 0; s < y->count; s++)
        for (int a = 0; a < y->labels; a++) t.to[x->count + s][a] = y->to[s][a] << x->count;
    return t;
}

/* related[s]: the states that s is related to. */
typedef states answers(const struct tiny *t, const states *related, int s, int r, int label);

static states strong_answers(const struct tiny *t, const states *related, int s, int r, int label) {
    (void)related, (void)s;
    return t->to[r][label];
}
static states weak_answers(const struct tiny *t, const states *related, int s, int r, int label) {
    (void)related, (void)s;
    return label ? tiny_after(t, 1u << r, label) : tiny_close(t, 1u << r);
}
/* r goes by tau to where s is related, and from there by the label; or stays if that is tau. */
static states branching_answers(const struct tiny *t, const states *related, int s, int r, int label) {
    states from = tiny_close(t, 1u << r) & related[s], to = label ? 0 : 1u << r;
    for (int q = 0; q < t->count; q++)
        if (from >> q & 1) to |= t->to[q][label];
    return to;
}

/* Each step of s has an answer of r that leads to related states. */
static bool answered(const struct tiny *t, const states *related, int s, int r, answers *answer) {
    for (int a = 0; a < t->labels; a++)
        for (int s2 = 0; s2 < t->count; s2++)
            if ((t->to[s][a] >> s2 & 1) && !(answer(t, related, s, r, a) & related[s2])) return false;
    return true;
}

static bool related(const struct tiny *x, const struct tiny *y, answers *answer, bool both_ways) {
    struct tiny t = side_by_side(x, y);
    states rel[TINY_STATES];
    for (int s = 0; s < t.count; s++) rel[s] = (1u << t.count) - 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (int s = 0; s < t.count; s++)
            for (int r = 0; r < t.count; r++) {
                if (!(rel[s] >> r & 1)) continue;
                if (answered(&t, rel, s, r, answer) && (!both_ways || answered(&t, rel, r, s, answer))) continue;
                rel[s] &= ~(1u << r);
                if (both_ways) rel[r] &= ~(1u << s);
                changed = true;
            }
    }
    return rel[0] >> x->count & 1;
}

bool tiny_strong(const struct tiny *x, const struct tiny *y) { return related(x, y, strong_answers, true); }
bool tiny_weak(const struct tiny *x, const struct tiny *y) { return related(x, y, weak_answers, true); }
bool tiny_branching(const struct tiny *x, const struct tiny *y) { return related(x, y, branching_answers, true); }
bool tiny_simulated(const struct tiny *x, const struct tiny *y) { return related(x, y, strong_answers, false); }
bool tiny_weakly_simulated(const struct tiny *x, const struct tiny *y) { return related(x, y, weak_answers, false); }

/* With divergence, relations do not simply shrink; so every equivalence relation is tried. class_of[s] <= s. */
static states loops_inside(const struct tiny *t, states class) {
    struct tiny inside = {.count = t->count, .labels = 1};
    for (int s = 0; s < t->count; s++)
        if (class >> s & 1) inside.to[s][0] = t->to[s][0] & class;
    return divergent(&inside);
}

static bool is_branching_div(const struct tiny *t, const int *class_of) {
    states rel[TINY_STATES] = {0};
    for (int s = 0; s < t->count; s++)
        for (int r = 0; r < t->count; r++)
            if (class_of[s] == class_of[r]) rel[s] |= 1u << r;
    for (int s = 0; s < t->count; s++) {
        states loops = loops_inside(t, rel[s]);
        if (loops && loops != rel[s]) return false;
        for (int r = 0; r < t->count; r++)
            if ((rel[s] >> r & 1) && !answered(t, rel, s, r, branching_answers)) return false;
    }
    return true;
}

/* Tries every class for states s, s + 1, ... */
static bool some_division(const struct tiny *t, int *class_of, int s, int one, int other) {
    if (s == t->count) return class_of[one] == class_of[other] && is_branching_div(t, class_of);
    for (int c = 0; c <= s; c++) {
        if (c < s && class_of[c] != c) continue; /* a class is named by its first state */
        class_of[s] = c;
        if (some_division(t, class_of, s + 1, one, other)) return true;
    }
    return false;
}

bool tiny_branching_div(const struct tiny *x, const struct tiny *y) {
    struct tiny t = side_by_side(x, y);
    int class_of[TINY_STATES];
    assert_true(t.count <= 8);
    return some_division(&t, class_of, 0, 0, x->count);
}
