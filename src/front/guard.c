#include "front/guard.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "base/memory.h"

enum { STACK_BYTES = 128 << 10, TICKS = 5, CALLED_EXIT = -1 };

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
enum { CRASH_SIGNALS = sizeof crash_signals / sizeof crash_signals[0] };

static __thread struct guard *active;

static void unblock(int signal) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void escape(struct guard *g, int signal) {
    g->signal = signal;
    active = NULL;
    if (signal > 0) unblock(signal);
    siglongjmp(g->escape, 1);
}

static void on_crash(int signal) {
    struct guard *g = active;
    if (g) escape(g, signal);
    /* Not the model's fault but ours: let it be seen. */
    sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    unblock(signal);
    raise(signal);
}

static void on_tick(int signal) {
    struct guard *g = active;
    if (!g) return;
    bool moved = g->seen_beat != g->beat;
    g->seen_beat = g->beat;
    for (int i = 0; i < 2; i++) {
        uint32_t now = g->progress[i] ? *g->progress[i] : 0;
        moved |= now != g->seen_progress[i];
        g->seen_progress[i] = now;
    }
    g->still_ticks = moved ? 0 : g->still_ticks + 1;
    if (g->still_ticks >= TICKS) escape(g, signal);
}

/* Model code that calls exit() must not end the run with a status that looks like a verdict. Leaving exit by a jump is
 * possible where handlers may call exit again, as in glibc. */
static void on_exit_call(void) {
    if (active) escape(active, CALLED_EXIT);
}

void guard_init(struct guard *g, double endless) {
    *g = (struct guard){.stack = memory_get(STACK_BYTES)};
    sigaltstack(&(stack_t){.ss_sp = g->stack, .ss_size = STACK_BYTES}, NULL);
    struct sigaction crash = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    for (int i = 0; i < CRASH_SIGNALS; i++) sigaction(crash_signals[i], &crash, NULL);
    sigaction(SIGPROF, &(struct sigaction){.sa_handler = on_tick, .sa_flags = SA_ONSTACK | SA_RESTART}, NULL);
    long tick = (long)(endless * 1e6 / TICKS);
    if (tick < 1000) tick = 1000;
    struct timeval interval = {tick / 1000000, tick % 1000000};
    setitimer(ITIMER_PROF, &(struct itimerval){interval, interval}, NULL);
    atexit(on_exit_call); /* once for each guard: a handler is used up when model code exits */
}

void guard_fini(struct guard *g) {
    setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);
    for (int i = 0; i < CRASH_SIGNALS; i++) signal(crash_signals[i], SIG_DFL);
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    free(g->stack);
    g->stack = NULL;
}

bool guard_enter(struct guard *g) {
    g->beat++;
    g->signal = 0;
    active = g;
    return true;
}

void guard_leave(struct guard *g) {
    (void)g;
    active = NULL;
}

bool guard_timed_out(const struct guard *g) { return g->signal == SIGPROF; }

const char *guard_reason(const struct guard *g) {
    switch (g->signal) {
    case SIGSEGV: return "memory access violation, perhaps an index out of bounds or endless recursion (SIGSEGV)";
    case SIGBUS: return "memory access violation (SIGBUS)";
    case SIGFPE: return "arithmetic fault, such as a division by zero (SIGFPE)";
    case SIGILL: return "a trap: an array index out of bounds, or arithmetic that has no result (SIGILL)";
    case SIGTRAP: return "trap (SIGTRAP)";
    case CALLED_EXIT: return "it called exit()";
    case SIGABRT: return "abort() or a failed assertion (SIGABRT)";
    default: return "unknown signal";
    }
}
