#include "base/team.h"

#include <assert.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"

struct team_member {
    struct team *team;
    unsigned number;
    _Alignas(64) atomic_uint next; /* the next task of its share */
    uint32_t end;                  /* of its share */
};

static void work(struct team *t, unsigned member) {
    if (t->each) {
        t->task(t->context, member, member);
        return;
    }
    /* Its own share first, then what is left of the others'. */
    for (unsigned k = 0; k < t->size; k++) {
        struct team_member *m = &t->members[(member + k) % t->size];
        for (uint32_t i; (i = atomic_fetch_add_explicit(&m->next, 1, memory_order_relaxed)) < m->end;)
            t->task(t->context, member, i);
    }
}

static void *be_member(void *member) {
    struct team_member *m = member;
    struct team *t = m->team;
    for (unsigned round = 0;;) {
        round = bell_wait(&t->round, round, NULL);
        if (t->ending) return NULL;
        assert(m->number > 0 && m->number < t->size); /* 0 is the caller */
        work(t, m->number);
        if (atomic_fetch_sub(&t->busy.value, 1) == 1) bell_ring(&t->busy);
    }
}

void team_init(struct team *t, unsigned size) {
    *t = (struct team){.size = 1};
    if (size == 0) size = 1;
    t->threads = memory_get_zeroed(size * sizeof *t->threads);
    t->members = memory_get_lines(size * sizeof *t->members);
    /* Signals that are not about a thread's own mistakes go to the caller. */
    sigset_t all, before;
    sigfillset(&all);
    for (const int *s = (const int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGPROF, 0}; *s; s++)
        sigdelset(&all, *s);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (; t->size < size; t->size++) {
        t->members[t->size].team = t;
        t->members[t->size].number = t->size;
        if (pthread_create(&t->threads[t->size], NULL, be_member, &t->members[t->size]) != 0) break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void begin_round(struct team *t) {
    assert(atomic_load_explicit(&t->busy.value, memory_order_relaxed) == 0); /* one run at a time */
    for (unsigned i = 0; i < t->size; i++) {
        uint32_t begin = (uint32_t)((uint64_t)t->tasks * i / t->size);
        atomic_store_explicit(&t->members[i].next, begin, memory_order_relaxed);
        t->members[i].end = (uint32_t)((uint64_t)t->tasks * (i + 1) / t->size);
    }
    atomic_store_explicit(&t->busy.value, t->size - 1, memory_order_relaxed);
    atomic_fetch_add(&t->round.value, 1);
    bell_ring(&t->round);
}

void team_fini(struct team *t) {
    t->ending = true;
    begin_round(t);
    for (unsigned i = 1; i < t->size; i++) pthread_join(t->threads[i], NULL);
    free(t->threads);
    free(t->members);
}

static void run_round(struct team *t) {
    begin_round(t);
    work(t, 0);
    for (unsigned busy; (busy = atomic_load_explicit(&t->busy.value, memory_order_acquire)) > 0;)
        bell_wait(&t->busy, busy, NULL);
}

void team_run(struct team *t, uint32_t tasks, team_task *task, void *context) {
    if (t->size == 1 || tasks < 2) {
        for (uint32_t i = 0; i < tasks; i++) task(context, 0, i);
        return;
    }
    t->task = task;
    t->context = context;
    t->tasks = tasks;
    t->each = false;
    run_round(t);
}

void team_each(struct team *t, team_task *task, void *context) {
    t->task = task;
    t->context = context;
    t->each = true;
    if (t->size > 1) run_round(t);
    else task(context, 0, 0);
}

unsigned team_cores_within(const char *quota, unsigned cores) {
    unsigned long long time, period;
    if (sscanf(quota, "%llu %llu", &time, &period) != 2 || period == 0) return cores; /* "max PERIOD", mostly */
    unsigned long long share = time / period + (time % period != 0);
    return share < 1 ? 1 : share < cores ? (unsigned)share : cores;
}

unsigned team_cores(void) {
    cpu_set_t set;
    char quota[64] = "";
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    FILE *in = fopen("/sys/fs/cgroup/cpu.max", "re");
    if (in && !fgets(quota, sizeof quota, in)) *quota = 0;
    if (in) fclose(in);
    return team_cores_within(quota, n > 0 ? (unsigned)n : 1);
}
