#include "search/bfs.h"

#include <stdlib.h>
#include <string.h>

#include "search/edges.h"

/* One search. */
struct bfs {
    struct space *s;
    const struct bfs_goals *goals;
    struct stop *stop;
    struct ts_batch batch; /* expansion */
    struct ts_batch found; /* classification of new states */
    struct walk queue;
    uint32_t *fresh; /* indices of successors that are new */
    uint32_t fresh_count;
    word *fresh_states;
    uint64_t level_end; /* number of the first state of the next level */
};

static void bfs_init(struct bfs *b, struct space *s, const struct bfs_goals *goals, struct stop *stop) {
    uint32_t sources = ts_batch_states(s->ts);
    size_t successors = (size_t)sources * s->ts->transitions + 1;
    *b = (struct bfs){.s = s, .goals = goals, .stop = stop};
    ts_batch_init(&b->batch, s->ts, sources);
    b->found.classes = memory_get(successors);
    b->fresh = memory_get(successors * sizeof *b->fresh);
    b->fresh_states = memory_get(successors * s->ts->words * sizeof(word));
}

static void bfs_fini(struct bfs *b) {
    ts_batch_fini(&b->batch);
    free(b->found.classes);
    free(b->fresh);
    free(b->fresh_states);
}

/* What the first source, or new state, with something wrong in this batch is. */
struct finding {
    enum stop_kind kind;   /* STOP_DONE: nothing */
    uint32_t source;       /* index in the batch where it was found */
    uint32_t edge;         /* edges of the batch up to then */
    uint64_t state;        /* number of the state to report */
    struct ts_fault fault; /* STOP_FAULT */
};

/* Sources without successors. The first illegal one, if any. */
static struct finding look_at_terminals(struct bfs *b, uint32_t done) {
    const struct ts *ts = b->s->ts;
    struct finding none = {.kind = STOP_DONE, .source = UINT32_MAX};
    for (uint32_t i = 0, begin = 0; i < done; begin = b->batch.ends[i++]) {
        if (b->batch.ends[i] != begin) continue;
        b->s->terminals++;
        const char *message = NULL;
        struct finding here = {.kind = STOP_DEADLOCK, .source = i, .edge = begin, .state = b->queue.first + i};
        if (b->goals->any_terminal) return here;
        if (!b->goals->check_deadlock) continue;
        if (!ts->ops->check(b->s->worker, b->queue.states + (size_t)i * ts->words, TS_CHECK_DEADLOCK, &message,
                            &here.fault))
            here.kind = STOP_FAULT;
        if (message || here.kind == STOP_FAULT) return here;
    }
    return none;
}

/* The first of the new states that is of a class to stop at. */
static struct finding look_at_fresh(struct bfs *b, uint64_t first_number) {
    struct finding none = {.kind = STOP_DONE, .source = UINT32_MAX};
    if (!b->goals->classes || !b->fresh_count) return none;
    b->found.sources = b->fresh_states;
    b->found.count = b->fresh_count;
    b->found.wanted = b->goals->classes;
    uint32_t done = b->s->ts->ops->classify(b->s->worker, &b->found), i = 0;
    while (i < done && !b->found.classes[i]) i++;
    if (i == b->fresh_count) return none;
    struct finding here = {.kind = STOP_BAD_STATE, .edge = b->fresh[i] + 1, .state = first_number + i};
    while (here.source + 1 < b->batch.count && b->batch.ends[here.source] <= b->fresh[i]) here.source++;
    if (i == done) {
        here.kind = STOP_FAULT;
        here.fault = b->found.fault;
    }
    return here;
}

/* Ends the search at a finding: counts what had happened until then. */
static void end_at(struct bfs *b, struct finding at, uint64_t states_before) {
    struct space *s = b->s;
    uint32_t fresh = 0;
    while (fresh < b->fresh_count && b->fresh[fresh] < at.edge) fresh++;
    s->states = states_before + fresh;
    s->edges += at.edge;
    *b->stop = (struct stop){.kind = at.kind, .state = at.state, .fault = at.fault};
}

