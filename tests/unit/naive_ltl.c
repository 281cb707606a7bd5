#include "naive_ltl.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_PARTS = 60 };

struct tree *tree_new(char op, struct tree *left, struct tree *right) {
    struct tree *t = memory_get_zeroed(sizeof *t);
    *t = (struct tree){.op = op, .left = left, .right = right};
    return t;
}

struct tree *tree_proposition(int p) {
    struct tree *t = tree_new('p', NULL, NULL);
    t->p = p;
    return t;
}

struct tree *tree_copy(const struct tree *t) {
    if (!t) return NULL;
    struct tree *c = tree_new(t->op, tree_copy(t->left), tree_copy(t->right));
    c->p = t->p;
    return c;
}

static bool is_temporal(char op) { return strchr("XFGUWRM", op) != NULL; }

int naive_temporal(const struct tree *t) {
    return t ? is_temporal(t->op) + naive_temporal(t->left) + naive_temporal(t->right) : 0;
}

struct part {
    char op;
    int p, left, right, guess; /* numbers of parts; `guess`: of temporal ones, which bit */
};

struct tableau {
    const struct graph *g;
    struct part part[MOST_PARTS];
    int parts, guesses;
    uint32_t nodes;
    uint64_t *value; /* of each node: which parts hold */
    uint32_t row;    /* words in a row of: */
    uint64_t *reach; /* [a * row], bit b: from a to b, in one step or more */
    const uint32_t *below;
    uint32_t fair_transitions; /* 0: all executions count */
};

static int flatten(struct tableau *x, const struct tree *t) {
    int left = t->left ? flatten(x, t->left) : 0, right = t->right ? flatten(x, t->right) : 0;
    if (x->parts == MOST_PARTS) abort();
    x->part[x->parts] = (struct part){t->op, t->p, left, right, is_temporal(t->op) ? x->guesses++ : -1};
    return x->parts++;
}

static bool part_holds(const struct part *f, uint64_t known, uint64_t propositions, uint32_t guesses) {
    bool l = known >> f->left & 1, r = known >> f->right & 1, n = f->guess >= 0 && (guesses >> f->guess & 1);
    switch (f->op) {
    case '0': return false;
    case '1': return true;
    case 'p': return propositions >> f->p & 1;
    case '!': return !l;
    case '&': return l && r;
    case '|': return l || r;
    case '>': return !l || r;
    case '=': return l == r;
    case '^': return l != r;
    case 'X': return n;
    case 'F': return l || n;
    case 'G': return l && n;
    case 'U':
    case 'W': return r || (l && n);
    default: return r && (l || n); /* R, M */
    }
}

static void find_values(struct tableau *x) {
    for (uint32_t node = 0; node < x->nodes; node++)
        for (int i = 0; i < x->parts; i++)
            if (part_holds(&x->part[i], x->value[node], x->g->values[node >> x->guesses], node))
                x->value[node] |= UINT64_C(1) << i;
}

/* Did the first node guess right, if the second comes next? */
static bool agrees(const struct tableau *x, uint32_t from, uint32_t to) {
    for (int i = 0; i < x->parts; i++) {
        const struct part *f = &x->part[i];
        if (f->guess < 0) continue;
        int meant = f->op == 'X' ? f->left : i;
        if ((from >> f->guess & 1) != (x->value[to] >> meant & 1)) return false;
    }
    return true;
}

static bool has_edge(const struct graph *g, uint32_t s, uint32_t to) {
    bool any = false;
    for (uint32_t t = 0; t < g->ts.transitions; t++) {
        uint32_t next = g->next[s * g->ts.transitions + t];
        if (next == to) return true;
        any |= next != NO_STATE;
    }
    return !any && s == to; /* what has ended stays as it is */
}

static bool leads(const struct tableau *x, uint32_t a, uint32_t b) {
    return x->reach[a * x->row + b / 64] >> b % 64 & 1;
}

