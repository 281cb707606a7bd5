#include "symbolic/order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { ROUNDS = 60, BEGINNINGS = 6, MOVED = 200 };

/* ---- The measure ---- */

static double cost_of(const struct supports *s, const uint32_t *level) {
    double sum = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t top = UINT32_MAX, bottom = 0;
        for (uint32_t k = s->first[i]; k < s->first[i + 1]; k++) {
            uint32_t at = level[s->member[k]];
            if (at < top) top = at;
            if (at > bottom) bottom = at;
        }
        if (top != UINT32_MAX) sum += (double)(bottom - top + 1) * (s->variables - top) / s->variables;
    }
    return sum;
}

static void invert(const struct supports *s, const uint32_t *order, uint32_t *level) {
    for (uint32_t k = 0; k < s->variables; k++) level[order[k]] = k;
}

double order_cost(const struct supports *s, const uint32_t *order) {
    uint32_t *level = memory_get((s->variables + 1) * sizeof *level);
    invert(s, order, level);
    double cost = cost_of(s, level);
    free(level);
    return cost;
}

/* ---- FORCE ---- */

struct place {
    double at;
    uint32_t variable;
};

static int by_place(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return (x->variable > y->variable) - (x->variable < y->variable);
}

/* One round: each variable goes to the mean of the centres of its supports. */
static void pull(const struct supports *s, uint32_t *order, uint32_t *level, struct place *place, double *sum,
                 uint32_t *many) {
    invert(s, order, level);
    memset(sum, 0, s->variables * sizeof *sum);
    memset(many, 0, s->variables * sizeof *many);
    for (uint32_t i = 0; i < s->count; i++) {
        double centre = 0;
        uint32_t size = s->first[i + 1] - s->first[i];
        for (uint32_t k = s->first[i]; k < s->first[i + 1]; k++) centre += level[s->member[k]];
        for (uint32_t k = s->first[i]; k < s->first[i + 1]; k++) {
            sum[s->member[k]] += centre / size;
            many[s->member[k]]++;
        }
    }
    for (uint32_t x = 0; x < s->variables; x++) place[x] = (struct place){many[x] ? sum[x] / many[x] : level[x], x};
    qsort(place, s->variables, sizeof *place, by_place);
    for (uint32_t k = 0; k < s->variables; k++) order[k] = place[k].variable;
}

static void force(const struct supports *s, uint32_t *order) {
    uint32_t n = s->variables;
    uint32_t *best = memory_get((n + 1) * sizeof *best), *level = memory_get((n + 1) * sizeof *level);
    uint32_t *many = memory_get((n + 1) * sizeof *many);
    struct place *place = memory_get((n + 1) * sizeof *place);
    double *sum = memory_get((n + 1) * sizeof *sum), least = order_cost(s, order);
    memcpy(best, order, n * sizeof *best);
    for (int round = 0, idle = 0; round < ROUNDS && idle < 8; round++) {
        pull(s, order, level, place, sum, many);
        double cost = order_cost(s, order);
        idle++;
        if (cost >= least) continue;
        least = cost, idle = 0;
        memcpy(best, order, n * sizeof *best);
    }
    memcpy(order, best, n * sizeof *best);
    free(best), free(level), free(many), free(place), free(sum);
}

/* The variable at level `from` goes to level `to`. */
static void move(uint32_t *order, uint32_t from, uint32_t to) {
    uint32_t x = order[from];
    if (from < to) memmove(order + from, order + from + 1, (to - from) * sizeof *order);
    else memmove(order + to + 1, order + to, (from - to) * sizeof *order);
    order[to] = x;
}

/* Single variables move while the measure falls. */
static void refine(const struct supports *s, uint32_t *order) {
    double least = order_cost(s, order);
    bool better = s->variables <= MOVED;
    for (int round = 0; better && round < 4; round++) {
        better = false;
        for (uint32_t x = 0; x < s->variables; x++) {
            uint32_t from = 0;
            while (order[from] != x) from++;
            uint32_t best = from, at = from;
            for (uint32_t to = 0; to < s->variables; to++) {
                move(order, at, to);
                at = to;
                double cost = order_cost(s, order);
                if (cost < least - 1e-9) least = cost, best = to, better = true;
            }
            move(order, at, best);
        }
    }
}

/* ---- Beginnings ---- */