/* Looks up all successors of the batch and keeps the new ones. False: no memory is left. */
static bool keep_successors(struct bfs *b, uint32_t successors) {
    struct space *s = b->s;
    uint32_t words = s->ts->words;
    uint32_t looked_at = table_insert(&s->table, b->batch.successors, successors, b->fresh, &b->fresh_count);
    for (uint32_t i = 0; i < b->fresh_count; i++) {
        const word *state = b->batch.successors + (size_t)b->fresh[i] * words;
        for (uint32_t k = 0; k < words; k++) b->fresh_states[(size_t)i * words + k] = state[k];
        trail_add(&s->trail, state);
    }
    return looked_at == successors;
}

/* A level ends where the last state of it was expanded, which may be inside the batch. */
static void note_levels(struct bfs *b, uint64_t states_before, uint32_t done) {
    uint32_t fresh = 0;
    while (b->level_end > b->queue.first && b->level_end <= b->queue.first + done) {
        uint32_t edge = b->batch.ends[b->level_end - b->queue.first - 1];
        while (fresh < b->fresh_count && b->fresh[fresh] < edge) fresh++;
        if (states_before + fresh == b->level_end) return;
        numbers_add(&b->s->levels, b->level_end);
        b->level_end = states_before + fresh;
    }
}

/* Expands a batch of states and deals with what comes out. False: the search has ended. */
static bool expand_batch(struct bfs *b) {
    struct space *s = b->s;
    uint64_t states_before = s->states;
    b->batch.sources = b->queue.states;
    b->batch.count = b->queue.count;
    uint32_t done = s->ts->ops->expand(s->worker, &b->batch);
    uint32_t successors = done ? b->batch.ends[done - 1] : 0;
    bool kept = keep_successors(b, successors);
    note_levels(b, states_before, done);

    struct finding bad = look_at_fresh(b, states_before);
    struct finding end = look_at_terminals(b, bad.source < done ? bad.source : done);
    if (bad.source < end.source) end = bad;
    if (end.kind != STOP_DONE) return end_at(b, end, states_before), false;

    s->states += b->fresh_count;
    s->edges += successors;
    if (s->edges_kept && done == b->batch.count) edges_note(s, &b->batch);
    if (!kept) {
        *b->stop = (struct stop){.kind = STOP_LIMIT, .reason = "the limit on memory (--max-memory) was reached"};
        return false;
    }
    if (done < b->batch.count) {
        *b->stop = (struct stop){.kind = STOP_FAULT, .state = b->queue.first + done, .fault = b->batch.fault};
        return false;
    }
    return true;
}

/* The initial state is treated as the only successor of nothing. */
static bool begin(struct bfs *b, const word *start) {
    struct space *s = b->s;
    memcpy(b->batch.successors, start, s->ts->words * sizeof(word));
    b->batch.count = 1;
    b->batch.ends[0] = 1;
    if (!keep_successors(b, 1)) {
        *b->stop = (struct stop){.kind = STOP_LIMIT, .reason = "the limit on memory (--max-memory) was reached"};
        return false;
    }
    numbers_add(&s->levels, 0);
    b->level_end = 1;
    s->states = 1;
    struct finding bad = look_at_fresh(b, 0);
    if (bad.kind != STOP_DONE) *b->stop = (struct stop){.kind = bad.kind, .state = 0, .fault = bad.fault};
    return bad.kind == STOP_DONE;
}

void bfs_run(struct space *s, const word *start, const struct bfs_goals *goals, struct stop *stop) {
    struct bfs b;
    *stop = (struct stop){.kind = STOP_DONE};
    bfs_init(&b, s, goals, stop);
    walk_init(&b.queue, s, false, 0, b.batch.capacity);
    if (begin(&b, start)) {
        while (walk_next(&b.queue, stop)) {
            if (!expand_batch(&b)) break;
            if (space_must_stop(s, "exploring", b.queue.at, s->states, stop)) break;
        }
    }
    if (s->trail.count > b.level_end) numbers_add(&s->levels, b.level_end); /* a level that is not complete */
    walk_fini(&b.queue);
    bfs_fini(&b);
}
