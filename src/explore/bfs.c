#include "explore/bfs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "explore/chunk.h"
#include "base/contention.h"
#include "graph/edges.h"
#include "graph/layout.h"
#include "graph/sweep.h"
#include "explore/origins.h"

/* Each thread has a lane of chunks (chunk.h), which it takes from the trail, expands and numbers; inserts when it is
 * their turn; and collects. While it waits for its turn it takes the next one. What only one thread can do at a time
 * is done at the desk, by whoever finds it free: chunks that are collected are finished in order, which means that
 * their new states go to the trail, and the next one is taken from there. A chunk is of one level. A level ends when
 * its last chunk is finished; by then those of the next one may be in hand, so that nobody waits between levels.
 *
 * From time to time all threads come to a halt, with their chunks as they are: when the store must grow, there is no
 * room for parts of states, the search is to be saved, or it ends. They also do when too few states wait to be shared,
 * or threads are in each other's way, and one thread goes on alone for a while. */

enum {
    LONGEST_NAP = 500, /* microseconds */
    ROOM_FOR = 4,      /* times as much as is needed at once is the room that is made for parts of states */
    ORIGINS_PART = 64, /* of the memory is at most for origins */
    LAYOUT_AGAIN = 8,  /* times as many states, and another sample may tell more */
    MOST_LAYOUTS = 3
};

struct lane {
    struct chunk chunks[CHUNKS_EACH];
    unsigned length;       /* of the lane: one chunk, if there is one thread */
    unsigned first, count; /* in use */
};

/* One search. */
struct bfs {
    struct space *s;
    struct stop *stop;
    struct chunk_plan plan;
    struct lane *lanes;                 /* one for each thread */
    struct bell *turns;                 /* one for each shard: the number of the chunk, as far as it fits */
    struct bell news;                   /* changes when a thread that has nothing to do should look again */
    _Alignas(64) _Atomic uint64_t last; /* the search ends in this chunk, or before: those after it are not looked at */
    _Atomic bool full;                  /* a chunk could not be inserted as a whole */
    _Atomic bool halt;                  /* all threads come back */
    _Atomic bool grow;                  /* ... because shards are nearly full */
    _Atomic bool widen;                 /* ... because a dictionary of components is full */
    _Atomic bool no_more;               /* chunks to be taken, until all threads have come back */
    bool alone;                         /* one thread is at work */
    struct crowd crowd;
    _Alignas(64) _Atomic uint64_t room;   /* states whose parts there is room for */
    _Alignas(64) _Atomic bool desk_taken; /* what follows belongs to who sits there, or to the only thread at work: */
    struct chunk *_Atomic *collected;     /* ready to be finished: number n at n % places */
    uint64_t places;                      /* for as many as all threads may have in hand */
    uint64_t begun, finished;             /* chunks */
    bool ended;                           /* as *stop says */
    bool no_room;   /* nothing more is taken: there is no memory for a chunk, or not for all of it; then */
    struct before { /* ... how it was before the first such chunk */
        bool known;
        uint64_t at, edges, terminals;
    } before;
    uint64_t layout_at;     /* the keys of long states change as soon as there are so many; UINT64_MAX: never */
    uint64_t last_layout;   /* there were so many then */
    unsigned layouts;       /* by components */
    struct origins origins; /* of the states that are to be taken, if they are wanted */
    uint64_t at;            /* number of the first state that is not finished */
    uint64_t next;          /* number of the next state to take */
    uint64_t level_end;     /* number of the first state after the level that `at` is on */
};

static struct chunk *in_lane(struct lane *l, unsigned i) { return &l->chunks[(l->first + i) % l->length]; }

