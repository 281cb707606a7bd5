/* Bisimulations and simulations: relations between states, made smaller until they are right. */
#include "tiny.h"

#include <string.h>

#include "unit.h"

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

/* What else is asked of s and r. */
typedef bool demand(const struct tiny *t, const states *related, int s, int r);

static bool nothing_else(const struct tiny *t, const states *related, int s, int r) {
    (void)t, (void)related, (void)s, (void)r;
    return true;
}
static bool same_labels(const struct tiny *t, const states *related, int s, int r) {
    (void)related;
    for (int a = 0; a < t->labels; a++)
        if (!t->to[s][a] != !t->to[r][a]) return false;
    return true;
}
/* r gets by tau to where it is related to s. */
static bool coupled(const struct tiny *t, const states *related, int s, int r) {
    states there = tiny_close(t, 1u << r);
    for (int q = 0; q < t->count; q++)
        if ((there >> q & 1) && (related[q] >> s & 1)) return true;
    return false;
}

static bool related_also(const struct tiny *x, const struct tiny *y, answers *answer, demand *also, bool both_ways) {
    struct tiny t = side_by_side(x, y);
    states rel[TINY_STATES];
    for (int s = 0; s < t.count; s++) rel[s] = (1u << t.count) - 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (int s = 0; s < t.count; s++)
            for (int r = 0; r < t.count; r++) {
                if (!(rel[s] >> r & 1)) continue;
                if (answered(&t, rel, s, r, answer) && (!both_ways || answered(&t, rel, r, s, answer)) &&
                    also(&t, rel, s, r))
                    continue;
                rel[s] &= ~(1u << r);
                if (both_ways) rel[r] &= ~(1u << s);
                changed = true;
            }
    }
    return rel[0] >> x->count & 1;
}

static bool related(const struct tiny *x, const struct tiny *y, answers *answer, bool both_ways) {
    return related_also(x, y, answer, nothing_else, both_ways);
}

/* One edge for tau* a, and no tau. */
static struct tiny tau_star(const struct tiny *t) {
    struct tiny star = {.count = t->count, .labels = t->labels};
    for (int s = 0; s < t->count; s++)
        for (int q = 0; q < t->count; q++)
            for (int a = 1; a < t->labels && tiny_close(t, 1u << s) >> q & 1; a++) star.to[s][a] |= t->to[q][a];
    return star;
}

bool tiny_strong(const struct tiny *x, const struct tiny *y) { return related(x, y, strong_answers, true); }
bool tiny_weak(const struct tiny *x, const struct tiny *y) { return related(x, y, weak_answers, true); }
bool tiny_branching(const struct tiny *x, const struct tiny *y) { return related(x, y, branching_answers, true); }
bool tiny_simulated(const struct tiny *x, const struct tiny *y) { return related(x, y, strong_answers, false); }
bool tiny_weakly_simulated(const struct tiny *x, const struct tiny *y) { return related(x, y, weak_answers, false); }
bool tiny_ready_simulated(const struct tiny *x, const struct tiny *y) {
    return related_also(x, y, strong_answers, same_labels, false);
}
bool tiny_coupled_simulated(const struct tiny *x, const struct tiny *y) {
    return related_also(x, y, weak_answers, coupled, false);
}
bool tiny_taustar(const struct tiny *x, const struct tiny *y) {
    struct tiny of_x = tau_star(x), of_y = tau_star(y);
    return related(&of_x, &of_y, strong_answers, true);
}
bool tiny_safe(const struct tiny *x, const struct tiny *y) {
    struct tiny of_x = tau_star(x), of_y = tau_star(y);
    return related(&of_x, &of_y, strong_answers, false);
}

/* With divergence, relations do not simply shrink; so every equivalence relation is tried. class_of[s] <= s. */
static states loops_inside(const struct tiny *t, states class) {
    struct tiny inside = {.count = t->count, .labels = 1};
    for (int s = 0; s < t->count; s++)
        if (class >> s & 1) inside.to[s][0] = t->to[s][0] & class;
    return tiny_divergent(&inside);
}

static bool is_bisimulation_div(const struct tiny *t, const int *class_of, answers *answer) {
    states rel[TINY_STATES] = {0};
    for (int s = 0; s < t->count; s++)
        for (int r = 0; r < t->count; r++)
            if (class_of[s] == class_of[r]) rel[s] |= 1u << r;
    for (int s = 0; s < t->count; s++) {
        states loops = loops_inside(t, rel[s]);
        if (loops && loops != rel[s]) return false;
        for (int r = 0; r < t->count; r++)
            if ((rel[s] >> r & 1) && !answered(t, rel, s, r, answer)) return false;
    }
    return true;
}

/* Tries every class for states s, s + 1, ... */
static bool some_division(const struct tiny *t, int *class_of, int s, int one, int other, answers *answer) {
    if (s == t->count) return class_of[one] == class_of[other] && is_bisimulation_div(t, class_of, answer);
    for (int c = 0; c <= s; c++) {
        if (c < s && class_of[c] != c) continue; /* a class is named by its first state */
        class_of[s] = c;
        if (some_division(t, class_of, s + 1, one, other, answer)) return true;
    }
    return false;
}

static bool related_div(const struct tiny *x, const struct tiny *y, answers *answer) {
    struct tiny t = side_by_side(x, y);
    int class_of[TINY_STATES];
    assert_true(t.count <= 8);
    return some_division(&t, class_of, 0, 0, x->count, answer);
}

bool tiny_branching_div(const struct tiny *x, const struct tiny *y) { return related_div(x, y, branching_answers); }
bool tiny_weak_div(const struct tiny *x, const struct tiny *y) { return related_div(x, y, weak_answers); }
