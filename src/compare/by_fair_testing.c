/* Fair testing: FAIR, Definition 2, one half: every tree failure (w, K) of one side is, up to a prefix of K, one of the
 * other. A tau edge from s leads to a state that refuses more, so only states without tau edges are tried as starts. */
#include <string.h>

#include "base/memory.h"
#include "compare/contest.h"
#include "compare/game.h"
#include "minimize/minimize.h"
#include "compare/test.h"

struct fair {
    struct contest *c;
    struct game game;
    uint32_t start; /* the node that stays, of the pair that fails */
};

static enum pair_answer visit(void *context, uint32_t s, uint32_t set) {
    struct fair *f = context;
    if (set == AFTER_EMPTY) return PAIR_FAILS;
    if (joint_stable(&f->c->small, s) && game_stays(&f->game, s, set, &f->start) == OUTCOME_FOUND) return PAIR_FAILS;
    return PAIR_GOES_ON;
}

static void make_test(struct fair *f, bool trace, struct comparison *out) {
    struct lts large;
    struct problem ignored = {0};
    if (trace) test_of_trace(&f->c->small.lts.labels, &out->trace, &large, &out->success);
    else test_of_node(&f->game, f->start, &out->trace, &large, &out->success);
    if (lts_minimize(&large, RELATION_STRONG, NULL, &out->test, &ignored)) lts_fini(&large);
    else out->test = large;
    problem_fini(&ignored);
}

enum outcome contest_fair(struct contest *c, int side, uint32_t before, struct comparison *out) {
    struct fair f = {.c = c};
    struct pairs p;
    game_init(&f.game, &c->small, &c->after);
    pairs_init(&p, &c->small, &c->after);
    uint32_t failing;
    enum outcome outcome = pairs_search(&p, side, before, visit, &f, &failing);
    out->pairs += p.count;
    out->nodes += f.game.count;
    if (outcome == OUTCOME_FOUND) {
        out->witness = WITNESS_TEST;
        out->side = side;
        out->trace.label = pairs_trace(&p, failing, &out->trace.length);
        make_test(&f, p.pair[failing].set == AFTER_EMPTY, out);
    }
    pairs_fini(&p);
    game_fini(&f.game);
    return outcome;
}