static void bfs_init(struct bfs *b, struct space *s, const struct bfs_goals *goals, struct stop *stop) {
    assert(s->team.size > 0);
    *stop = (struct stop){.kind = STOP_DONE};
    *b = (struct bfs){.s = s, .stop = stop, .last = UINT64_MAX, .places = (uint64_t)s->team.size * CHUNKS_EACH};
    chunk_plan_init(&b->plan, s, goals);
    b->lanes = memory_get_lines(s->team.size * sizeof *b->lanes);
    for (unsigned i = 0; i < s->team.size; i++) {
        b->lanes[i].length = s->team.size > 1 ? CHUNKS_EACH : 1;
        for (unsigned k = 0; k < b->lanes[i].length; k++) chunk_init(&b->lanes[i].chunks[k], &b->plan);
    }
    b->turns = memory_get_lines(b->plan.shards * sizeof *b->turns);
    b->collected = memory_get_zeroed(b->places * sizeof(struct chunk *));
    b->layout_at = b->plan.numbering && store_gives_back(&s->store) ? s->layout_from : UINT64_MAX;
    if (b->plan.origins) origins_init(&b->origins, s->trail.count, s->limits.max_memory / ORIGINS_PART);
}

static void bfs_fini(struct bfs *b) {
    for (unsigned i = 0; i < b->s->team.size; i++)
        for (unsigned k = 0; k < b->lanes[i].length; k++) chunk_fini(&b->lanes[i].chunks[k]);
    origins_fini(&b->origins);
    free(b->lanes);
    free(b->turns);
    free(b->collected);
    chunk_plan_fini(&b->plan);
}

static bool no_memory(struct bfs *b) {
    *b->stop = (struct stop){.kind = STOP_LIMIT, .reason = "the limit on memory (--max-memory) was reached"};
    return false;
}

/* ---- At the desk: finishing chunks, taking the next one ---- */

static void add_to_trail(struct bfs *b, const struct chunk *c) {
    struct space *s = b->s;
    assert(s->trail.count == s->states); /* the number of a state is its place on the trail */
    trail_add_run(&s->trail, store_gives_back(&s->store) ? c->fresh_keys : c->fresh_states, c->fresh_count);
    if (c->origins) origins_add(&b->origins, c->fresh_origins, c->fresh_count);
}

/* Ends the search at a finding: counts what had happened until then. */
static bool end_at(struct bfs *b, const struct chunk *c) {
    const struct finding *f = &c->finding;
    uint32_t fresh = 0;
    while (fresh < c->fresh_count && c->fresh[fresh] < f->successors) fresh++;
    uint64_t state = f->fresh == UINT32_MAX ? c->first + f->source : b->s->states + f->fresh;
    assert(state < b->s->trail.count);
    b->s->states += fresh;
    b->s->edges += f->edges;
    *b->stop = (struct stop){.kind = f->kind, .state = state, .fault = f->fault};
    return false;
}

static void note_edges(struct bfs *b, unsigned member, const struct chunk *c) {
    struct space *s = b->s;
    uint64_t *keys = c->keys ? c->keys : b->plan.workshops[member].keys;
    bool known = c->keys || store_keys(&s->store, &s->members[member].view, c->batch.successors, c->edges, keys);
    assert(known); /* who has no room for keys has not come so far */
    (void)known;
    edges_note(s, &c->batch, keys, c->fresh, c->fresh_count, s->states - c->fresh_count);
}

/* What did not fit into the store is lost, so the whole chunk would have to be expanded again, and those after it. What
 * has been inserted by then is kept. */
static void note_if_full(struct bfs *b, const struct chunk *c) {
    if (!c->full || b->before.known) return;
    b->before = (struct before){true, c->first, b->s->edges, b->s->terminals};
    b->no_room = true;
}

/* If all of this level is finished. Not if some of it must be expanded again. */
static void go_to_next_level(struct bfs *b) {
    if (b->at < b->level_end || b->level_end == b->s->trail.count || b->before.known) return;
    numbers_add(&b->s->levels, b->level_end);
    assert(b->at == b->level_end && b->s->trail.count > b->level_end);
    b->level_end = b->s->trail.count;
}

