/* spread.h: the numbers 0, 1, ..., n-1, each once, in an order that spreads over all of them: the first so many are a
 * fair sample. */
#ifndef ALGO_SPREAD_H
#define ALGO_SPREAD_H

#include <stdint.h>

/* A step near the golden ratio that has no divisor in common with n > 0. */
static inline uint64_t spread_step(uint64_t n) {
    for (uint64_t step = (uint64_t)(0.6180339887 * (double)n) | 1;; step += 2) {
        uint64_t a = n, b = step;
        while (b) {
            uint64_t r = a % b;
            a = b;
            b = r;
        }
        if (a == 1) return step;
    }
}

/* The i-th of them; with step 1, that is i. */
static inline uint64_t spread_at(uint64_t i, uint64_t step, uint64_t n) {
    return (uint64_t)((unsigned __int128)i * step % n);
}

#endif
