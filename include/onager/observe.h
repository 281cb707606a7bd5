/* observe.h: the code that a model is compiled with, instead of engine.h, to find out what a transition depends on, or,
 * with ONAGER_READ, all of its functions that look at a state.
 *
 * Who wants to know that calls `fire` on a state that lies on protected pages, where the processor reports each access
 * (src/code/page_watch.h): so it does not matter here by what means the code reads the state. What `fire` does can
 * depend on nothing else, if nothing else may change. Therefore
 *     - the plug-in is linked with nothing (-nostdlib -z defs): no function from outside can be called;
 *     - its writable data are made read-only when it is loaded, so that they stay what they are; a store is a fault;
 *     - it has no data of threads (ONAGER_OBSERVED).
 * So all states that agree on the bytes that were used agree on whether the transition is enabled, and on what it
 * changes.
 *
 * What compilers themselves call, and models use to copy, compare and fill, is here. It goes byte by byte, so that no
 * more is used than must be.
 */
#ifndef ONAGER_OBSERVE_H
#define ONAGER_OBSERVE_H

#ifndef ONAGER_OBSERVED
#error "onager: observe.h is for models that are compiled with -DONAGER_OBSERVED"
#endif

enum { onager_words = (sizeof(struct onager_bits) + ONAGER_MARK_BITS + 63) / 64 };

/* Volatile, so that no compiler makes a call of memcpy of the loop in memcpy. */
typedef volatile unsigned char onager_byte;
#define ONAGER_OWN __attribute__((visibility("hidden"), used))

ONAGER_OWN void *memcpy(void *restrict to, const void *restrict from, size_t size) {
    for (size_t i = 0; i < size; i++) ((onager_byte *)to)[i] = ((const onager_byte *)from)[i];
    return to;
}

ONAGER_OWN void *memmove(void *to, const void *from, size_t size) {
    if ((uintptr_t)to <= (uintptr_t)from) return memcpy(to, from, size);
    while (size-- > 0) ((onager_byte *)to)[size] = ((const onager_byte *)from)[size];
    return to;
}

ONAGER_OWN void *memset(void *to, int value, size_t size) {
    for (size_t i = 0; i < size; i++) ((onager_byte *)to)[i] = (unsigned char)value;
    return to;
}

ONAGER_OWN int memcmp(const void *a, const void *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        int x = ((const onager_byte *)a)[i], y = ((const onager_byte *)b)[i];
        if (x != y) return x - y;
    }
    return 0;
}

/* Compilers make calls of it of some calls of memcmp. */
int bcmp(const void *a, const void *b, size_t size);
ONAGER_OWN int bcmp(const void *a, const void *b, size_t size) { return memcmp(a, b, size); }

ONAGER_OWN size_t strlen(const char *text) {
    size_t n = 0;
    while (((const onager_byte *)text)[n]) n++;
    return n;
}

static bool onager_pack(const state *s, uint64_t *words) {
    uint64_t packed[onager_words + 1] = {1};
    uint64_t bad = onager_pack_fields(s, packed);
    for (size_t i = 0; i < onager_words; i++) words[i] = packed[i];
    return bad == 0;
}

static void onager_unpack(state *s, const uint64_t *words) {
    memset(s, 0, sizeof *s);
    onager_unpack_fields(s, words);
}

static bool onager_fire(state *s, unsigned t) { return onager_model.fire(s, t); }

/* With ONAGER_READ, all that looks at a state is offered, not only `fire`. */
#ifdef ONAGER_READ
static const char *onager_check_state(const state *s) {
    return onager_model.check_state ? onager_model.check_state(s) : NULL;
}
static const char *onager_check_deadlock(const state *s) {
    return onager_model.check_deadlock ? onager_model.check_deadlock(s) : NULL;
}
static bool onager_may_progress(const state *s) { return onager_model.may_progress && onager_model.may_progress(s); }
static bool onager_must_progress(const state *s) { return onager_model.must_progress && onager_model.must_progress(s); }
static const char *onager_action(const state *s, unsigned t) {
    return onager_model.action ? onager_model.action(s, t) : NULL;
}

extern const struct onager_proposition __start_onager_propositions[] __attribute__((weak, visibility("hidden")));
extern const struct onager_proposition __stop_onager_propositions[] __attribute__((weak, visibility("hidden")));
#endif

extern const struct onager_observer onager_observer;
__attribute__((visibility("default"))) const struct onager_observer onager_observer = {
    .abi = ONAGER_ABI,
    .native_size = sizeof(state),
    .words = onager_words,
    .field_count = sizeof onager_fields / sizeof onager_fields[0],
    .fields = onager_fields,
    .pack = onager_pack,
    .unpack = onager_unpack,
    .fire = onager_fire,
#ifdef ONAGER_READ
    .check_state = onager_check_state,
    .check_deadlock = onager_check_deadlock,
    .may_progress = onager_may_progress,
    .must_progress = onager_must_progress,
    .action = onager_action,
    .propositions = __start_onager_propositions,
    .propositions_end = __stop_onager_propositions,
    .raised = &onager_raised_message,
    .formatted = onager_formatted,
#endif
};

#endif
