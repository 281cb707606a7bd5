#include "check/second_opinion.h"

#include <stdlib.h>

#include "explore/dfs.h"
#include "graph/components.h"
#include "ts/unreduced.h"

static enum opinion ask_full(struct space *reduced, const word *state, const struct bfs_goals *goals, bool map,
                             uint64_t most) {
    struct ts_full full;
    struct space s;
    struct problem why = {0};
    struct stop stop;
    struct limits limits = reduced->limits;
    limits.max_states = most;
    ts_full_init(&full, reduced->ts);
    if (!map) full.ts.reduction.symmetry = false;
    struct ts_worker *w = ts_full_worker(&full, reduced->worker);
    enum opinion opinion = OPINION_NONE;
    if (space_init(&s, &full.ts, w, &limits, NULL, &why)) {
        s.ticker = reduced->ticker;
        bfs_run(&s, state, goals, &stop);
        if (stop.kind == STOP_DONE) opinion = OPINION_CONFIRMED;
        else if (stop.kind == STOP_BAD_STATE) opinion = OPINION_REFUTED;
        else if (stop.kind == STOP_DEADLOCK) opinion = OPINION_TERMINAL;
        space_fini(&s);
    }
    problem_fini(&why);
    free(w);
    return opinion;
}

enum opinion opinion_on(struct space *reduced, const word *state, const struct bfs_goals *goals) {
    return ask_full(reduced, state, goals, true, 4 * reduced->states + 1000000);
}

enum opinion opinion_without_map(struct space *reduced, const word *state, const struct bfs_goals *goals,
                                 uint64_t most) {
    return ask_full(reduced, state, goals, false, most);
}

enum opinion opinion_on_end(struct space *s, const word *state) {
    const struct dfs_goals goals = {.common = {.any_terminal = true}};
    struct space after;
    struct problem why = {0};
    struct stop stop;
    struct dfs_end end;
    struct limits limits = s->limits;
    limits.max_states = 4 * s->states + 1000000;
    enum opinion opinion = OPINION_NONE;
    if (space_init(&after, s->ts, s->worker, &limits, NULL, &why)) {
        after.ticker = s->ticker;
        dfs_run(&after, state, &goals, &end, &stop);
        if (stop.kind == STOP_DONE) opinion = OPINION_CONFIRMED;
        else if (stop.kind == STOP_DEADLOCK) opinion = OPINION_TERMINAL;
        dfs_end_fini(&end);
        space_fini(&after);
    }
    problem_fini(&why);
    return opinion;
}

/* Asks about the first unmarked state of each component that is not in `leavable`, and puts it there. */
static enum outcome ask_each(struct space *s, const struct fixpoint *f, const struct bfs_goals *goals,
                             const struct scc *components, struct bitmap *leavable, uint64_t *number,
                             struct stop *stop) {
    struct walk walk;
    bool found = false, silent = false, stopped = false;
    walk_init(&walk, s, false, f->first_unmarked, 1);
    while (!found && !stopped && walk_next(&walk, stop)) {
        uint64_t slot;
        space_find(s, walk.states, 1, &slot);
        if (!fixpoint_unmarked(f, walk.states, slot) || bitmap_has(leavable, scc_of(components, slot))) continue;
        bitmap_add(leavable, scc_of(components, slot));
        enum opinion opinion = opinion_on(s, walk.states, goals);
        found = opinion == OPINION_CONFIRMED;
        silent |= opinion == OPINION_NONE;
        *number = walk.first;
        stopped = !found && space_must_stop(s, "second opinions", walk.at, s->states, stop);
    }
    if (!walk_fini(&walk) || stopped) return OUTCOME_GIVEN_UP;
    if (!found && silent)
        *stop =
            (struct stop){.kind = STOP_LIMIT,
                          .reason = "progress seems to be lost in the reduced state space, and a search of the full "
                                    "one, to be sure, was given up: raise --max-memory, or leave --stubborn out"};
    return found ? OUTCOME_FOUND : silent ? OUTCOME_GIVEN_UP : OUTCOME_NONE;
}

enum outcome opinion_search(struct space *s, const struct fixpoint *f, const struct bfs_goals *goals, uint64_t *number,
                            struct stop *stop) {
    struct scc components = {.phase = "second opinions"};
    struct bitmap leavable = {0};
    enum outcome outcome = OUTCOME_GIVEN_UP;
    if (scc_run(&components, s, stop)) {
        if (!bitmap_init(&leavable, s->states + 1))
            *stop = (struct stop){.kind = STOP_LIMIT, .reason = "no memory was left for second opinions"};
        else if (scc_find_leavable(&components, s, &leavable, stop))
            outcome = ask_each(s, f, goals, &components, &leavable, number, stop);
        bitmap_fini(&leavable);
    }
    scc_fini(&components);
    return outcome;
}
