#include "search/bfs.h"

#include <stdlib.h>
#include <string.h>

#include "search/edges.h"
#include "search/stages.h"

/* Blocks of states go through the stages (stages.h) one behind the other, so that all threads have something to do: in
 * a round, one block is expanded, the block before it is inserted, and so on. What only one thread can do is done by
 * one of them, the clerk, in the same round: the oldest block, if it has been through all stages, is finished, which
 * means that new states go to the trail; and the next one is read from there. A level ends when all its blocks are
 * finished. */

/* A task of the round; without a block it is the clerk's. */
struct job {
    struct block *block;
    uint32_t task;
};

/* One search. */
struct bfs {
    struct space *s;
    struct stop *stop;
    struct stages stages;
    struct block blocks[MOST_BLOCKS]; /* in use: `begun` - `finished`, from number finished % MOST_BLOCKS on */
    uint64_t begun, finished;
    bool ended;     /* as *stop says */
    bool ending;    /* nothing more is read: something was found, or */
    bool no_room;   /* ... there is no memory for a block, or not for all of it: then */
    struct before { /* ... how it was before the first such block */
        bool known;
        uint64_t at, edges, terminals;
    } before;
    struct job *jobs;
    uint64_t at;        /* number of the first state that is not finished */
    uint64_t next;      /* number of the next state to read */
    uint64_t level_end; /* number of the first state of the next level */
};

static void bfs_init(struct bfs *b, struct space *s, const struct bfs_goals *goals, struct stop *stop) {
    *stop = (struct stop){.kind = STOP_DONE};
    *b = (struct bfs){.s = s, .stop = stop};
    stages_init(&b->stages, s, goals);
    for (unsigned i = 0; i < MOST_BLOCKS; i++) block_init(&b->blocks[i], &b->stages);
    uint32_t most = b->stages.chunk_room > b->stages.shards ? b->stages.chunk_room : b->stages.shards;
    b->jobs = memory_get((MOST_STAGES * most + 1) * sizeof *b->jobs);
}

static void bfs_fini(struct bfs *b) {
    for (unsigned i = 0; i < MOST_BLOCKS; i++) block_fini(&b->blocks[i], &b->stages);
    stages_fini(&b->stages);
    free(b->jobs);
}

static struct block *block_at(struct bfs *b, uint64_t number) { return &b->blocks[number % MOST_BLOCKS]; }

static bool no_memory(struct bfs *b) {
    *b->stop = (struct stop){.kind = STOP_LIMIT, .reason = "the limit on memory (--max-memory) was reached"};
    return false;
}

/* ---- Finishing a block ---- */

static void add_to_trail(struct bfs *b, const struct chunk *c) {
    struct space *s = b->s;
    trail_add_run(&s->trail, s->store.kind == STORE_EXACT ? c->fresh_keys : c->fresh_states, c->fresh_count);
}

/* Ends the search at a finding: counts what had happened until then. */
static bool end_at(struct bfs *b, const struct chunk *c) {
    const struct finding *f = &c->finding;
    uint32_t fresh = 0;
    while (fresh < c->fresh_count && c->fresh[fresh] < f->edge) fresh++;
    uint64_t state = f->fresh == UINT32_MAX ? c->first + f->source : b->s->states + f->fresh;
    b->s->states += fresh;
    b->s->edges += f->edge;
    *b->stop = (struct stop){.kind = f->kind, .state = state, .fault = f->fault};
    return false;
}

static void note_edges(struct bfs *b, unsigned member, const struct chunk *c) {
    struct space *s = b->s;
    uint64_t *keys = c->keys ? c->keys : b->stages.workshops[member].keys;
    if (!c->keys) store_keys(&s->store, &s->members[member].view, c->batch.successors, c->edges, keys);
    edges_note(s, &c->batch, keys, c->fresh, c->fresh_count, s->states - c->fresh_count);
}

/* False: the search has ended. */
static bool finish(struct bfs *b, unsigned member, const struct chunk *c) {
    struct space *s = b->s;
    add_to_trail(b, c);
    s->terminals += c->terminals;
    b->at = c->first + c->batch.count;
    if (c->finding.kind != STOP_DONE) return end_at(b, c);
    s->states += c->fresh_count;
    s->edges += c->edges;
    if (s->edges_kept) note_edges(b, member, c);
    if (s->edges_needed && !s->edges_kept) return no_memory(b);
    return !space_must_stop(s, "exploring", b->at, s->states, b->stop);
}

/* What did not fit into the store is lost, so the whole block would have to be expanded again. What has been inserted
 * by then is kept. */
static bool finish_block(struct bfs *b, unsigned member, const struct block *k) {
    struct before before = {true, k->chunks[0].first, b->s->edges, b->s->terminals};
    for (uint32_t i = 0; i < k->count; i++)
        if (!finish(b, member, &k->chunks[i])) return false;
    if (k->full && !b->before.known) {
        b->before = before;
        b->ending = b->no_room = true;
    }
    return true;
}

/* All that was begun is finished. */
static bool end_without_room(struct bfs *b) {
    if (b->before.known) {
        b->at = b->before.at;
        b->s->edges = b->before.edges;
        b->s->terminals = b->before.terminals;
    }
    return no_memory(b);
}

/* ---- Rounds ---- */

