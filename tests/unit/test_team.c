/* Threads that share tasks: each task once, whatever the number of members, and what they did is seen afterwards. */
#include "unit.h"

#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "base/team.h"

enum { MOST_MEMBERS = 16, MOST_TASKS = 5000 };

/* What tasks note. Asserting is for the main thread: cmocka does not expect others. */
struct notes {
    unsigned size;
    atomic_uint times[MOST_TASKS]; /* how often each task was done */
    atomic_uint strange;           /* things that must not happen */
    pthread_t threads[MOST_MEMBERS];
    bool known[MOST_MEMBERS];         /* of which member the thread is known */
    unsigned back[MOST_MEMBERS];      /* how often each member did a lower task than before */
    uint32_t last_task[MOST_MEMBERS]; /* of each member in this run, plus one */
    unsigned plain[MOST_TASKS];       /* written without further ado, to be read after the run */
    pthread_barrier_t meeting;
};

static void note_member(struct notes *n, unsigned member) {
    if (member >= n->size) {
        n->strange++;
        return;
    }
    if (!n->known[member]) n->threads[member] = pthread_self();
    else if (!pthread_equal(n->threads[member], pthread_self())) n->strange++;
    n->known[member] = true;
}

static void note(void *context, unsigned member, uint32_t task) {
    struct notes *n = context;
    note_member(n, member);
    atomic_fetch_add(&n->times[task], 1);
    n->plain[task] = member + 100;
    /* Shares are done in order, from whose they are on: a member comes back to lower tasks once, if ever. */
    if (task + 1 <= n->last_task[member] && ++n->back[member] > 1) n->strange++;
    n->last_task[member] = task + 1;
}

static void run(struct team *t, struct notes *n, uint32_t tasks) {
    memset(n->back, 0, sizeof n->back);
    memset(n->last_task, 0, sizeof n->last_task);
    memset(n->times, 0, sizeof n->times);
    memset(n->plain, 0, sizeof n->plain);
    team_run(t, tasks, note, n);
    assert_int_equal(n->strange, 0);
    for (uint32_t i = 0; i < MOST_TASKS; i++) {
        assert_int_equal(n->times[i], i < tasks);
        assert_int_equal(n->plain[i] >= 100, i < tasks);
    }
}

static void each_task_once(void **unused) {
    static const uint32_t tasks[] = {0, 1, 2, 3, 7, 15, 16, 17, 100, MOST_TASKS};
    static struct notes n;
    (void)unused;
    for (unsigned size = 1; size <= MOST_MEMBERS; size += FEWER ? 5 : 1) {
        struct team t;
        team_init(&t, size);
        assert_int_equal(t.size, size);
        memset(&n, 0, sizeof n);
        n.size = size;
        for (size_t i = 0; i < COUNT(tasks); i++) run(&t, &n, tasks[i]);
        assert_true(n.known[0] && pthread_equal(n.threads[0], pthread_self()));
        for (unsigned a = 0; a < size; a++)
            for (unsigned b = 0; b < a; b++)
                assert_false(n.known[a] && n.known[b] && pthread_equal(n.threads[a], n.threads[b]));
        team_fini(&t);
    }
}

static void no_size_is_one(void **unused) {
    static struct notes n;
    struct team t;
    (void)unused;
    team_init(&t, 0);
    assert_int_equal(t.size, 1);
    n.size = 1;
    run(&t, &n, 10);
    team_fini(&t);
}

/* ---- One task for each member ---- */

/* All meet, so that none can do the task of another. */
static void meet(void *context, unsigned member, uint32_t task) {
    struct notes *n = context;
    pthread_barrier_wait(&n->meeting);
    note_member(n, member);
    if (task != member) n->strange++;
    n->plain[task]++;
}

static void each_member_once(void **unused) {
    static struct notes n;
    (void)unused;
    for (unsigned size = 1; size <= MOST_MEMBERS; size += FEWER ? 5 : 1) {
        struct team t;
        team_init(&t, size);
        memset(&n, 0, sizeof n);
        n.size = size;
        assert_int_equal(pthread_barrier_init(&n.meeting, NULL, size), 0);
        for (unsigned round = 1; round <= 5; round++) {
            team_each(&t, meet, &n);
            assert_int_equal(n.strange, 0);
            for (unsigned i = 0; i < MOST_MEMBERS; i++) assert_int_equal(n.plain[i], i < size ? round : 0);
            memset(n.last_task, 0, sizeof n.last_task);
            memset(n.back, 0, sizeof n.back);
            team_run(&t, 20, note, &n); /* the other kind in between leaves no traces */
            memset(n.plain + size, 0, sizeof n.plain - size * sizeof n.plain[0]);
            for (unsigned i = 0; i < size; i++) n.plain[i] = round;
        }
        assert_int_equal(n.strange, 0);
        pthread_barrier_destroy(&n.meeting);
        team_fini(&t);
    }
}

