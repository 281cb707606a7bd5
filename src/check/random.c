/* Random search, as a check. */
#include <stdlib.h>

#include "base/text.h"
#include "check/answer.h"
#include "explore/swarm.h"

static void answer_swarm(struct check *c, const struct swarm_result *r) {
    switch (r->stop.kind) {
    case STOP_BAD_STATE: check_answer_end(c, PROP_SAFETY, TS_CHECK_STATE); break;
    case STOP_DEADLOCK: check_answer_end(c, PROP_DEADLOCK, TS_CHECK_DEADLOCK); break;
    case STOP_STUCK: check_stuck(c, false); break;
    case STOP_FAULT:
        check_fault(c, &r->stop.fault);
        check_believe(c);
        break;
    default:
        check_answer(c, VERDICT_INCONCLUSIVE, PROP_NONE,
                     text_format("no error found in %llu walk%s and %llu depth-first search%s (random search proves "
                                 "nothing); %s",
                                 (unsigned long long)r->walks, r->walks == 1 ? "" : "s",
                                 (unsigned long long)r->searches, r->searches == 1 ? "" : "es", r->stop.reason));
    }
}

static struct search_facts search_facts_of(const struct swarm_result *r, uint64_t seed) {
    return (struct search_facts){
        .order = ORDER_RANDOM,
        .seed = seed,
        .visited = r->visited,
        .walks = r->walks,
        .searches = r->searches,
        .distinct = r->distinct,
        .coverage = r->coverage,
        .found = r->stop.kind != STOP_LIMIT,
        .by_walk = r->found_by_walk,
        .thread = r->finder,
        .run = r->finder_run,
    };
}

void check_random(struct check *c, const struct limits *limits, const struct means *means,
                  const struct ticker *ticker) {
    const struct questions *q = c->q;
    struct answer *a = c->a;
    struct swarm_options o = {means ? means->threads : 1,           q->seed, q->depth, *limits, check_goals(c),
                              ticker ? *ticker : (struct ticker){0}};
    struct swarm_result r;
    word *start = memory_get(c->ts->words * sizeof(word));
    a->checked = q->checks;
    check_set_aside(c);
    a->search = (struct search_facts){.order = ORDER_RANDOM, .seed = q->seed};
    if (check_start(c, start)) {
        swarm_run(&r, &a->trace, c->ts, c->w, start, &o);
        answer_swarm(c, &r);
        a->checked |= a->property & a->unchecked; /* found all the same */
        a->unchecked &= ~a->checked;
        a->states = (uint64_t)(r.distinct + 0.5);
        a->edges = r.edges;
        a->terminals = r.terminals;
        a->depth = r.deepest;
        a->store = STORE_BITSTATE;
        a->exact = false;
        a->threads = r.threads;
        a->search = search_facts_of(&r, q->seed);
        if (!a->search.found && a->unchecked)
            a->note = "random search looks for bad states, bad terminal states and model errors only";
    }
    free(start);
}