static void find_ways(struct tableau *x) {
    uint32_t n = x->nodes, row = x->row;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++)
            if (has_edge(x->g, a >> x->guesses, b >> x->guesses) && agrees(x, a, b))
                x->reach[a * row + b / 64] |= UINT64_C(1) << b % 64;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t a = 0; a < n; a++)
            if (leads(x, a, k))
                for (uint32_t i = 0; i < row; i++) x->reach[a * row + i] |= x->reach[k * row + i];
}

/* Is a promise of part i kept here, or not made? */
static bool keeps(const struct tableau *x, int i, uint32_t node) {
    const struct part *f = &x->part[i];
    uint64_t v = x->value[node];
    bool now = v >> i & 1, l = v >> f->left & 1, r = v >> f->right & 1;
    switch (f->op) {
    case 'F': return !now || l;
    case 'U': return !now || r;
    case 'M': return !now || (l && r);
    case 'G': return now || !l;
    case 'W': return now || (!l && !r);
    case 'R': return now || !r;
    default: return true;
    }
}

static bool is_fulfilling(const struct tableau *x, uint32_t node) {
    if (!leads(x, node, node)) return false;
    for (int i = 0; i < x->parts; i++) {
        bool kept = false;
        for (uint32_t m = 0; m < x->nodes && !kept; m++)
            kept = leads(x, node, m) && leads(x, m, node) && keeps(x, i, m);
        if (!kept) return false;
    }
    return true;
}

/* ---- Fair choice ---- */

static uint32_t state_below(const struct tableau *x, uint32_t node) {
    uint32_t s = node >> x->guesses;
    return x->below ? x->below[s] : s;
}

static bool together(const struct tableau *x, uint32_t a, uint32_t b) { return leads(x, a, b) && leads(x, b, a); }

/* Is transition t taken from the state below `node` among the nodes that are strongly connected with it? */
static bool is_taken(const struct tableau *x, uint32_t node, uint32_t t) {
    for (uint32_t a = 0; a < x->nodes; a++) {
        if (!together(x, node, a) || state_below(x, a) != state_below(x, node)) continue;
        uint32_t to = x->g->next[(a >> x->guesses) * x->g->ts.transitions + t];
        for (uint32_t b = to << x->guesses; to != NO_STATE && b < (to + 1) << x->guesses; b++)
            if (together(x, node, b) && agrees(x, a, b)) return true;
    }
    return false;
}

static bool takes_all(const struct tableau *x, uint32_t node) {
    for (uint32_t m = 0; m < x->nodes; m++)
        for (uint32_t t = 0; t < x->fair_transitions && together(x, node, m); t++)
            if (x->g->next[(m >> x->guesses) * x->g->ts.transitions + t] != NO_STATE && !is_taken(x, m, t))
                return false;
    return true;
}

/* ---- The question ---- */

static bool ask(struct tableau *x, const struct tree *t) {
    int whole = flatten(x, t);
    x->nodes = x->g->count << x->guesses;
    x->value = memory_get_zeroed(x->nodes * sizeof *x->value);
    x->row = x->nodes / 64 + 1;
    x->reach = memory_get_zeroed((size_t)x->nodes * x->row * sizeof *x->reach);
    find_values(x);
    find_ways(x);
    bool violated = false;
    for (uint32_t n = 0; n < x->nodes && !violated; n++) {
        if (!is_fulfilling(x, n) || !takes_all(x, n)) continue;
        for (uint32_t a = 0; a < 1u << x->guesses && !violated; a++)
            violated = !(x->value[a] >> whole & 1) && (a == n || leads(x, a, n));
    }
    free(x->value);
    free(x->reach);
    return violated;
}

bool naive_violated(const struct graph *g, const struct tree *t) {
    struct tableau x = {.g = g};
    return ask(&x, t);
}

bool naive_violated_fairly(const struct graph *g, const uint32_t *below, uint32_t transitions, const struct tree *t) {
    struct tableau x = {.g = g, .below = below, .fair_transitions = transitions};
    return ask(&x, t);
}
