/* Objects of which each access is seen: instructions do the same there as elsewhere, and what they use is noted; and
 * code that crashes, loops, or strays leaves all in order. */
#include "code/page_watch.h"

#include <pthread.h>

#include "code/x86_access.h"
#include "machine.h"
#include "unit.h"

#if defined __x86_64__
enum { SIZE = 64, AT = 16 };

/* ---- All instructions ---- */

struct outcome {
    uint64_t registers[MACHINE_REGISTERS];
    uint8_t memory[SIZE];
    bool came_back;
};

/* Runs it on a copy of the memory, or on the watched object. */
static void run(struct guard *g, const struct machine *m, struct watch *w, struct outcome *x) {
    static _Alignas(64) uint8_t plain[SIZE];
    uint8_t *readable = w ? w->mirror : plain, *object = w ? w->object : plain;
    memcpy(readable, x->memory, SIZE);
    x->registers[MACHINE_RDI] = (uint64_t)(uintptr_t)(object + AT);
    volatile bool came_back = false;
    if (w) watch_begin(w);
    if (GUARD_ENTER(g)) {
        machine_run(m, x->registers);
        came_back = true;
        guard_leave(g);
    }
    if (w) watch_end(w);
    x->came_back = came_back;
    x->registers[MACHINE_FLAGS] &= MACHINE_ARITHMETIC;
    x->registers[MACHINE_RDI] -= (uint64_t)(uintptr_t)object;
    memcpy(x->memory, readable, SIZE);
}

static bool is_seen(const struct watch *w, const struct x86_access *a) {
    unsigned how = (a->reads ? WATCH_READ : 0u) | (a->writes ? WATCH_STORED : 0u);
    for (unsigned i = 0; i < SIZE; i++) {
        bool used = i >= AT && i < AT + (unsigned)a->size;
        if (a->kind == X86_UNKNOWN) used = true, how = WATCH_READ | WATCH_STORED;
        if (w->seen[i] != (used ? how : 0)) return false;
    }
    return true;
}

/* Returns whether it was one that came back. */
static bool compare(struct guard *g, struct machine *m, struct watch *w, const uint8_t *instruction, size_t size) {
    struct outcome plain, watched;
    machine_set(m, instruction, size);
    for (unsigned i = 0; i < MACHINE_REGISTERS; i++) plain.registers[i] = random_word();
    plain.registers[MACHINE_FLAGS] = 0x202 | (random_word() & MACHINE_ARITHMETIC);
    for (unsigned i = 0; i < SIZE; i++) plain.memory[i] = (uint8_t)(random_below(4) ? random_word() : 0);
    watched = plain;
    struct x86_access a = x86_access_of(m->code, plain.registers);
    if (a.kind == X86_STRING) return false;
    run(g, m, NULL, &plain);
    if (!plain.came_back) return false; /* a division by 0, or no such instruction */
    run(g, m, w, &watched);
    assert_true(watched.came_back);
    watched.registers[MACHINE_RSP] = plain.registers[MACHINE_RSP];
    assert_memory_equal(plain.registers, watched.registers, sizeof plain.registers);
    assert_memory_equal(plain.memory, watched.memory, SIZE);
    assert_true(is_seen(w, &a));
    return true;
}

/* Of two bytes: none of those that are for the kernel, leave the flow, or are no instructions; of one byte, only those
 * that are known. */
static bool can_be_tried(bool long_code, uint8_t code, uint8_t reg) {
    struct x86_access a;
    uint64_t none[16] = {0};
    uint8_t instruction[16] = {code, (uint8_t)(reg << 3 | MACHINE_RDI)};
    uint8_t longer[16] = {0x0f, code, (uint8_t)(reg << 3 | MACHINE_RDI)};
    if (!long_code && code == 0xff && reg > 1) return false;
    a = x86_access_of(long_code ? longer : instruction, none);
    bool is_simd = long_code && ((code >= 0x10 && code <= 0x17) || (code >= 0x28 && code <= 0x2f) ||
                                 (code >= 0x51 && code <= 0x76) || (code >= 0x7c && code <= 0x7f) ||
                                 (code >= 0xc2 && code <= 0xc6) || code >= 0xd0);
    return a.kind != X86_UNKNOWN || is_simd;
}

