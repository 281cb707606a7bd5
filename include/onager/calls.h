/* calls.h: what the functions of a model may call (see onager.h for their meaning). */
#ifndef ONAGER_CALLS_H
#define ONAGER_CALLS_H

/* Start files, which a model is compiled without, would have it. So atexit is refused by name, not by the linker. */
extern void *__dso_handle __attribute__((visibility("hidden")));
__attribute__((weak)) void *__dso_handle;

/* Variables of the thread have names that begin with onager_: a model may have none, and is searched for others. */
#ifdef ONAGER_OBSERVED
/* Stored in when it must not be, which is noticed: see observe.h. */
#define ONAGER_OF_THREAD
#elif defined ONAGER_STRICT /* one more plug-in: there is little room for memory of threads that is found fast */
#define ONAGER_OF_THREAD __thread
#else
#define ONAGER_OF_THREAD __thread __attribute__((tls_model("initial-exec")))
#endif

static ONAGER_OF_THREAD const char *onager_raised_message;

/* The compiler leaves the function out if nothing calls it; so the section is there if something may. */
__attribute__((unused, noinline)) static void model_error(const char *message) {
    __asm__ volatile(".pushsection onager_raises,\"a\"\n\t.byte 1\n\t.popsection");
#if defined ONAGER_OBSERVED && defined __x86_64__
    /* Whoever sees that this store fails finds the message, and who called, in the registers of the first and the third
     * argument. */
    __asm__ volatile("movq %1, %0"
                     : "=m"(onager_raised_message)
                     : "D"(message ? message : "(no message)"), "d"(__builtin_return_address(0)));
#else
    if (!onager_raised_message) onager_raised_message = message ? message : "(no message)";
#endif
}

#ifdef ONAGER_READ
/* There is nothing to format with, and nowhere to put it: it is always the same text. */
static const char onager_formatted[] __attribute__((unused)) = "(a text that is made by format)";

__attribute__((unused, cold, format(printf, 1, 2))) static const char *format(const char *fmt, ...) {
    (void)fmt;
    return onager_formatted;
}
#else
static ONAGER_OF_THREAD struct {
    char buffers[8][128];
    unsigned turn;
} onager_formatted __attribute__((unused));

__attribute__((unused, cold, format(printf, 1, 2))) static const char *format(const char *fmt, ...) {
    char *buffer = onager_formatted.buffers[onager_formatted.turn++ % 8];
    va_list args;
    va_start(args, fmt);
    vsnprintf(buffer, sizeof onager_formatted.buffers[0], fmt, args);
    va_end(args);
    return buffer;
}
#endif

/* Where obligations(s, t, set) puts what it is told. */
struct stubborn {
    uint32_t first; /* or one of the values below */
    uint32_t *list; /* the end of the list of the others so far */
    uint32_t *limit;
    uint32_t bad; /* a number that is out of range, or UINT32_MAX */
};

#define ONAGER_NOTHING UINT32_MAX
#define ONAGER_ALL (UINT32_MAX - 1)

ONAGER_INLINE void onager_oblige(stubborn *set, const unsigned *transitions, size_t count) {
#pragma GCC unroll 4
    for (size_t i = 0; i < count; i++) {
        if (transitions[i] >= onager_model.transitions) {
            /* UINT32_MAX, as of a rule that subtracts 1 from 0, must not look like "none". */
            if (set->bad == UINT32_MAX) set->bad = transitions[i] < UINT32_MAX ? transitions[i] : UINT32_MAX - 1;
        } else if (set->first == ONAGER_NOTHING) {
            set->first = transitions[i];
        } else if (set->list < set->limit) {
            *set->list++ = transitions[i];
        } else {
            set->first = ONAGER_ALL; /* no room: a larger set is as sound */
        }
    }
}

ONAGER_INLINE void stb_all(stubborn *set) { set->first = ONAGER_ALL; }

#endif
