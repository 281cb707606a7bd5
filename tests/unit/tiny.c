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

/* A new initial state has the edges of both initial states, which remain for those that come back to them. */
struct tiny tiny_choice(const struct tiny *x, const struct tiny *y) {
    struct tiny n = {.count = 1 + x->count + y->count, .labels = x->labels > y->labels ? x->labels : y->labels};
    assert_true(n.count <= TINY_STATES);
    for (int a = 0; a < n.labels; a++) {
        for (int s = 0; s < x->count; s++) n.to[1 + s][a] = x->to[s][a] << 1;
        for (int s = 0; s < y->count; s++) n.to[1 + x->count + s][a] = y->to[s][a] << (1 + x->count);
        n.to[0][a] = n.to[1][a] | n.to[1 + x->count][a];
    }
    return n;
}

struct tiny tiny_with_visible_tau(const struct tiny *t) {
    struct tiny n = *t;
    assert_true(t->labels < TINY_LABELS);
    n.labels = TINY_LABELS;
    for (int s = 0; s < t->count; s++) {
        n.to[s][TINY_LABELS - 1] = t->to[s][0];
        n.to[s][0] = 0;
    }
    return n;
}

/* ---- Sets of states ---- */

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

states tiny_divergent(const struct tiny *t) {
    states left = (1u << t->count) - 1;
    for (states before = 0; before != left;) {
        before = left;
        for (int s = 0; s < t->count; s++)
            if (!(t->to[s][0] & left)) left &= ~(1u << s);
    }
    return left;
}