/* A limit on states ends the search at the same state for every number of threads, as if all chunks were small: what
 * comes after that is cut off. */
static void cut(const struct bfs *b, struct chunk *c) {
    uint64_t limit = b->s->limits.max_states;
    if (!limit || b->s->states + c->fresh_count <= limit) return;
    uint32_t count = 0, fresh = 0, edges = 0;
    for (; count < c->done && b->s->states + fresh <= limit; count += b->plan.batch) {
        uint32_t last = count + b->plan.batch < c->done ? count + b->plan.batch : c->done;
        edges = c->batch.ends[last - 1];
        while (fresh < c->fresh_count && c->fresh[fresh] < edges) fresh++;
    }
    if (count > c->done || count >= c->batch.count) return;
    c->batch.count = c->done = count;
    c->edges = edges;
    c->total = chunk_edges_before(c, count);
    c->fresh_count = fresh;
    if (c->finding.kind != STOP_DONE && c->finding.source < count) return;
    c->finding.kind = STOP_DONE;
    c->terminals = 0;
    for (uint32_t i = 0; i < count; i++) c->terminals += chunk_edges_before(c, i + 1) == chunk_edges_before(c, i);
}

/* False: the search has ended. */
static bool finish(struct bfs *b, unsigned member, struct chunk *c) {
    struct space *s = b->s;
    if (c->number > b->last) return true;
    assert(c->first == b->at); /* chunks are finished in their order, and leave no state out */
    cut(b, c);
    note_if_full(b, c);
    add_to_trail(b, c);
    s->terminals += c->terminals;
    b->at = c->first + c->batch.count;
    if (c->finding.kind != STOP_DONE) return end_at(b, c);
    s->states += c->fresh_count;
    s->edges += c->total;
    if (s->edges_kept) note_edges(b, member, c);
    if (s->edges_needed && !s->edges_kept) return no_memory(b);
    go_to_next_level(b);
    unsigned more = c->batch.count / b->plan.batch; /* as if it were so many small ones */
    s->calls_until_clock -= more < s->calls_until_clock ? more : s->calls_until_clock;
    return !space_must_stop(s, "exploring", b->at, s->states, b->stop);
}

static void finish_collected(struct bfs *b, unsigned member) {
    for (;;) {
        struct chunk *_Atomic *place = &b->collected[b->finished % b->places];
        struct chunk *c = atomic_load_explicit(place, memory_order_acquire);
        if (!c || b->ended) return;
        atomic_store_explicit(place, NULL, memory_order_relaxed);
        assert(c->number == b->finished && c->stage == CHUNK_COLLECTED);
        b->finished++;
        b->ended = !finish(b, member, c);
        if (b->ended || b->s->save_due) b->halt = true;
        atomic_store_explicit(&c->stage, CHUNK_FREE, memory_order_release);
    }
}

/* How many states are taken at once, of so many that wait: fewer if these are few, so that there are some for every
 * thread. */
static uint32_t share_of(const struct bfs *b, uint64_t waiting) {
    const struct chunk_plan *p = &b->plan;
    uint64_t share = waiting / (4 * b->s->team.size) / p->batch * p->batch;
    if (share < p->batch) share = p->batch;
    if (share > p->sources) share = p->sources;
    uint64_t left = b->next < b->level_end ? b->level_end - b->next : waiting; /* of the level */
    return (uint32_t)(share < left ? share : left);
}

/* Whether one thread should go on alone, with so many states that wait. */
static bool is_for_one(struct bfs *b, uint64_t waiting) {
    if (b->s->team.size == 1 || waiting <= b->plan.batch) return true;
    return crowd_wants_one(&b->crowd, b->s->states, clock_seconds());
}

/* Whether nothing should be taken before all threads have come back: the search ends, or there is work for one thread
 * only, or for all again. */
