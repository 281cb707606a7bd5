/* The practical limit of the machine: a program that can do nothing but explore the token ring of
 * examples/token_ring.c, written by hand to be as fast as one core and its memory allow.
 *
 *     gcc -O3 -march=native -Dn=9 bench/limit.c -o limit && ./limit
 *
 * It finds the same states and edges as `onager check examples/token_ring.c -p n=9` and makes the same two checks
 * (mutual exclusion, no illegal deadlock). What it knows beforehand and a tool does not: the model, a clever encoding
 * of its states, and the number of states, so that the table never grows. It can not print a counterexample.
 *
 * A state is one word of five planes of n bits each; bit i of a plane belongs to customer or server i:
 *
 *      4n+i   3n+i   2n+i    n+i     i
 *     | T    | S      S    | C      C    |     C: 0 idle, 1 requested, 2 critical, 3 terminated
 *     |      | high   low  | high   low  |     S: 0 resting, 1 waiting for token, 2 waiting for customer; T: has token
 *
 * So one operation on words asks something of all customers or servers at once, and every transition is an exclusive
 * or with a constant. A state always has a token, so a word is never 0, which marks a free slot of the table.
 *
 * The search is breadth first, BATCH states at a time: first all their successors are computed and the cache lines
 * of the table where they belong are prefetched, then they are looked up; so the cache misses overlap.
 */
#define _DEFAULT_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#ifndef n
#define n 9
#endif
_Static_assert(2 <= n && n <= 10, "the number of states is known for 2 to 10 servers");

/* More slots: shorter probes, but more memory. 2.2 was the fastest tried; 1.25 takes 11 bytes a state. */
#ifndef SLOTS_PER_STATE
#define SLOTS_PER_STATE 2.2
#endif
#ifndef BATCH
#define BATCH 64
#endif

static const uint64_t known_states[] = {[2] = 68,     [3] = 468,     [4] = 2928,     [5] = 17280,    [6] = 98064,
                                        [7] = 541296, [8] = 2927232, [9] = 15583104, [10] = 81933120};

typedef uint64_t word;
enum { C_LOW = 0, C_HIGH = n, S_LOW = 2 * n, S_HIGH = 3 * n, T = 4 * n };
enum { LINE = 8 };           /* slots in a cache line */
enum { STRIDE = 4 };         /* successors written at a time: see expand */
enum { DEGREE = 2 * n + 1 }; /* two for each customer (idle) or one for its server, and one for who has the token */
static const word PLANE = ((word)1 << n) - 1;

static void fail(const char *message) {
    fprintf(stderr, "limit: %s\n", message);
    exit(1);
}

/* ---- The model ------------------------------------------------------------------------------------------------- */

/* What transition t flips, where t is a bit of `enabled` in expand: 0 to 3n-1 flip one bit of their own number,
 * termination (3n to 4n-1) makes C = 0 to C = 3. The rest stays 0. */
static word flip[65];

static void prepare_flips(void) {
    for (unsigned t = 0; t < 3 * n; t++) flip[t] = (word)1 << t;
    for (unsigned i = 0; i < n; i++) flip[3 * n + i] = (word)1 << (C_LOW + i) | (word)1 << (C_HIGH + i);
}

/* Stores the successors of s in out, returns how many there are. May write up to STRIDE words more than that. */
static inline __attribute__((unused)) unsigned expand(word s, word *out) {
    word c_low = s >> C_LOW & PLANE, c_high = s >> C_HIGH & PLANE;
    word s_low = s >> S_LOW & PLANE, s_high = s >> S_HIGH & PLANE;
    word token = s >> T & PLANE, next_token = (token << 1 | token >> (n - 1)) & PLANE;
    word idle = ~(c_low | c_high) & PLANE, requested = c_low & ~c_high, critical = c_high & ~c_low;
    if (critical & (critical - 1)) fail("Mutual exclusion violated");

    word asking = s_low & ~token;
    word asked_by_next = (asking >> 1 | asking << (n - 1)) & PLANE;
    word resting = ~(s_low | s_high) & PLANE;
    word enabled = idle << C_LOW                                      /* request */
                   | critical << C_HIGH                               /* leave */
                   | (resting & (requested | asked_by_next)) << S_LOW /* start to wait for the token */
                   | idle << (3 * n);                                 /* terminate */
    unsigned count = (unsigned)__builtin_popcountll(enabled);
    /* STRIDE at a time, even if there are fewer, because a loop that ends at the exact number is mispredicted. */
    for (unsigned i = 0; i < count; i += STRIDE)
        for (unsigned j = 0; j < STRIDE; j++) {
            out[i + j] = s ^ flip[enabled ? __builtin_ctzll(enabled) : 64];
            enabled &= enabled - 1;
        }

    /* At most one server has the token; it lets its customer in, or passes the token, or does nothing. */
    word enter = s_low & token & requested;
    word pass = s_low & next_token ? s_low & token & ~enter : 0;
    word leave = s_high & ~critical;
    word change = enter << C_LOW | enter << C_HIGH | (enter | pass) << S_LOW | (enter | leave) << S_HIGH |
                  (pass | leave ? token | next_token : 0) << T;
    out[count] = s ^ change;
    count += change != 0;

    if (count == 0 && (c_low & c_high) != PLANE) fail("Customer not terminated");
    return count;
}

/* The same, one transition after the other, as the model in examples/token_ring.c tries them (-DONE_BY_ONE): what a
 * program can do that has a model's transitions as code, and nothing that sees through all of them at once. */
