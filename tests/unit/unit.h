/* unit.h: what every unit test includes: cmocka with what it needs, and random numbers that come out the same in every
 * run (UNIT_SEED=... in the environment gives others). */
#ifndef UNIT_UNIT_H
#define UNIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The elements of an array. */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* With sanitizers, everything is slower and memory is not what it seems. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

/* Are fewer and smaller things tried than usual? With sanitizers they are, unless all rounds are asked for. */
#ifdef ALL_ROUNDS
enum { FEWER = 0 };
#else
enum { FEWER = SANITIZED };
#endif

/* How often something is tried that is tried so often otherwise. Sanitizers are there for what all rounds have in
 * common: every line is run, and what it does to memory is the same kind of thing in every round. Wrong answers are
 * found by the program without sanitizers, which makes all rounds. ThreadSanitizer sees a race in few rounds. */
#ifdef __SANITIZE_THREAD__
#define ROUNDS(n) ((n) / 25 + 1)
#else
#define ROUNDS(n) (FEWER ? (n) / 8 + 1 : (n))
#endif

/* How often something must have come up after those rounds that must come up n times otherwise: in few rounds, chance
 * has more to say. */
#define OFTEN(n) (FEWER ? ROUNDS(n) / 2 : (n))

static uint64_t unit_random_state;

__attribute__((unused)) static void random_start(uint64_t seed) {
    const char *more = getenv("UNIT_SEED");
    unit_random_state = seed + (more ? strtoull(more, NULL, 0) * UINT64_C(1000003) : 0);
}

__attribute__((unused)) static uint64_t random_word(void) {
    uint64_t x = unit_random_state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* 0 to n - 1. */
__attribute__((unused)) static uint32_t random_below(uint32_t n) { return (uint32_t)((random_word() >> 32) * n >> 32); }

__attribute__((unused)) static bool random_chance(uint32_t percent) { return random_below(100) < percent; }

#endif
