#include "reduce/guided.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reduce/derived/asker.h"

/* ---- The relation: what a vertex obliges ---- */

static bool is_enabled(const struct guided *g, uint32_t v) { return g->enabled[v] == g->now; }

/* Can it occur, as far as model and watcher are concerned? */
static bool can_occur(const struct guided *g, uint32_t v) {
    if (v == g->count) return g->watch->moves;
    return is_enabled(g, v) && (!g->visible[v] || !g->watch->allows || g->watch->allows[v]);
}

/* So that `more` obligations fit in. */
static void make_room(struct guided *g, size_t more) {
    if (g->pool_count + more <= g->pool_room) return;
    g->pool_room = 2 * (g->pool_count + more);
    g->pool = memory_resize(g->pool, g->pool_room * sizeof *g->pool);
}

static void list_watcher(struct guided *g) {
    const bool *allows = g->watch->allows;
    for (uint32_t i = 0; i < g->seen_count; i++)
        if (!allows || allows[g->seen[i]]) g->pool[g->pool_count++] = g->seen[i];
}

/* Puts what v obliges in the pool, once for each state. */
static bool list(struct guided *g, struct ts_worker *w, const word *s, uint32_t v, struct ts_fault *fault) {
    if (g->listed[v] == g->now) return true;
    uint32_t more = 0;
    make_room(g, (size_t)g->count + 1);
    g->begin[v] = g->pool_count;
    if (v == g->count) {
        list_watcher(g);
    } else {
        bool blocked = g->local && g->visible[v] && g->watch->allows && !g->watch->allows[v];
        if (!blocked && !g->ts->ops->obligations(w, s, v, g->pool + g->pool_count, &more, fault)) return false;
        g->pool_count += more;
        if (blocked || (is_enabled(g, v) && g->visible[v])) g->pool[g->pool_count++] = g->count;
    }
    assert(g->pool_count <= g->pool_room); /* no rule obliges more than there are transitions */
    g->end[v] = g->pool_count;
    g->listed[v] = g->now;
    return true;
}

/* ---- Closures ---- */

/* Follows the relation from v to what is neither a member nor reached yet. Returns how much of it can occur, `most` if
 * that is too much, and -1 if rules failed. */
static int64_t reach(struct guided *g, struct ts_worker *w, const word *s, uint32_t v, int64_t most,
                     struct ts_fault *fault) {
    uint32_t depth = 0;
    int64_t found = 0;
    if (g->reached[v] == g->turn || g->member[v] == g->now) return 0;
    g->reached[v] = g->turn;
    g->stack[depth++] = v;
    while (depth > 0) {
        uint32_t u = g->stack[--depth];
        found += can_occur(g, u);
        if (found >= most) return most;
        if (!list(g, w, s, u, fault)) return -1;
        for (size_t i = g->begin[u]; i < g->end[u]; i++) {
            uint32_t t = g->pool[i];
            if (g->reached[t] == g->turn || g->member[t] == g->now) continue;
            g->reached[t] = g->turn;
            g->stack[depth++] = t;
        }
    }
    return found;
}

static void next_turn(struct guided *g) {
    if (++g->turn) return;
    memset(g->reached, 0, (g->count + UINT64_C(1)) * sizeof *g->reached);
    g->turn = 1;
}

/* Adds the closure of v to the set. */
static bool add(struct guided *g, struct ts_worker *w, const word *s, uint32_t v, struct ts_fault *fault) {
    next_turn(g);
    if (reach(g, w, s, v, INT64_MAX, fault) < 0) return false;
    for (uint32_t t = 0; t <= g->count; t++)
        if (g->reached[t] == g->turn) g->member[t] = g->now;
    return true;
}

static bool add_visible(struct guided *g, struct ts_worker *w, const word *s, struct ts_fault *fault) {
    const bool *wanted = g->watch->wanted;
    next_turn(g);
    if ((!wanted || wanted[g->count]) && reach(g, w, s, g->count, INT64_MAX, fault) < 0) return false;
    for (uint32_t i = 0; i < g->seen_count; i++)
        if ((!wanted || wanted[g->seen[i]]) && reach(g, w, s, g->seen[i], INT64_MAX, fault) < 0) return false;
    for (uint32_t t = 0; t <= g->count; t++)
        if (g->reached[t] == g->turn) g->member[t] = g->now;
    return true;
}

/* The closure with fewest transitions that can occur, of one that can occur; an invisible one, if `hidden`. The
 * closures of the first strong components that have one (FLY Algorithm 4.3) are among these. *best is TS_NONE if there
 * is none. */
static bool find_best(struct guided *g, struct ts_worker *w, const word *s, const uint32_t *enabled, uint32_t count,
                      bool hidden, uint32_t *best, struct ts_fault *fault) {
    int64_t least = INT64_MAX;
    *best = TS_NONE;
    for (uint32_t i = 0; i <= count && least > 1; i++) {
        uint32_t v = i < count ? enabled[i] : g->count;
        if (!can_occur(g, v) || (hidden && (v == g->count || g->visible[v]))) continue;
        next_turn(g);
        int64_t found = reach(g, w, s, v, least, fault);
        if (found < 0) return false;
        if (found < least) *best = v;
        if (found < least) least = found;
    }
    return true;
}