static bool is_time_to_meet(struct bfs *b, uint64_t waiting) {
    if (b->no_room || b->ended || b->last != UINT64_MAX || b->s->states >= b->layout_at) return true;
    if (!b->alone && crowd_wants_one(&b->crowd, b->s->states, clock_seconds())) return true;
    if (b->begun > b->finished) return false; /* from which more states may come */
    return waiting == 0 || b->alone != is_for_one(b, waiting);
}

/* The next states. False: there are none, or they are not wanted. Of a level that is not complete yet, only whole
 * batches, so that these are the same whatever the number of threads. */
static bool take(struct bfs *b, struct chunk *c) {
    uint64_t waiting = b->s->trail.count - b->next;
    bool meet = is_time_to_meet(b, waiting);
    b->no_more = meet;
    if (meet || (b->next >= b->level_end && waiting < b->plan.batch)) return false;
    struct trail *trail = &b->s->trail;
    const void *items = trail_read(trail, b->next, share_of(b, waiting), &c->batch.count);
    if (!items) {
        *b->stop = (struct stop){.kind = STOP_LIMIT, .reason = "the file of states could not be read back"};
        b->ended = true;
        b->halt = true;
        return false;
    }
    assert(b->begun - b->finished < b->places); /* so that its place among the collected ones is free */
    memcpy(c->items, items, (size_t)c->batch.count * trail->item_bytes);
    if (c->origins) origins_take(&b->origins, b->next, c->batch.count, c->origins);
    c->number = b->begun++;
    c->first = b->next;
    c->begins_level = c->first == b->level_end;
    b->next += c->batch.count;
    return true;
}

/* For threads that have nothing to do. */
static void tell_news(struct bfs *b) {
    atomic_fetch_add_explicit(&b->news.value, 1, memory_order_release);
    bell_ring(&b->news);
}

static void halt(struct bfs *b) {
    b->halt = true;
    tell_news(b);
}

/* Finishes what is collected, and takes a chunk if there is room for one. NULL: none, or the desk is taken. */
static struct chunk *go_to_desk(struct bfs *b, unsigned member, struct lane *l, bool to_take) {
    struct chunk *c = to_take && l->count < l->length && !b->no_more ? in_lane(l, l->count) : NULL;
    if (atomic_load_explicit(&b->desk_taken, memory_order_relaxed) ||
        atomic_exchange_explicit(&b->desk_taken, true, memory_order_acquire))
        return NULL;
    uint64_t finished = b->finished;
    finish_collected(b, member);
    if (c && !take(b, c)) c = NULL;
    bool news = b->finished != finished || b->halt || b->no_more;
    atomic_store_explicit(&b->desk_taken, false, memory_order_release);
    if (news) tell_news(b);
    return c;
}

/* ---- With its own chunks ---- */

/* Something was found in this chunk. Model code that does not come back is found again and again otherwise. */
static void end_after(struct bfs *b, uint64_t number) {
    uint64_t last = b->last;
    while (number < last && !atomic_compare_exchange_weak(&b->last, &last, number)) {}
}

static bool take_room(struct bfs *b, uint32_t states) {
    uint64_t room = b->room;
    do {
        if (room < states) return false;
    } while (!atomic_compare_exchange_weak(&b->room, &room, room - states));
    return true;
}

static void number(struct bfs *b, struct chunk *c, unsigned member) {
    if (b->plan.numbering && !take_room(b, c->edges)) {
        halt(b);
        return;
    }
    assert(c->stage == CHUNK_EXPANDED);
    if (!chunk_number(&b->plan, c, member)) {
        b->widen = true;
        halt(b);
        return;
    }
    c->stage = CHUNK_NUMBERED;
}

static void expand(struct bfs *b, struct chunk *c, unsigned member) {
    if (c->number > b->last) c->done = c->edges = 0;
    else chunk_expand(&b->plan, c, member);
    if (c->done < c->batch.count) end_after(b, c->number);
    c->stage = CHUNK_EXPANDED;
}

static bool is_turn(const struct bfs *b, unsigned shard, const struct chunk *c) {
    return atomic_load_explicit(&b->turns[shard].value, memory_order_acquire) == (unsigned)c->number;
}