/* ---- Many runs ---- */

struct sums {
    uint64_t in[8], out[8];
};

static void add(void *context, unsigned member, uint32_t task) {
    struct sums *s = context;
    (void)member;
    s->out[task] += s->in[task];
}

/* What the caller wrote before a run is seen in it, and what was written in it is seen after it, without locks. */
static void short_runs(void **unused) {
    static const unsigned sizes[] = {2, 3, 8};
    (void)unused;
    for (size_t k = 0; k < COUNT(sizes); k++) {
        struct team t;
        struct sums s = {{0}, {0}};
        uint64_t expected[8] = {0};
        team_init(&t, sizes[k]);
        for (uint64_t round = 0; round < ROUNDS(4000); round++) {
            uint32_t tasks = (uint32_t)(round % 9);
            for (uint32_t i = 0; i < 8; i++) s.in[i] = round * i;
            team_run(&t, tasks, add, &s);
            for (uint32_t i = 0; i < 8; i++) {
                if (i < tasks) expected[i] += round * i;
                assert_true(s.out[i] == expected[i]);
            }
        }
        team_fini(&t);
    }
}

static void slow(void *context, unsigned member, uint32_t task) {
    if (member > 0) usleep(3000);
    add(context, member, task);
}

/* Long enough pauses that whoever waits falls asleep: members between runs, the caller for the last member. */
static void long_waits(void **unused) {
    struct team t;
    struct sums s = {{1, 2, 3, 4, 5, 6, 7, 8}, {0}};
    (void)unused;
    team_init(&t, 4);
    for (uint64_t round = 1; round <= 20; round++) {
        usleep(3000);
        team_run(&t, 8, slow, &s);
        for (uint32_t i = 0; i < 8; i++) assert_true(s.out[i] == round * s.in[i]);
        team_each(&t, slow, &s);
        for (uint32_t i = 0; i < 4; i++) s.out[i] -= s.in[i];
    }
    team_fini(&t);
}

static void short_lives(void **unused) {
    (void)unused;
    for (unsigned i = 0; i < ROUNDS(200); i++) {
        struct team t, other;
        struct sums s = {{1, 2, 3, 4, 5, 6, 7, 8}, {0}};
        team_init(&t, 1 + i % 5);
        team_init(&other, 1 + i % 3);
        if (i % 2) team_run(&t, 8, add, &s);
        if (i % 3) team_run(&other, 8, add, &s);
        team_fini(&other);
        team_fini(&t);
        for (uint32_t k = 0; k < 8; k++) assert_true(s.out[k] == s.in[k] * ((i % 2 != 0) + (i % 3 != 0)));
    }
}

/* ---- What the system is asked for ---- */

static void look_at_signals(void *context, unsigned member, uint32_t task) {
    struct notes *n = context;
    sigset_t set;
    (void)task;
    pthread_sigmask(SIG_SETMASK, NULL, &set);
    bool others = sigismember(&set, SIGINT) && sigismember(&set, SIGTERM) && sigismember(&set, SIGALRM);
    bool own = sigismember(&set, SIGSEGV) || sigismember(&set, SIGFPE) || sigismember(&set, SIGPROF);
    if (own || others != (member > 0)) n->strange++;
}

/* An interrupt comes to the caller; a crash stays with the thread that made it. */
static void signals(void **unused) {
    static struct notes n;
    struct team t;
    (void)unused;
    team_init(&t, 4);
    team_each(&t, look_at_signals, &n);
    assert_int_equal(n.strange, 0);
    team_fini(&t);
}

static void cores(void **unused) {
    cpu_set_t all, one;
    (void)unused;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_in_range(team_cores(), 1, (unsigned)sysconf(_SC_NPROCESSORS_CONF));
    int cpu = 0;
    while (!CPU_ISSET(cpu, &all)) cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(team_cores(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_in_range(team_cores(), 1, (unsigned)CPU_COUNT(&all)); /* fewer where only a share of their time is ours */
    assert_int_equal(team_cores_within("", 8), 8);
    assert_int_equal(team_cores_within("max 100000\n", 8), 8);
    assert_int_equal(team_cores_within("100000 0\n", 8), 8);
    assert_int_equal(team_cores_within("200000 100000\n", 8), 2);
    assert_int_equal(team_cores_within("150000 100000\n", 8), 2);
    assert_int_equal(team_cores_within("1000 100000\n", 8), 1);
    assert_int_equal(team_cores_within("0 100000\n", 8), 1);
    assert_int_equal(team_cores_within("900000 100000\n", 8), 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_task_once), cmocka_unit_test(no_size_is_one), cmocka_unit_test(each_member_once),
        cmocka_unit_test(short_runs),     cmocka_unit_test(long_waits),     cmocka_unit_test(short_lives),
        cmocka_unit_test(signals),        cmocka_unit_test(cores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
