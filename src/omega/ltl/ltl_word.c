#include "omega/ltl/ltl_word.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

struct word_at {
    uint64_t n, cycle;
};

static uint64_t after(const struct word_at *w, uint64_t i) { return i + 1 < w->n ? i + 1 : w->cycle; }

/* What holds now, given what holds now and next. `left`, `right`: of the operands, now. */
static bool combine(enum ltl_op op, bool left, bool right, bool next) {
    switch (op) {
    case LTL_FINALLY: return left || next;
    case LTL_GLOBALLY: return left && next;
    case LTL_UNTIL:
    case LTL_WEAK_UNTIL: return right || (left && next);
    case LTL_RELEASE:
    case LTL_STRONG_RELEASE: return right && (left || next);
    case LTL_AND: return left && right;
    case LTL_OR: return left || right;
    case LTL_IMPLIES: return !left || right;
    case LTL_EQUIVALENT: return left == right;
    case LTL_XOR: return left != right;
    case LTL_NOT: return !left;
    default: return false;
    }
}

static bool is_greatest(enum ltl_op op) { return op == LTL_GLOBALLY || op == LTL_WEAK_UNTIL || op == LTL_RELEASE; }

/* From the end to the beginning, twice: the second time it is known what holds where the cycle begins. */
static void evaluate(const struct word_at *w, struct ltl_node node, const bool *left, const bool *right, bool *value) {
    for (uint64_t i = 0; i < w->n; i++) value[i] = is_greatest(node.op);
    for (int round = 0; round < 2; round++)
        for (uint64_t i = w->n; i-- > 0;) {
            bool next = node.op == LTL_NEXT ? left[after(w, i)] : value[after(w, i)];
            value[i] = node.op == LTL_NEXT ? next : combine(node.op, left[i], right[i], next);
        }
}

bool ltl_word_satisfies(const struct ltl *l, uint32_t formula, const uint64_t *valuations, uint64_t n, uint64_t cycle) {
    struct word_at w = {n, cycle};
    bool *values =
        memory_get_zeroed((formula + UINT64_C(1)) * n); /* operands have lower numbers than what they are in */
    for (uint32_t f = 0; f <= formula; f++) {
        struct ltl_node node = l->node[f];
        bool *value = values + f * n;
        assert(!(ltl_is_unary(node.op) || ltl_is_binary(node.op)) || node.left < f); /* known by now */
        if (node.op == LTL_TRUE || node.op == LTL_PROPOSITION)
            for (uint64_t i = 0; i < n; i++) value[i] = node.op == LTL_TRUE || (valuations[i] >> node.left & 1);
        else if (node.op != LTL_FALSE) evaluate(&w, node, values + node.left * n, values + node.right * n, value);
    }
    bool result = values[formula * n];
    free(values);
    return result;
}