/* Whether there is room in the first shard for as much as all threads may bring until they halt. One thread need not
 * halt to let it grow. */
static bool room_for_more(const struct bfs *b, uint32_t images) {
    return b->plan.shards == 1 || store_has_room(&b->s->store, 0, (uint64_t)images * b->s->team.size);
}

static void wait_for_turn(struct bfs *b, unsigned shard, const struct chunk *c) {
    struct bell *turn = &b->turns[shard];
    double slept = 0;
    for (unsigned now; (now = atomic_load_explicit(&turn->value, memory_order_acquire)) != (unsigned)c->number;)
        bell_wait(turn, now, &slept);
    if (slept > 0) crowd_note_sleep(&b->crowd, slept);
}

/* If the store was full for some of the level before, that must be expanded again later; then what is found from this
 * one would be on the trail too early. */
static void end_with_level(struct bfs *b, const struct chunk *c) {
    for (unsigned i = 1; i < b->plan.shards; i++) wait_for_turn(b, i, c);
    if (b->full) end_after(b, c->number - 1);
}

/* When it is its turn with the first shard. */
static void insert(struct bfs *b, struct chunk *c, unsigned member) {
    if (c->begins_level) end_with_level(b, c);
    bool wanted = c->number <= b->last;
    for (unsigned i = 0; i < b->plan.shards; i++) {
        uint32_t n = wanted ? chunk_pick(&b->plan, c, member, i) : 0;
        wait_for_turn(b, i, c);
        if (wanted) chunk_insert(&b->plan, c, member, i, n);
        if (c->full) b->full = true;
        if (i == 0 && !room_for_more(b, n)) b->grow = b->halt = true;
        assert(b->turns[i].value == (unsigned)c->number); /* nobody else has the turn */
        atomic_store_explicit(&b->turns[i].value, (unsigned)c->number + 1, memory_order_release);
        bell_ring(&b->turns[i]);
        if (i == 0) tell_news(b);
    }
}

static void collect(struct bfs *b, struct chunk *c, unsigned member) {
    if (c->number <= b->last && !chunk_collect(&b->plan, c, member)) end_after(b, c->number);
    c->stage = CHUNK_COLLECTED;
    atomic_store_explicit(&b->collected[c->number % b->places], c, memory_order_release);
}

static void leave_out_free(struct lane *l) {
    for (; l->count > 0; l->count--, l->first = (l->first + 1) % l->length)
        if (atomic_load_explicit(&in_lane(l, 0)->stage, memory_order_acquire) != CHUNK_FREE) return;
}

/* The first chunk of the lane that has come so far, or NULL. */
static struct chunk *first_in_lane(struct lane *l, enum chunk_stage stage) {
    for (unsigned i = 0; i < l->count; i++)
        if (in_lane(l, i)->stage == stage) return in_lane(l, i);
    return NULL;
}

/* Whatever can be done next; what others wait for comes first. False: nothing, at the moment. */
static bool do_something(struct bfs *b, unsigned member, struct lane *l) {
    leave_out_free(l);
    struct chunk *c = first_in_lane(l, CHUNK_NUMBERED);
    if (c && is_turn(b, 0, c)) {
        insert(b, c, member);
        collect(b, c, member);
        go_to_desk(b, member, l, false);
    } else if ((c = first_in_lane(l, CHUNK_EXPANDED))) {
        number(b, c, member);
    } else if ((c = go_to_desk(b, member, l, true))) {
        l->count++;
        expand(b, c, member);
    } else {
        return false;
    }
    return true;
}

/* Who was turned away from the desk, and may go there now, is not told: it looks again soon. */
static void wait_for_news(struct bfs *b, unsigned news) {
    double slept = 0;
    bell_nap(&b->news, news, LONGEST_NAP, &slept);
    crowd_note_sleep(&b->crowd, slept);
}

