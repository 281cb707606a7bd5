/* compared.h: small random LTSs to be compared, and asking the tool. For tests of comparing. COMPARE_ROUNDS=... in the
 * environment tries so many times as many. */
#ifndef UNIT_COMPARED_H
#define UNIT_COMPARED_H

#include "unit.h"

#include "compare/compare.h"
#include "tiny.h"

__attribute__((unused)) static uint32_t rounds(uint32_t n) {
    const char *times = getenv("COMPARE_ROUNDS");
    return ROUNDS(n) * (times ? (uint32_t)strtoul(times, NULL, 0) : 1);
}

/* ---- Asking the tool ---- */

__attribute__((unused)) static struct comparison ask(const struct tiny *x, const struct tiny *y, enum lts_relation r,
                                                     bool preorder, bool stability) {
    struct lts a, b;
    struct comparison c;
    struct problem why = {0};
    struct comparison_question q = {.relation = r, .preorder = preorder, .stability = stability};
    tiny_lts(x, &a);
    tiny_lts(y, &b);
    if (!lts_compare(&a, &b, &q, &c, &why)) {
        tiny_print("x", x);
        tiny_print("y", y);
        fail_msg("%s: %s", relation_name(r), why.text);
    }
    lts_fini(&a);
    lts_fini(&b);
    return c;
}

__attribute__((unused)) static struct comparison compare(const struct tiny *x, const struct tiny *y,
                                                         enum lts_relation r, bool preorder) {
    return ask(x, y, r, preorder, false);
}

__attribute__((unused)) static struct comparison compare_stably(const struct tiny *x, const struct tiny *y,
                                                                enum lts_relation r, bool preorder) {
    return ask(x, y, r, preorder, true);
}

__attribute__((unused)) static void disagree(const struct tiny *x, const struct tiny *y, enum lts_relation r,
                                             const char *what) {
    tiny_print("x", x);
    tiny_print("y", y);
    fail_msg("%s: %s", relation_name(r), what);
}

/* ---- Pairs to be compared ---- */

/* Of all kinds: unrelated, nearly the same, different in when something is lost, with few and with many tau edges. */
__attribute__((unused)) static void make_pair(struct tiny *x, struct tiny *y, int most_states) {
    int labels = 2 + (int)random_below(3), states = 1 + (int)random_below((uint32_t)most_states);
    *x = tiny_random(states, labels, 1 + random_below((uint32_t)(3 * states)), 10 + random_below(50));
    if (states <= 3 && random_chance(50)) {
        struct tiny t = *x;
        tiny_losing(&t, x, y);
    } else if (random_chance(30)) {
        states = 1 + (int)random_below((uint32_t)most_states);
        *y = tiny_random(states, labels, 1 + random_below((uint32_t)(3 * states)), 10 + random_below(50));
    } else {
        *y = tiny_mutant(x);
        if (random_chance(30)) *y = tiny_mutant(y);
    }
    if (random_chance(50)) {
        struct tiny swap = *x;
        *x = *y;
        *y = swap;
    }
}

/* ---- Witnesses ---- */

__attribute__((unused)) static states after_word(const struct tiny *t, const struct word *w) {
    states set = tiny_close(t, 1);
    for (uint32_t i = 0; i < w->length; i++) set = tiny_after(t, set, (int)w->label[i]);
    return set;
}

/* A trace that only one side has is there iff the traces differ. */
__attribute__((unused)) static void check_lone(const struct tiny *x, const struct tiny *y, const struct comparison *c,
                                               enum lts_relation r, bool preorder) {
    uint32_t depth[2] = {UINT32_MAX, UINT32_MAX};
    bool same = tiny_traces(x, y, &depth[0]) && (preorder || tiny_traces(y, x, &depth[1]));
    if (!preorder) tiny_traces(y, x, &depth[1]);
    if (same != !c->lone.label) disagree(x, y, r, same ? "a lone trace where there is none" : "no lone trace");
    if (same) return;
    uint32_t least = depth[0] < depth[1] ? depth[0] : depth[1];
    const struct tiny *has = c->lone_side ? y : x, *has_not = c->lone_side ? x : y;
    if (c->lone.length != least || !after_word(has, &c->lone) || after_word(has_not, &c->lone))
        disagree(x, y, r, "wrong lone trace");
}

#endif
