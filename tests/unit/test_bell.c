/* Threads that wait for a number: none waits for ever, and what was written before a ring is seen after it. */
#include "unit.h"

#include <pthread.h>
#include <unistd.h>

#include "base/bell.h"

enum { PLAYERS = 6 };

static struct bell turn;
static unsigned plain, rounds; /* written by whoever has the turn, without further ado */
static double slept[PLAYERS];

/* Each waits for its own turn, and passes it on; now and then it takes its time, so that the others fall asleep. */
static void *play(void *argument) {
    unsigned me = (unsigned)(uintptr_t)argument;
    for (unsigned mine = me; mine < rounds; mine += PLAYERS) {
        for (unsigned now; (now = atomic_load_explicit(&turn.value, memory_order_acquire)) != mine;)
            bell_wait(&turn, now, &slept[me]);
        if (mine % 97 == 0) usleep(500);
        plain += mine;
        atomic_store_explicit(&turn.value, mine + 1, memory_order_release);
        bell_ring(&turn);
    }
    return NULL;
}

static void in_turn(void **unused) {
    pthread_t threads[PLAYERS];
    unsigned expected = 0;
    (void)unused;
    rounds = (unsigned)ROUNDS(6000);
    for (uintptr_t i = 0; i < PLAYERS; i++) assert_int_equal(pthread_create(&threads[i], NULL, play, (void *)i), 0);
    for (int i = 0; i < PLAYERS; i++) pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < rounds; i++) expected += i;
    assert_int_equal(plain, expected);
    assert_int_equal(turn.sleepers, 0);
    double all = 0;
    for (int i = 0; i < PLAYERS; i++) all += slept[i];
    assert_true(all > 0); /* they gave way */
}

/* A nap ends without a ring, and does not begin if the number has changed. */
static void naps(void **unused) {
    struct bell b = {.value = 7};
    double seconds = 0;
    (void)unused;
    for (int i = 0; i < 20; i++) bell_nap(&b, 7, 200, &seconds);
    assert_true(seconds >= 20 * 150e-6);
    bell_nap(&b, 6, 100000000, NULL);
    assert_int_equal(bell_wait(&b, 6, NULL), 7);
    bell_ring(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_turn), cmocka_unit_test(naps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
