/* strict.h: the code that a model is compiled with, instead of engine.h, to see each access to memory, each index and
 * each value that is stored: the strict build. It is slow, and what it finds is exact.
 *
 * It is compiled with -O0, so that each access of the source is one, with -fsanitize=thread, which makes the compiler
 * call a function before each access, and with -fsanitize=bounds and the like, which make it call one where an index is
 * outside its array. Here, these functions are our own, and tell a watcher (plugin.h). Functions of the C library that
 * copy memory are our own, too.
 */
#ifndef ONAGER_STRICT_H
#define ONAGER_STRICT_H

#define ONAGER_HOOK __attribute__((no_sanitize("thread", "undefined"), visibility("hidden"), used))
#define ONAGER_OWN __attribute__((no_sanitize("thread", "undefined"))) static

static __thread struct onager_watcher *onager_watcher;

enum { onager_near_null = 4096 };

#define ONAGER_CALLER ((uintptr_t)__builtin_return_address(0))
#define ONAGER_TELL(p, size, kind)                                                                                     \
    do {                                                                                                               \
        struct onager_watcher *onager_w = onager_watcher;                                                              \
        uintptr_t onager_p = (uintptr_t)(p);                                                                           \
        if (onager_w) onager_w->work++;                                                                                \
        if (onager_w && ((onager_p >= onager_w->low && onager_p < onager_w->high) || onager_p < onager_near_null))     \
            onager_w->access(onager_w, onager_p, size, kind, ONAGER_CALLER);                                           \
    } while (0)

#define ONAGER_HOOKS(bytes)                                                                                            \
    ONAGER_HOOK void __tsan_read##bytes(void *p);                                                                      \
    ONAGER_HOOK void __tsan_read##bytes(void *p) { ONAGER_TELL(p, bytes, ONAGER_LOAD); }                               \
    ONAGER_HOOK void __tsan_write##bytes(void *p);                                                                     \
    ONAGER_HOOK void __tsan_write##bytes(void *p) { ONAGER_TELL(p, bytes, ONAGER_STORE); }                             \
    ONAGER_HOOK void __tsan_unaligned_read##bytes(void *p);                                                            \
    ONAGER_HOOK void __tsan_unaligned_read##bytes(void *p) { ONAGER_TELL(p, bytes, ONAGER_LOAD); }                     \
    ONAGER_HOOK void __tsan_unaligned_write##bytes(void *p);                                                           \
    ONAGER_HOOK void __tsan_unaligned_write##bytes(void *p) { ONAGER_TELL(p, bytes, ONAGER_STORE); }                   \
    ONAGER_HOOK void __tsan_volatile_read##bytes(void *p);                                                             \
    ONAGER_HOOK void __tsan_volatile_read##bytes(void *p) { ONAGER_TELL(p, bytes, ONAGER_LOAD); }                      \
    ONAGER_HOOK void __tsan_volatile_write##bytes(void *p);                                                            \
    ONAGER_HOOK void __tsan_volatile_write##bytes(void *p) { ONAGER_TELL(p, bytes, ONAGER_STORE); }
ONAGER_HOOKS(1)
ONAGER_HOOKS(2)
ONAGER_HOOKS(4)
ONAGER_HOOKS(8)
ONAGER_HOOKS(16)
ONAGER_HOOK void __tsan_read_range(void *p, size_t size);
ONAGER_HOOK void __tsan_read_range(void *p, size_t size) { ONAGER_TELL(p, size, ONAGER_LOAD | ONAGER_BULK); }
ONAGER_HOOK void __tsan_write_range(void *p, size_t size);
ONAGER_HOOK void __tsan_write_range(void *p, size_t size) { ONAGER_TELL(p, size, ONAGER_STORE | ONAGER_BULK); }
/* Where an object of C++ knows its class. */
ONAGER_HOOK void __tsan_vptr_read(void *p);
ONAGER_HOOK void __tsan_vptr_read(void *p) { ONAGER_TELL(p, sizeof(void *), ONAGER_LOAD); }
ONAGER_HOOK void __tsan_vptr_update(void *p, void *value);
ONAGER_HOOK void __tsan_vptr_update(void *p, void *value) {
    (void)value;
    ONAGER_TELL(p, sizeof(void *), ONAGER_STORE);
}
ONAGER_HOOK void __tsan_func_entry(void *p);
ONAGER_HOOK void __tsan_func_entry(void *p) {
    (void)p;
    if (onager_watcher) onager_watcher->work++;
}
ONAGER_HOOK void __tsan_func_exit(void);
ONAGER_HOOK void __tsan_func_exit(void) {}
ONAGER_HOOK void __tsan_init(void);
ONAGER_HOOK void __tsan_init(void) {}

