#include "base/bell.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

void bell_ring(struct bell *b) {
    if (atomic_fetch_add(&b->sleepers, 0) > 0)
        syscall(SYS_futex, &b->value, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static void sleep_while(struct bell *b, unsigned value, const struct timespec *most, double *slept) {
    double begin = slept ? clock_seconds() : 0;
    atomic_fetch_add(&b->sleepers, 1);
    if (atomic_load(&b->value) == value) syscall(SYS_futex, &b->value, FUTEX_WAIT_PRIVATE, value, most, NULL, 0);
    atomic_fetch_sub(&b->sleepers, 1);
    if (slept) *slept += clock_seconds() - begin;
}

unsigned bell_wait(struct bell *b, unsigned value, double *slept) {
    unsigned now;
    for (int i = 0; i < BELL_SPINS; i++) {
        if ((now = atomic_load_explicit(&b->value, memory_order_acquire)) != value) return now;
        bell_pause();
    }
    while ((now = atomic_load_explicit(&b->value, memory_order_acquire)) == value) sleep_while(b, value, NULL, slept);
    return now;
}

void bell_nap(struct bell *b, unsigned value, unsigned microseconds, double *slept) {
    struct timespec most = {.tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000L};
    sleep_while(b, value, &most, slept);
}