static void test_instructions(void **state) {
    (void)state;
    static const uint8_t prefixes[] = {0, 0x66, 0xf3, 0xf2}, rex[] = {0, 0x40, 0x48, 0x4c};
    struct guard g;
    struct machine m;
    struct watch w;
    unsigned tried = 0;
    guard_init(&g, 5);
    assert_true(machine_init(&m) && watch_init(&w, SIZE, &g));
    random_start(1);
    for (unsigned i = 0; i < 2u * 256 * 16 * 8; i++) {
        uint8_t instruction[8], n = 0, reg = i % 8, code = (uint8_t)(i / 8);
        bool long_code = i / 2048 % 2;
        uint8_t prefix = prefixes[i / 4096 % 4], more = rex[i / 16384];
        bool free = machine_is_group(long_code, code) || (reg != MACHINE_RSP && reg != MACHINE_RDI) || more == 0x4c;
        if (!free || !can_be_tried(long_code, code, reg)) continue;
        if (FEWER && i % 5) continue;
        if (prefix) instruction[n++] = prefix;
        if (more) instruction[n++] = more;
        if (long_code) instruction[n++] = 0x0f;
        instruction[n++] = code;
        instruction[n++] = (uint8_t)(reg << 3 | MACHINE_RDI);
        tried += compare(&g, &m, &w, instruction, n);
    }
    printf("%u instructions\n", tried);
    assert_true(tried > (FEWER ? 1000 : 5000));
    watch_fini(&w);
    machine_fini(&m);
    guard_fini(&g);
}

/* ---- Code that does not come back ---- */

enum trouble { DIVIDES, LOOPS, STRAYS, STRAYS_BEFORE, STRAYS_PARTLY, SLOW, IN_THE_MIDDLE, TROUBLES };

__attribute__((no_sanitize("undefined"), no_sanitize("address"))) static void make_trouble(volatile char *p,
                                                                                           enum trouble which) {
    volatile int zero = 0;
    p[3]++;
    switch (which) {
    case DIVIDES: p[4] = (char)(7 / zero); break;
    case LOOPS:
        for (;;) zero++;
    case STRAYS: p[SIZE] = 1; break;
    case STRAYS_BEFORE: p[-1]++; break;
    case STRAYS_PARTLY: (void)*(volatile uint64_t *)(p + SIZE - 4); break;
    case SLOW:
        for (;;) p[4]++;
    case IN_THE_MIDDLE: /* the pages are open, and it steps, when the second operand is no memory */
        __asm__ volatile("movsb" : : "S"(p), "D"(8L) : "memory");
        break;
    default: break;
    }
}

static void check_trouble(struct guard *g, struct watch *w, enum trouble which) {
    static const enum watch_end ends[] = {WATCH_NO_END, WATCH_NO_END,   WATCH_BESIDE,   WATCH_ELSEWHERE,
                                          WATCH_BESIDE, WATCH_TOO_LONG, WATCH_ELSEWHERE};
    volatile bool came_back = false;
    watch_begin(w);
    if (GUARD_ENTER(g)) {
        make_trouble(w->object, which);
        came_back = true;
        guard_leave(g);
    }
    watch_end(w);
    assert_false(came_back);
    if (which != SLOW || !guard_timed_out(g)) assert_int_equal(w->end, ends[which]);
    assert_int_equal(w->seen[3], WATCH_READ | WATCH_STORED);
    if (which == LOOPS) assert_true(guard_timed_out(g));
}

/* Whatever happened before, the next one is seen as if nothing had happened. */
static void test_trouble(void **state) {
    (void)state;
    struct guard g;
    struct watch w;
    guard_init(&g, 0.05);
    assert_true(watch_init(&w, SIZE, &g));
    for (unsigned i = 0; i < 4 * TROUBLES; i++) {
        if (i / TROUBLES > 0 && i % TROUBLES == SLOW) continue;
        check_trouble(&g, &w, (enum trouble)(i % TROUBLES));
        volatile char *p = w.object;
        watch_begin(&w);
        if (GUARD_ENTER(&g)) {
            p[9] = p[8];
            guard_leave(&g);
        }
        watch_end(&w);
        for (unsigned k = 0; k < SIZE; k++)
            assert_int_equal(w.seen[k], k == 8 ? WATCH_READ : k == 9 ? WATCH_STORED : 0);
    }
    watch_fini(&w);
    guard_fini(&g);
}

/* ---- Threads ---- */

static void *watch_much(void *context) {
    struct guard g;
    struct watch w;
    guard_init(&g, 5);
    bool right = watch_works(&g) && watch_init(&w, SIZE, &g);
    for (unsigned i = 0; right && i < 2000; i++) {
        volatile char *p = w.object;
        watch_begin(&w);
        if (GUARD_ENTER(&g)) {
            p[i % SIZE]++;
            guard_leave(&g);
        }
        watch_end(&w);
        for (unsigned k = 0; k < SIZE; k++) right &= (w.seen[k] != 0) == (k == i % SIZE);
    }
    if (right) watch_fini(&w);
    guard_fini(&g);
    *(bool *)context = right;
    return NULL;
}

static void test_threads(void **state) {
    (void)state;
    enum { THREADS = 3 };
    pthread_t threads[THREADS];
    bool right[THREADS] = {0};
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, watch_much, &right[i]), 0);
    for (unsigned i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < THREADS; i++) assert_true(right[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_instructions), cmocka_unit_test(test_trouble),
                                       cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void) { return puts("not on this machine") < 0; }
#endif