/* ---- Copies of memory: the compiler itself calls these, too. Byte by byte, through volatile pointers, so that it does
 * not see what they are. */

ONAGER_HOOK void *memcpy(void *restrict to, const void *restrict from, size_t size) {
    ONAGER_TELL(from, size, ONAGER_LOAD | ONAGER_BULK);
    ONAGER_TELL(to, size, ONAGER_STORE | ONAGER_BULK);
    volatile char *out = to;
    const volatile char *in = from;
    for (size_t i = 0; i < size; i++) out[i] = in[i];
    return to;
}

ONAGER_HOOK void *memmove(void *to, const void *from, size_t size) {
    ONAGER_TELL(from, size, ONAGER_LOAD | ONAGER_BULK);
    ONAGER_TELL(to, size, ONAGER_STORE | ONAGER_BULK);
    volatile char *out = to;
    const volatile char *in = from;
    for (size_t i = 0; out < in && i < size; i++) out[i] = in[i];
    for (size_t i = size; out > in && i-- > 0;) out[i] = in[i];
    return to;
}

ONAGER_HOOK void *memset(void *to, int value, size_t size) {
    ONAGER_TELL(to, size, ONAGER_STORE | ONAGER_BULK);
    volatile char *out = to;
    for (size_t i = 0; i < size; i++) out[i] = (char)value;
    return to;
}

ONAGER_HOOK int memcmp(const void *a, const void *b, size_t size) {
    ONAGER_TELL(a, size, ONAGER_LOAD | ONAGER_BULK);
    ONAGER_TELL(b, size, ONAGER_LOAD | ONAGER_BULK);
    const volatile unsigned char *x = a, *y = b;
    for (size_t i = 0; i < size; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* ---- What the compiler checks by itself ---- */

struct onager_type {
    uint16_t kind, info; /* of an integer: info is 2 * log2(bits) + (it is signed) */
    char name[];
};

struct onager_index {
    struct onager_place place;
    const struct onager_type *array, *index;
};

/* Large values are pointed to. Others are as they are, with anything above their own bits. */
ONAGER_OWN int64_t onager_index_value(const struct onager_type *type, uintptr_t value) {
    unsigned bits = 1u << (type->info >> 1);
    if (bits > 8 * sizeof value) return INT64_MAX;
    unsigned unused = (unsigned)(8 * sizeof value) - bits;
    return type->info & 1 ? (int64_t)(value << unused) >> unused : (int64_t)(value << unused >> unused);
}

ONAGER_HOOK void __ubsan_handle_out_of_bounds(void *data, uintptr_t value);
ONAGER_HOOK void __ubsan_handle_out_of_bounds(void *data, uintptr_t value) {
    const struct onager_index *x = data;
    if (onager_watcher)
        onager_watcher->index(onager_watcher, &x->place, x->array->name, onager_index_value(x->index, value));
}

ONAGER_HOOK void __ubsan_handle_divrem_overflow(void *data, uintptr_t left, uintptr_t right);
ONAGER_HOOK void __ubsan_handle_divrem_overflow(void *data, uintptr_t left, uintptr_t right) {
    (void)left, (void)right;
    if (onager_watcher) onager_watcher->division(onager_watcher, data);
}

/* ---- The contract ---- */

ONAGER_OWN const char *onager_strict_raised(void) {
    const char *message = onager_raised_message;
    onager_raised_message = NULL;
    return message;
}

ONAGER_OWN void onager_strict_watch(struct onager_watcher *w) { onager_watcher = w; }

ONAGER_OWN void onager_strict_obligations(const state *s, uint32_t t) {
    uint32_t none;
    stubborn set = {ONAGER_NOTHING, &none, &none, UINT32_MAX};
    onager_model.obligations(s, t, &set);
}

extern const struct onager_proposition __start_onager_propositions[] __attribute__((weak, visibility("hidden")));
extern const struct onager_proposition __stop_onager_propositions[] __attribute__((weak, visibility("hidden")));

extern const struct onager_strict onager_strict;
__attribute__((visibility("default"))) const struct onager_strict onager_strict = {
    .abi = ONAGER_ABI,
    .native_size = sizeof(state),
    .field_count = sizeof onager_fields / sizeof onager_fields[0],
    .widened = ONAGER_WIDE,
    .fields = onager_fields,
    .propositions = __start_onager_propositions,
    .propositions_end = __stop_onager_propositions,
    .model = &onager_model,
    .raised = onager_strict_raised,
    .watch = onager_strict_watch,
    .obligations = onager_strict_obligations,
};

#endif