static inline __attribute__((unused)) unsigned expand_one_by_one(word s, word *out) {
    word *next = out;
    unsigned inside = 0;
#define HAS(plane, i) (s >> ((plane) + (i)) & 1)
#define BIT(plane, i) ((word)1 << ((plane) + (i)))
#pragma GCC unroll 16
    for (unsigned i = 0; i < n; i++) {
        unsigned after = i + 1 < n ? i + 1 : 0;
        bool low = HAS(C_LOW, i), high = HAS(C_HIGH, i), token = HAS(T, i);
        inside += high && !low;
        if (!low && !high) *next++ = s ^ BIT(C_LOW, i);                                     /* request */
        if (high && !low) *next++ = s ^ BIT(C_HIGH, i);                                     /* leave */
        if (!low && !high) *next++ = s ^ (BIT(C_LOW, i) | BIT(C_HIGH, i));                  /* terminate */
        if (HAS(S_LOW, i)) {                                                                /* waits for the token */
            if (token && low && !high)
                *next++ = s ^ (BIT(C_LOW, i) | BIT(C_HIGH, i) | BIT(S_LOW, i) | BIT(S_HIGH, i));
            else if (token && HAS(S_LOW, after)) *next++ = s ^ (BIT(S_LOW, i) | BIT(T, i) | BIT(T, after));
        } else if (HAS(S_HIGH, i)) {                                                        /* waits for the customer */
            if (low || !high) *next++ = s ^ (BIT(S_HIGH, i) | BIT(T, i) | BIT(T, after));
        } else if ((low && !high) || (HAS(S_LOW, after) && !HAS(T, after))) {               /* rests */
            *next++ = s ^ BIT(S_LOW, i);
        }
    }
#undef HAS
#undef BIT
    if (inside > 1) fail("Mutual exclusion violated");
    if (next == out && (s & PLANE & s >> C_HIGH) != PLANE) fail("Customer not terminated");
    return (unsigned)(next - out);
}
#ifdef ONE_BY_ONE
#define expand expand_one_by_one
#endif

/* ---- The table ------------------------------------------------------------------------------------------------- */

static void *reserve(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) fail("out of memory");
    madvise(memory, bytes, MADV_HUGEPAGE); /* without them, most look-ups miss the TLB too */
    return memory;
}

/* Open addressing, a cache line at a time: a state is in its home line or, if that is full, in the next, and so on.
 * Comparing all slots of a line at once leaves one branch to mispredict: was the state there or not? */
static word *table;
static uint64_t lines;

/* Multiplicative hashing is enough for these words. The second product scales the hash to 0..lines-1. */
static inline word *home(word s) {
    return table + LINE * (uint64_t)((unsigned __int128)(s * 0x9E3779B97F4A7C15u) * lines >> 64);
}

/* Which slots of the line contain s: bit i for slot i. */
static inline unsigned slots_with(const word *line, word s) {
#ifdef __AVX2__
    __m256i wanted = _mm256_set1_epi64x((long long)s);
    __m256i low = _mm256_cmpeq_epi64(_mm256_load_si256((const __m256i *)line), wanted);
    __m256i high = _mm256_cmpeq_epi64(_mm256_load_si256((const __m256i *)line + 1), wanted);
    return (unsigned)(_mm256_movemask_pd(_mm256_castsi256_pd(low)) | _mm256_movemask_pd(_mm256_castsi256_pd(high))
                                                                         << 4);
#else
    unsigned slots = 0;
    for (unsigned i = 0; i < LINE; i++) slots |= (unsigned)(line[i] == s) << i;
    return slots;
#endif
}

/* Adds s if it is new; says whether it was. */
static inline bool insert(word s) {
    for (word *line = home(s);;) {
        if (slots_with(line, s)) return false;
        unsigned free_slots = slots_with(line, 0);
        if (free_slots) {
            line[__builtin_ctz(free_slots)] = s;
            return true;
        }
        line += LINE;
        if (line == table + LINE * lines) line = table;
    }
}

/* ---- The search ------------------------------------------------------------------------------------------------ */

static word *queue; /* a ring: states found and not yet expanded */
static uint64_t queue_size, head, tail;

static inline void found(word s) { queue[tail++ & (queue_size - 1)] = s; }

static uint64_t explore(void) {
    static word batch[BATCH * DEGREE + STRIDE];
    uint64_t edges = 0;
    word initial = (word)1 << (T + 1);
    insert(initial);
    found(initial);
    while (head < tail) {
        unsigned count = 0;
        for (unsigned i = 0; i < BATCH && head < tail; i++) {
            unsigned successors = expand(queue[head++ & (queue_size - 1)], batch + count);
            for (unsigned j = 0; j < successors; j++) __builtin_prefetch(home(batch[count + j]));
            count += successors;
        }
        for (unsigned i = 0; i < count; i++)
            if (insert(batch[i])) found(batch[i]);
        edges += count;
        if (tail - head > queue_size) fail("the queue is too short");
    }
    return edges;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(void) {
    double start = now();
    prepare_flips();
    lines = (uint64_t)((double)known_states[n] * SLOTS_PER_STATE) / LINE + 1;
    table = reserve(lines * LINE * sizeof(word));
    for (queue_size = 8192; queue_size < known_states[n] / 8; queue_size *= 2) {}
    queue = reserve(queue_size * sizeof(word));
    uint64_t edges = explore(), states = tail;
    double seconds = now() - start;

    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("states %llu\nedges %llu\nseconds %.3f\nedges/s %.0f\nbytes/state %.1f\n", (unsigned long long)states,
           (unsigned long long)edges, seconds, (double)edges / seconds,
           1024.0 * (double)usage.ru_maxrss / (double)states);
    return 0;
}