/* A thread, until there is nothing more to do, or all are to halt. */
static void work(void *context, unsigned member, uint32_t task) {
    (void)task;
    struct bfs *b = context;
    struct lane *l = &b->lanes[member];
    for (unsigned idle = 0; !b->halt;) {
        unsigned news = atomic_load_explicit(&b->news.value, memory_order_acquire);
        if (do_something(b, member, l)) idle = 0;
        else if (l->count == 0 && b->no_more) return;
        else if (idle++ < BELL_SPINS) bell_pause();
        else wait_for_news(b, news);
    }
}

/* ---- All threads, until they halt ---- */

static void make_room(void *context, unsigned member, uint32_t shard) {
    (void)member;
    struct bfs *b = context;
    store_make_room(&b->s->store, shard);
}

/* From this chunk on. */
static void give_back(struct bfs *b, uint64_t number) {
    for (unsigned i = 0; i < b->s->team.size; i++) {
        struct lane *l = &b->lanes[i];
        while (l->count > 0 && in_lane(l, l->count - 1)->number >= number) l->count--;
    }
    b->begun = number;
}

/* For the parts of all successors of chunks that wait to be numbered, and more; or for those of one chunk. */
static void make_room_for_parts(struct bfs *b) {
    struct store *store = &b->s->store;
    const struct chunk *first = NULL;
    uint64_t need = 0;
    for (unsigned i = 0; i < b->s->team.size; i++)
        for (unsigned k = 0; k < b->lanes[i].count; k++) {
            const struct chunk *c = in_lane(&b->lanes[i], k);
            if (c->stage != CHUNK_EXPANDED) continue;
            need += c->edges;
            if (!first || c->number < first->number) first = c;
        }
    if (!first) return;
    if (store_reserve(store, need * ROOM_FOR) || store_reserve(store, need) || store_reserve(store, first->edges) ||
        store_overflow(store))
        b->room = store_room(store);
    else {
        give_back(b, first->number);
        b->no_room = true;
    }
}

/* ---- Other keys ---- */

/* The first chunk that has not been inserted; what it is numbered by does not count any more. */
static struct chunk *first_not_inserted(struct bfs *b) {
    struct chunk *first = NULL;
    for (unsigned i = 0; i < b->s->team.size; i++)
        for (unsigned k = 0; k < b->lanes[i].count; k++) {
            struct chunk *c = in_lane(&b->lanes[i], k);
            if (c->stage == CHUNK_NUMBERED) c->stage = CHUNK_EXPANDED;
            if (c->stage == CHUNK_EXPANDED && (!first || c->number < first->number)) first = c;
        }
    return first;
}

/* A dictionary is full. If it cannot have more room, the keys must change altogether, and all chunks that have none are
 * given back: their states are taken again. */
static void widen(struct bfs *b) {
    struct store *store = &b->s->store;
    uint32_t bits = store->key_bits;
    b->widen = false;
    bool good = store_widen(store);
    if (good && store->key_bits == bits) return;
    struct chunk *first = first_not_inserted(b);
    chunk_plan_forget(&b->plan);
    if (good) return;
    finish_collected(b, 0);
    if (b->ended || !first) return;
    b->next = first->first;
    give_back(b, first->number);
    if (b->last >= b->begun) b->last = UINT64_MAX; /* it will be found again */
    b->layout_at = 0;
}

/* Keys by components, if these pay; by parts, if they have not paid. */
static void change_layout(struct bfs *b) {
    struct space *s = b->s;
    bool must = s->store.collapse != NULL, good = false;
    bool try = b->layouts < MOST_LAYOUTS && (!must || s->states >= LAYOUT_AGAIN * b->last_layout);
    if (try) {
        b->layouts++;
        b->last_layout = s->states;
        good = layout_by_components(s);
    }
    b->layout_at = good || b->layouts == MOST_LAYOUTS ? UINT64_MAX : LAYOUT_AGAIN * s->states;
    if (!good && must) good = layout_by_parts(s);
    if (!good && must) b->no_room = true;
    if (!good) return;
    chunk_plan_forget(&b->plan);
    b->room = store_room(&s->store);
}

