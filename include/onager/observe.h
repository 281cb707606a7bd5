/* observe.h: the code that a model is compiled with, instead of engine.h, to find out what a transition depends on.
 *
 * It is compiled with -fsanitize=thread, which makes the compiler call a function at each access to memory; here, these
 * functions are our own, and note which bytes of the state are read or stored. What `fire` does can depend on nothing
 * else, if it uses nothing else that may change: no variable of the file, and nothing outside, which the linker sees to
 * (-z defs). So all states that agree on these bytes agree on whether the transition is enabled, and on what it
 * changes.
 *
 * Nothing here is for two threads at a time.
 */
#ifndef ONAGER_OBSERVE_H
#define ONAGER_OBSERVE_H

enum { onager_words = (sizeof(struct onager_bits) + ONAGER_MARK_BITS + 63) / 64 };

#define ONAGER_HOOK __attribute__((no_sanitize("thread"), visibility("hidden"), used))

static state onager_object;
static struct onager_watch {
    state used; /* bytes of the object that were read or stored are not 0 */
    const char *stack;
    bool on, other; /* other memory than the object and the stack was used */
} onager_watch;

enum { onager_stack = 1 << 20 }; /* bytes of it that model code may use */

ONAGER_HOOK void onager_note(const void *where, size_t size);
ONAGER_HOOK void onager_note(const void *where, size_t size) {
    const char *p = where, *object = (const char *)&onager_object, *top = onager_watch.stack;
    if (!onager_watch.on) return;
    if (p >= object && p + size <= object + sizeof onager_object) {
        volatile char *used = (volatile char *)&onager_watch.used + (p - object);
        for (size_t i = 0; i < size; i++) used[i] = -1;
    } else if (p > top || p < top - onager_stack) {
        onager_watch.other = true;
    }
}

/* What is called between these is watched. */
ONAGER_HOOK void onager_begin(const char *stack);
ONAGER_HOOK void onager_begin(const char *stack) {
    onager_watch.stack = stack;
    onager_watch.other = false;
    onager_watch.on = true;
}
ONAGER_HOOK void onager_end(void);
ONAGER_HOOK void onager_end(void) { onager_watch.on = false; }

#define ONAGER_HOOKS(bytes)                                                                                            \
    ONAGER_HOOK void __tsan_read##bytes(void *p);                                                                      \
    ONAGER_HOOK void __tsan_read##bytes(void *p) { onager_note(p, bytes); }                                            \
    ONAGER_HOOK void __tsan_write##bytes(void *p);                                                                     \
    ONAGER_HOOK void __tsan_write##bytes(void *p) { onager_note(p, bytes); }                                           \
    ONAGER_HOOK void __tsan_unaligned_read##bytes(void *p);                                                            \
    ONAGER_HOOK void __tsan_unaligned_read##bytes(void *p) { onager_note(p, bytes); }                                  \
    ONAGER_HOOK void __tsan_unaligned_write##bytes(void *p);                                                           \
    ONAGER_HOOK void __tsan_unaligned_write##bytes(void *p) { onager_note(p, bytes); }
ONAGER_HOOKS(1)
ONAGER_HOOKS(2)
ONAGER_HOOKS(4)
ONAGER_HOOKS(8)
ONAGER_HOOKS(16)
ONAGER_HOOK void __tsan_read_range(void *p, size_t size);
ONAGER_HOOK void __tsan_read_range(void *p, size_t size) { onager_note(p, size); }
ONAGER_HOOK void __tsan_write_range(void *p, size_t size);
ONAGER_HOOK void __tsan_write_range(void *p, size_t size) { onager_note(p, size); }
ONAGER_HOOK void __tsan_func_entry(void *p);
ONAGER_HOOK void __tsan_func_entry(void *p) { (void)p; }
ONAGER_HOOK void __tsan_func_exit(void);
ONAGER_HOOK void __tsan_func_exit(void) {}
ONAGER_HOOK void __tsan_init(void);
ONAGER_HOOK void __tsan_init(void) {}

/* See plugin.h. The compiler must not see what is called: it would put it in here, where it knows the object. */
static int onager_observe(const uint64_t *words, uint32_t t, uint64_t *out, uint64_t *uses) {
    bool (*volatile fire)(state *, unsigned) = onager_model.fire;
    state *volatile object = &onager_object;
    uint64_t packed[onager_words + 1] = {1};
    for (size_t i = 0; i < sizeof(state); i++) ((char *)object)[i] = ((char *)&onager_watch.used)[i] = 0;
    onager_unpack_fields(object, words);
    onager_begin(__builtin_frame_address(0));
    bool fired = fire(object, t);
    onager_end();
    if (onager_watch.other || onager_raised_message || onager_pack_fields(object, packed) != 0) return -1;
    for (size_t i = 0; i < onager_words; i++) out[i] = packed[i], packed[i] = 0;
    onager_pack_fields(&onager_watch.used, packed);
    for (size_t i = 0; i < onager_words; i++) uses[i] = packed[i];
    return fired;
}

extern const struct onager_observer onager_observer;
__attribute__((visibility("default"))) const struct onager_observer onager_observer = {ONAGER_ABI, onager_observe};

#endif
