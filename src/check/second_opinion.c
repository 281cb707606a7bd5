#include "check/second_opinion.h"

#include <stdlib.h>

#include "explore/dfs.h"
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

/* About these nodes, one after the other. */
static enum outcome ask_each(struct state_graph *g, struct space *s, const struct numbers *nodes,
                             const struct bfs_goals *goals, uint64_t *node, struct stop *stop) {
    bool found = false, silent = false, stopped = false;
    word *state = memory_get(g->ts->words * sizeof(word));
    for (size_t i = 0; i < nodes->count && !found && !stopped; i++) {
        *node = nodes->at[i];
        if (!graph_state(g, *node, state)) {
            *stop = (struct stop){.kind = STOP_LIMIT, .reason = "the file of states could not be read back"};
            stopped = true;
            break;
        }
        enum opinion opinion = opinion_on(s, state, goals);
        found = opinion == OPINION_CONFIRMED;
        silent |= opinion == OPINION_NONE;
        stopped = !found && space_must_stop(s, "second opinions", i, nodes->count, stop);
    }
    free(state);
    if (stopped) return OUTCOME_GIVEN_UP;
    if (!found && silent)
        *stop = (struct stop){
            .kind = STOP_LIMIT,
            .reason = "progress is lost in the reduced state space, but the search of the full one that would "
                      "confirm this was given up: raise --max-memory, or leave --stubborn out"};
    return found ? OUTCOME_FOUND : silent ? OUTCOME_GIVEN_UP : OUTCOME_NONE;
}

enum outcome opinion_search(struct state_graph *g, struct space *s, const struct backward *q,
                            const struct bfs_goals *goals, uint64_t *node, struct stop *stop) {
    struct bottom_nodes bottoms;
    bool good = graph_bottom_nodes(g, q, "second opinions", &bottoms, stop);
    enum outcome outcome = good ? ask_each(g, s, &bottoms.first, goals, node, stop) : OUTCOME_GIVEN_UP;
    bottom_nodes_fini(&bottoms);
    return outcome;
}