/* False: the search has ended. */
static bool go_on(struct bfs *b) {
    bool nothing_begun = b->begun == b->finished;
    if (nothing_begun && b->s->states >= b->layout_at) change_layout(b);
    if (nothing_begun && b->no_room) return no_memory(b);
    b->halt = b->no_more = false;
    b->alone = b->s->team.size == 1 || (nothing_begun && is_for_one(b, b->s->trail.count - b->next));
    if (b->alone) {
        work(b, 0, 0);
    } else {
        team_each(&b->s->team, work, b);
    }
    if (b->ended) return false;
    if (b->grow) team_run(&b->s->team, b->plan.shards, make_room, b);
    b->grow = false;
    if (b->widen) widen(b);
    make_room_for_parts(b);
    return !b->ended;
}

/* ---- All of it ---- */

/* Before the first chunk that did not fit: if the search is resumed, it will be expanded again. */
static void go_back(struct bfs *b) {
    if (!b->before.known) return;
    b->at = b->before.at;
    b->s->edges = b->before.edges;
    b->s->terminals = b->before.terminals;
}

static bool begin(struct bfs *b, const word *start) {
    struct space *s = b->s;
    struct chunk *c = &b->lanes[0].chunks[0];
    if (!store_reserve(&s->store, 1)) return no_memory(b);
    chunk_of_initial(&b->plan, c, start);
    if (!chunk_number(&b->plan, c, 0)) return no_memory(b);
    for (unsigned i = 0; i < b->plan.shards; i++) chunk_insert(&b->plan, c, 0, i, chunk_pick(&b->plan, c, 0, i));
    chunk_collect(&b->plan, c, 0);
    if (c->full) return no_memory(b);
    add_to_trail(b, c);
    numbers_add(&s->levels, 0);
    b->level_end = 1;
    s->states = 1;
    if (c->finding.kind != STOP_DONE)
        *b->stop = (struct stop){.kind = c->finding.kind, .state = 0, .fault = c->finding.fault};
    return c->finding.kind == STOP_DONE;
}

static bool note_batch(void *context, const struct sweep_batch *x) {
    struct space *s = context;
    edges_note(s, x->edges, x->to, NULL, 0, s->states);
    return s->edges_kept;
}

/* The successors of what was expanded before the search was saved, if they are wanted: they were not saved. That is
 * one more sweep over these states, which saves several when questions are asked. False: the search has ended. */
static bool note_again(struct bfs *b) {
    struct space *s = b->s;
    struct sweep w = {.s = s,
                      .phase = "noting edges",
                      .context = s,
                      .need = SWEEP_EDGES,
                      .to = SWEEP_TO_KEYS,
                      .end = b->at,
                      .put = note_batch};
    if (!s->edges_kept || b->at == 0) return true;
    sweep_init(&w);
    bool good = sweep_all(&w, b->stop);
    sweep_fini(&w);
    if (good || b->stop->kind == STOP_LIMIT) return good;
    *b->stop = (struct stop){.kind = STOP_DONE}; /* no memory, or model code failed: questions will do without them */
    edges_drop(s);
    return true;
}

static void explore(struct bfs *b) {
    struct space *s = b->s;
    bool good = note_again(b);
    if (!good) space_save(s, b->at, b->level_end, NULL);
    b->next = b->at;
    go_to_next_level(b);
    while (good && (b->at < s->trail.count || b->no_room)) {
        good = go_on(b);
        bool limited = !good && b->stop->kind == STOP_LIMIT;
        if (limited) go_back(b);
        if (limited || (good && s->save_due && !b->no_room)) space_save(s, b->at, b->level_end, NULL);
    }
    if (s->states > b->level_end) numbers_add(&s->levels, b->level_end); /* a level that is not complete */
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
