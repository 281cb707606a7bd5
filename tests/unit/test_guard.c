/* Guards in several threads at once: what goes wrong in one thread is found there, and nowhere else. */
#include "unit.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "base/clock.h"
#include "code/guard.h"

static const double endless = 0.1;

enum deed { FINE, BUSY, ABORT, DIVISION, ACCESS, RECURSION, ENDLESS, EXIT, DEEDS };
static const int expected[DEEDS] = {0, 0, SIGABRT, SIGFPE, SIGSEGV, SIGSEGV, SIGPROF, -1};

static double thread_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

__attribute__((noinline)) static int recurse(volatile int *depth) {
    volatile char room[4096];
    room[0] = (char)++*depth;
    return *depth < 0 ? 0 : recurse(depth) + room[0];
}

/* Works longer than what counts as endless, but moves. */
static void work(volatile uint32_t *progress) {
    double start = thread_seconds();
    while (thread_seconds() - start < 2 * endless) ++*progress;
}

static void misbehave(enum deed deed, volatile uint32_t *progress) {
    volatile int depth = 0;
    switch (deed) {
    case BUSY: work(progress); break;
    case ABORT: abort();
    case DIVISION: raise(SIGFPE); break;
    case ACCESS: raise(SIGSEGV); break;
    case RECURSION: recurse(&depth); break;
    case ENDLESS:
        for (;;) {}
    case EXIT: exit(3);
    default: break;
    }
}

struct job {
    enum deed deed;
    int signal; /* -2: the guard said nothing though it was left early */
    double seconds;
    bool timed_out;
};

/* Guarded in a function of its own, so that no variable of the caller is at the mercy of the jump. */
static void attempt(struct guard *g, enum deed deed, volatile uint32_t *progress) {
    if (GUARD_ENTER(g)) {
        misbehave(deed, progress);
        guard_leave(g);
    }
}

static void *do_job(void *context) {
    struct job *job = context;
    struct guard g;
    volatile uint32_t progress = 0;
    double start = thread_seconds();
    guard_init(&g, endless);
    g.progress[0] = &progress;
    attempt(&g, job->deed, &progress);
    job->signal = g.signal;
    job->timed_out = guard_timed_out(&g);
    job->seconds = thread_seconds() - start;
    guard_fini(&g);
    return NULL;
}

/* Every deed twice, all at the same time, again and again. */
static void blames_the_right_thread(void **unused) {
    enum { THREADS = 2 * DEEDS };
    (void)unused;
    for (int round = 0; round < 2; round++) {
        pthread_t threads[THREADS];
        struct job jobs[THREADS];
        for (int i = 0; i < THREADS; i++) {
            jobs[i] = (struct job){.deed = (enum deed)((i + round) % DEEDS), .signal = -2};
            assert_int_equal(pthread_create(&threads[i], NULL, do_job, &jobs[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
        for (int i = 0; i < THREADS; i++) {
            assert_int_equal(jobs[i].signal, expected[jobs[i].deed]);
            assert_int_equal(jobs[i].timed_out, jobs[i].deed == ENDLESS);
            if (jobs[i].deed == ENDLESS) assert_true(jobs[i].seconds > 0.8 * endless && jobs[i].seconds < 5 * endless);
        }
    }
}

/* Ending one guard leaves the others of the thread and of the process as they are. */
static void guards_are_independent(void **unused) {
    struct guard first, second;
    volatile uint32_t progress = 0;
    (void)unused;
    guard_init(&first, endless);
    guard_init(&second, endless);
    attempt(&second, ACCESS, &progress);
    assert_int_equal(second.signal, SIGSEGV);
    guard_fini(&second);
    blames_the_right_thread(NULL);
    attempt(&first, RECURSION, &progress);
    assert_int_equal(first.signal, SIGSEGV);
    attempt(&first, ENDLESS, &progress);
    assert_true(guard_timed_out(&first));
    attempt(&first, FINE, &progress);
    assert_int_equal(first.signal, 0);
    guard_fini(&first);
}

static volatile sig_atomic_t own_signals;
static void own_handler(int signal) {
    (void)signal;
    own_signals++;
}

/* Handlers that the process had before work again afterwards. */
static void handlers_come_back(void **unused) {
    struct guard g;
    (void)unused;
    signal(SIGTRAP, own_handler);
    guard_init(&g, endless);
    guard_fini(&g);
    raise(SIGTRAP);
    assert_int_equal(own_signals, 1);
    raise(SIGPROF); /* as a tick that comes late */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blames_the_right_thread),
        cmocka_unit_test(guards_are_independent),
        cmocka_unit_test(handlers_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
