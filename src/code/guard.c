#include "code/guard.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/effort.h"
#include "base/interim.h"
#include "base/memory.h"

#ifndef sigev_notify_thread_id /* not every libc names it */
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum { STACK_BYTES = 128 << 10, TICKS = 5, CALLED_EXIT = -1 };
#define LONGEST_TICK 0.1 /* seconds: so soon is looked whether the effort is called off */

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
enum { CRASH_SIGNALS = sizeof crash_signals / sizeof crash_signals[0] };

static __thread struct guard *active;

/* What the guards of one thread share. */
static __thread struct {
    unsigned guards;
    void *stack;   /* for handlers, since the model's stack may be what overflowed */
    stack_t other; /* what was there before */
    timer_t timer;
    bool watched;   /* there is a timer */
    unsigned ticks; /* of it that are the time limit */
} thread;

/* What all threads share. */
static struct {
    pthread_mutex_t lock;
    unsigned threads;                         /* that have guards */
    struct sigaction previous[CRASH_SIGNALS]; /* what these did before */
} process = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* All that handlers block: one may have come while another was at work. */
static void unblock(void) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < CRASH_SIGNALS; i++) sigaddset(&set, crash_signals[i]);
    sigaddset(&set, SIGPROF);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void escape(struct guard *g, int signal) {
    g->signal = signal;
    active = NULL;
    if (signal > 0) unblock();
    siglongjmp(g->escape, 1);
}

static const void *instruction_of(const void *context) {
#if defined __x86_64__
    return (const void *)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
    return (const void *)((const ucontext_t *)context)->uc_mcontext.pc;
#else
    return (void)context, NULL;
#endif
}

static void on_crash(int signal, siginfo_t *info, void *context) {
    struct guard *g = active;
    if (g && g->look && g->look(g->looker, signal, info, context)) return;
    if (g) {
        g->address = signal == SIGSEGV || signal == SIGBUS ? info->si_addr : NULL;
        g->instruction = instruction_of(context);
        escape(g, signal);
    }
    /* Not the model's fault but ours: let it be seen. */
    interim_remove_all();
    sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    unblock();
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
    if (g->still_ticks >= thread.ticks || effort_is_called_off(g->effort)) escape(g, signal);
}

/* Model code that calls exit() must not end the run with a status that looks like a verdict. Leaving exit by a jump is
 * possible where handlers may call exit again, as in glibc. */
static void on_exit_call(void) {
    if (active) escape(active, CALLED_EXIT);
}

/* ---- Preparing the process and the thread ---- */

static void process_enter(void) {
    struct sigaction crash = {.sa_sigaction = on_crash, .sa_flags = SA_ONSTACK | SA_SIGINFO};
    struct sigaction tick = {.sa_handler = on_tick, .sa_flags = SA_ONSTACK | SA_RESTART};
    sigemptyset(&crash.sa_mask);
    sigaddset(&crash.sa_mask, SIGPROF); /* a tick waits until a crash is dealt with */
    pthread_mutex_lock(&process.lock);
    if (process.threads++ == 0) {
        for (int i = 0; i < CRASH_SIGNALS; i++) sigaction(crash_signals[i], &crash, &process.previous[i]);
        sigaction(SIGPROF, &tick, NULL); /* for good: a tick that comes late must not end the process */
    }
    pthread_mutex_unlock(&process.lock);
}

static void process_leave(void) {
    pthread_mutex_lock(&process.lock);
    assert(process.threads > 0);
    if (--process.threads == 0)
        for (int i = 0; i < CRASH_SIGNALS; i++) sigaction(crash_signals[i], &process.previous[i], NULL);
    pthread_mutex_unlock(&process.lock);
}

/* A timer of the process would signal to any thread that happens to run, and count for all of them together. */
static void thread_enter(void) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
    event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
    process_enter();
    thread.stack = memory_get(STACK_BYTES);
    sigaltstack(&(stack_t){.ss_sp = thread.stack, .ss_size = STACK_BYTES}, &thread.other);
    thread.watched = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &thread.timer) == 0;
}

static void thread_leave(void) {
    if (thread.watched) timer_delete(thread.timer);
    sigaltstack(&thread.other, NULL);
    free(thread.stack);
    process_leave();
}

void guard_init(struct guard *g, double endless) {
    *g = (struct guard){0};
    if (thread.guards++ == 0) thread_enter();
    double tick = endless / TICKS > 0.001 ? endless / TICKS : 0.001;
    if (tick > LONGEST_TICK) tick = LONGEST_TICK;
    thread.ticks = endless / tick > TICKS ? (unsigned)(endless / tick + 0.5) : TICKS;
    struct timespec interval = {(time_t)tick, (long)((tick - (double)(time_t)tick) * 1e9)};
    if (thread.watched) timer_settime(thread.timer, 0, &(struct itimerspec){interval, interval}, NULL);
    atexit(on_exit_call); /* once for each guard: a handler is used up when model code exits */
}

void guard_fini(struct guard *g) {
    if (active == g) active = NULL;
    assert(thread.guards > 0); /* it was made by this thread */
    if (--thread.guards == 0) thread_leave();
}

bool guard_enter(struct guard *g) {
    assert(thread.guards > 0 && !active); /* this thread has a stack for handlers, and is not in model code */
    g->beat++;
    g->signal = 0;
    g->address = NULL;
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