/* ---- Sets ---- */

static bool has_one(const struct guided *g, const uint32_t *enabled, uint32_t count, bool hidden) {
    for (uint32_t i = 0; i < count; i++)
        if (g->member[enabled[i]] == g->now && can_occur(g, enabled[i]) && (!hidden || !g->visible[enabled[i]]))
            return true;
    return !hidden && guided_has_watcher(g) && g->watch->moves;
}

/* Unless the set has one that can occur, makes it larger by such a one. */
static bool add_one(struct guided *g, struct ts_worker *w, const word *s, const uint32_t *enabled, uint32_t count,
                    bool hidden, struct ts_fault *fault) {
    uint32_t best;
    if (has_one(g, enabled, count, hidden)) return true;
    if (!find_best(g, w, s, enabled, count, hidden, &best, fault)) return false;
    if (best == TS_NONE) return true;
    if (!add(g, w, s, best, fault)) return false;
    assert(has_one(g, enabled, count, hidden) && guided_is_closed(g));
    return true;
}

static void begin(struct guided *g, const uint32_t *enabled, uint32_t count, const struct guided_watch *watch) {
    size_t bytes = (g->count + UINT64_C(1)) * sizeof *g->member;
    if (++g->now == 0) {
        memset(g->member, 0, bytes);
        memset(g->enabled, 0, bytes);
        memset(g->listed, 0, bytes);
        g->now = 1;
    }
    g->watch = watch;
    g->pool_count = 0;
    for (uint32_t i = 0; i < count; i++) g->enabled[enabled[i]] = g->now;
}

/* By facts. */
static bool choose_derived(struct guided *g, struct ts_worker *w, const word *s, struct ts_fault *fault) {
    struct derived_sets *sets = g->asker->sets;
    g->asker->w = w;
    if (!derived_sets_enter(sets, s)) return derived_contradicted(fault, TS_NONE);
    if (derived_sets_guide(sets, g->visible, g->watch, g->watch->endless, g->stack) == DERIVED_SETS_WRONG)
        return derived_contradicted(fault, TS_NONE);
    for (uint32_t t = 0; t < g->count; t++)
        if (derived_sets_has(sets, t)) g->member[t] = g->now;
    if (derived_sets_has_watcher(sets)) g->member[g->count] = g->now;
    return true;
}

bool guided_choose(struct guided *g, struct ts_worker *w, const word *s, const uint32_t *enabled,
                   uint32_t enabled_count, const struct guided_watch *watch, struct ts_fault *fault) {
    begin(g, enabled, enabled_count, watch);
    if (g->asker) return choose_derived(g, w, s, fault);
    if ((watch->needs & GUIDED_VISIBLE) && !add_visible(g, w, s, fault)) return false;
    if ((watch->needs & GUIDED_INVISIBLE) && !add_one(g, w, s, enabled, enabled_count, true, fault)) return false;
    return !(watch->needs & GUIDED_ENABLED) || add_one(g, w, s, enabled, enabled_count, false, fault);
}

bool guided_is_closed(const struct guided *g) {
    if (g->asker) return true; /* nothing is obliged */
    for (uint32_t v = 0; v <= g->count; v++) {
        if (g->member[v] != g->now) continue;
        if (g->listed[v] != g->now) return false;
        for (size_t i = g->begin[v]; i < g->end[v]; i++)
            if (g->member[g->pool[i]] != g->now) return false;
    }
    return true;
}

/* ---- Making and freeing ---- */

struct guided *guided_new(struct ts *ts, const bool *visible) {
    struct guided *g = memory_get_zeroed(sizeof *g);
    size_t vertices = ts->transitions + UINT64_C(1);
    g->ts = ts;
    g->count = ts->transitions;
    g->local = ts_has(ts, TS_CHOICE_OF_RULES);
    g->visible = memory_get(vertices);
    g->seen = memory_get(vertices * sizeof *g->seen);
    for (uint32_t t = 0; t < ts->transitions; t++) {
        g->visible[t] = visible[t];
        if (visible[t]) g->seen[g->seen_count++] = t;
    }
    uint32_t **zeroed[] = {&g->member, &g->enabled, &g->listed, &g->reached};
    for (size_t i = 0; i < 4; i++) *zeroed[i] = memory_get_zeroed(vertices * sizeof(uint32_t));
    g->begin = memory_get(vertices * sizeof *g->begin);
    g->end = memory_get(vertices * sizeof *g->end);
    g->stack = memory_get(vertices * sizeof *g->stack);
    if (ts->derived) {
        g->asker = memory_get(sizeof *g->asker);
        derived_asker_init(g->asker, ts->derived, ts);
    }
    return g;
}

void guided_free(struct guided *g) {
    if (!g) return;
    if (g->asker) derived_asker_fini(g->asker);
    void *all[] = {g->visible, g->seen, g->member, g->enabled, g->listed, g->reached,
                   g->begin,   g->end,  g->pool,   g->stack,   g->asker,  g};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
}