/* Reads the next states of the level into a block. */
static bool read_block(struct bfs *b) {
    struct trail *trail = &b->s->trail;
    struct block *k = block_at(b, b->begun);
    uint32_t count = 0;
    for (; count < b->stages.chunk_room && b->next < b->level_end; count++) {
        struct chunk *c = &k->chunks[count];
        uint64_t left = b->level_end - b->next;
        const void *items = trail_read(
            trail, b->next, left < b->stages.chunk_sources ? (uint32_t)left : b->stages.chunk_sources, &c->batch.count);
        if (!items) {
            *b->stop = (struct stop){.kind = STOP_LIMIT, .reason = "the file of states could not be read back"};
            return false;
        }
        memcpy(c->items, items, (size_t)c->batch.count * trail->item_bytes);
        c->first = b->next;
        b->next += c->batch.count;
    }
    block_begin(k, count,
                b->begun == b->finished && (b->stages.chunk_room == 1 || b->next == b->level_end) && count == 1);
    b->begun++;
    return true;
}

/* One block from beginning to end, on this thread, while there is no other. False: the search has ended. */
static bool run_alone(struct bfs *b) {
    struct block *k = block_at(b, b->finished);
    while (k->stage < b->stages.count) {
        stage_begin(&b->stages, k);
        stage_task(&b->stages, k, 0, 0);
        if (stage_end(&b->stages, k)) continue;
        b->ending = b->no_room = true;
        b->begun--;
        return true;
    }
    b->finished++;
    return finish_block(b, 0, k);
}

static bool is_complete(struct bfs *b, uint64_t number) { return block_at(b, number)->stage == b->stages.count; }

static void do_clerks_job(struct bfs *b, unsigned member) {
    bool good = true;
    if (is_complete(b, b->finished)) good = finish_block(b, member, block_at(b, b->finished++));
    if (good && b->next < b->level_end && !b->ending) good = read_block(b);
    b->ended = !good;
}

static void do_job(void *context, unsigned member, uint32_t number) {
    struct bfs *b = context;
    const struct job *j = &b->jobs[number];
    if (j->block) stage_task(&b->stages, j->block, member, j->task);
    else do_clerks_job(b, member);
}

/* After the clerk's job, which is long, each thread gets a share of each stage, the same one in all of them, because
 * what it expands is in its caches when it collects it. The youngest block comes first: its tasks take longest, and
 * short ones at the end leave no thread waiting for long. */
static uint32_t list_jobs(struct bfs *b, uint64_t from, uint64_t to) {
    uint32_t n = 0;
    unsigned threads = b->s->team.size;
    b->jobs[n++] = (struct job){0};
    for (unsigned i = 0; i < threads; i++)
        for (uint64_t number = to; number-- > from;) {
            struct block *k = block_at(b, number);
            uint32_t tasks = stage_tasks(&b->stages, k), end = (uint32_t)((uint64_t)tasks * (i + 1) / threads);
            for (uint32_t t = (uint32_t)((uint64_t)tasks * i / threads); t < end; t++)
                b->jobs[n++] = (struct job){k, t};
        }
    return n;
}

/* All blocks that were begun and are not complete go one stage further. False: the search has ended. */
static bool round_of_stages(struct bfs *b) {
    uint64_t from = b->finished + is_complete(b, b->finished), to = b->begun;
    for (uint64_t number = from; number < to; number++) stage_begin(&b->stages, block_at(b, number));
    team_run(&b->s->team, list_jobs(b, from, to), do_job, b);
    for (uint64_t number = from; number < to; number++) {
        struct block *k = block_at(b, number);
        if (!stage_end(&b->stages, k)) {
            b->ending = b->no_room = true;
            b->begun = number; /* it and what has been read since then is given up: there is no memory for it */
        }
        if (k->last_chunk != UINT32_MAX) b->ending = true;
    }
    return !b->ended;
}

/* False: the search has ended. */
static bool go_on(struct bfs *b) {
    if (b->begun == b->finished && b->no_room) return end_without_room(b);
    if (b->begun == b->finished && !read_block(b)) return false;
    return block_at(b, b->finished)->alone ? run_alone(b) : round_of_stages(b);
}

/* ---- All of it ---- */

static bool begin(struct bfs *b, const word *start) {
    struct space *s = b->s;
    struct block *k = &b->blocks[0];
    const struct chunk *c = &k->chunks[0];
    if (!store_reserve(&s->store, 1)) return no_memory(b);
    block_of_initial(&b->stages, k, start);
    if (k->full) return no_memory(b);
    add_to_trail(b, c);
    numbers_add(&s->levels, 0);
    b->level_end = 1;
    s->states = 1;
    if (c->finding.kind != STOP_DONE)
        *b->stop = (struct stop){.kind = c->finding.kind, .state = 0, .fault = c->finding.fault};
    return c->finding.kind == STOP_DONE;
}

static void explore(struct bfs *b) {
    struct space *s = b->s;
    bool good = true;
    b->next = b->at;
    while (good && (b->at < s->trail.count || b->no_room)) {
        if (b->at == b->level_end && !b->no_room) {
            numbers_add(&s->levels, b->level_end);
            b->level_end = s->trail.count;
        }
        good = go_on(b);
        if (good ? s->save_due : b->stop->kind == STOP_LIMIT) space_save(s, b->at, b->level_end, NULL);
    }
    if (s->trail.count > b->level_end) numbers_add(&s->levels, b->level_end); /* a level that is not complete */
    store_settle(&s->store);
}

void bfs_run(struct space *s, const word *start, const struct bfs_goals *goals, struct stop *stop) {
    struct bfs b;
    bfs_init(&b, s, goals, stop);
    if (begin(&b, start)) explore(&b);
    else store_settle(&s->store);
    bfs_fini(&b);
}

void bfs_resume(struct space *s, uint64_t expanded, uint64_t level_end, const struct bfs_goals *goals,
                struct stop *stop) {
    struct bfs b;
    bfs_init(&b, s, goals, stop);
    b.at = expanded;
    b.level_end = level_end;
    explore(&b);
    bfs_fini(&b);
}