static uint64_t random_of(uint64_t *seed) {
    uint64_t x = *seed += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static void shuffle(uint32_t *order, uint32_t count, uint64_t *seed) {
    for (uint32_t k = count; k > 1; k--) {
        uint32_t other = (uint32_t)(random_of(seed) % k), x = order[k - 1];
        order[k - 1] = order[other], order[other] = x;
    }
}

/* "C[12]": 12; without an index: -1. */
static int64_t index_of(const char *name) {
    const char *bracket = strrchr(name, '[');
    return bracket ? strtoll(bracket + 1, NULL, 10) : -1;
}

/* Is it an element of an array that has more than one? */
static bool is_element(const char *const *names, uint32_t variables, uint32_t x) {
    const char *bracket = strrchr(names[x], '[');
    if (!bracket) return false;
    size_t length = (size_t)(bracket - names[x]) + 1;
    return (x > 0 && strncmp(names[x - 1], names[x], length) == 0) ||
           (x + 1 < variables && strncmp(names[x + 1], names[x], length) == 0);
}

static void list_others(const struct supports *s, const char *const *names, uint32_t *order, uint32_t *n) {
    for (uint32_t x = 0; x < s->variables; x++)
        if (!is_element(names, s->variables, x)) order[(*n)++] = x;
}

/* By index; other variables come before the elements with index `before`. */
static void processes(const struct supports *s, const char *const *names, int64_t before, uint32_t *order) {
    uint32_t n = 0;
    bool done = false;
    int64_t last = -1;
    for (uint32_t x = 0; x < s->variables; x++)
        if (is_element(names, s->variables, x) && index_of(names[x]) > last) last = index_of(names[x]);
    for (int64_t i = 0; i <= last; i++) {
        if (!done && i >= before) list_others(s, names, order, &n), done = true;
        for (uint32_t x = 0; x < s->variables; x++)
            if (is_element(names, s->variables, x) && index_of(names[x]) == i) order[n++] = x;
    }
    if (!done) list_others(s, names, order, &n);
}

static int64_t middle_of(const struct supports *s, const char *const *names) {
    int64_t last = 0;
    for (uint32_t x = 0; x < s->variables; x++)
        if (is_element(names, s->variables, x) && index_of(names[x]) > last) last = index_of(names[x]);
    return (last + 1) / 2;
}

/* The best of several beginnings. */
static void best_force(const struct supports *s, const char *const *names, uint32_t *order) {
    uint32_t n = s->variables, *try = memory_get((n + 1) * sizeof *try);
    uint64_t seed = 1;
    double least = 0;
    for (int i = 0; i < BEGINNINGS; i++) {
        for (uint32_t k = 0; k < n; k++) try[k] = k;
        if (i == 1) processes(s, names, 0, try);
        if (i > 1) shuffle(try, n, &seed);
        force(s, try);
        double cost = order_cost(s, try);
        if (i > 0 && cost >= least) continue;
        least = cost;
        memcpy(order, try, n * sizeof *order);
    }
    refine(s, order);
    free(try);
}

static const char *make(const struct supports *s, const char *const *names, enum order_of_levels which, uint64_t seed,
                        uint32_t *order) {
    for (uint32_t k = 0; k < s->variables; k++) order[k] = k;
    switch (which) {
    case LEVELS_FORCE: return best_force(s, names, order), "force";
    case LEVELS_PROCESSES_TOP: return processes(s, names, 0, order), "processes, others above";
    case LEVELS_PROCESSES_MIDDLE: return processes(s, names, middle_of(s, names), order), "processes around others";
    case LEVELS_PROCESSES_BOTTOM: return processes(s, names, INT64_MAX, order), "processes, others below";
    case LEVELS_SHUFFLED: return shuffle(order, s->variables, &seed), "shuffled";
    default: return "as declared";
    }
}

const char *order_levels(const struct supports *s, const char *const *names, enum order_of_levels which, uint64_t seed,
                         uint32_t *order) {
    if (which != LEVELS_AUTO) return make(s, names, which, seed, order);
    uint32_t *try = memory_get((s->variables + 1) * sizeof *try);
    const char *best = NULL;
    double least = 0;
    for (enum order_of_levels i = LEVELS_FORCE; i <= LEVELS_PROCESSES_BOTTOM; i++) {
        const char *name = make(s, names, i, 0, try);
        double cost = order_cost(s, try);
        if (best && cost >= least) continue;
        best = name, least = cost;
        memcpy(order, try, s->variables * sizeof *order);
    }
    free(try);
    assert(best && order_cost(s, order) == least);
    return best;
}
