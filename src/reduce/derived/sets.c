#include "reduce/derived/sets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reduce/guided.h"

/* Items are cubes of members, and after them conflict cubes. An item at work is in one list: at a variable that blocks
 * it, or among those to be looked at. */
enum { ITEM_NONE = UINT32_MAX };

struct derived_sets {
    const struct derived *d;
    struct derived_sets_asking ask;
    const uint64_t *state;
    uint32_t words;

    uint32_t *member_of;    /* of each cube */
    uint32_t (*pair_of)[2]; /* of each conflict cube */
    uint32_t cubes, items;
    uint32_t *walked, walked_count; /* members without cubes */

    /* Of the state. */
    uint32_t *leaf;
    bool *enabled;
    uint32_t *enabled_list, enabled_count;

    /* Of the watcher; NULL: there is none. */
    const struct guided_watch *watch;
    const bool *visible;
    bool watcher_in, watcher_was;

    /* U, and the reach. */
    bool *in;
    uint32_t enabled_in; /* transitions that are enabled and in U */
    uint32_t open_in;    /* ... and allowed by the watcher; its own moves count as one */
    uint32_t hidden_in;  /* ... and not visible */
    bool needs_open, needs_hidden; /* one must stay */
    uint64_t *values;
    bool grown; /* since walked members were looked at */
    bool keeps; /* imaginary transitions that are disabled must stay in U; */
    bool lost;  /* one that must stay has not */

    uint32_t *next, *head;        /* lists: of items; head[x]: those that variable x blocks */
    uint32_t chain;               /* those to be looked at */
    uint32_t *queued, epoch;      /* item i is in a list: queued[i] == epoch */
    uint32_t *woken, woken_count; /* variables whose values became more */
    bool *wakes;

    /* What an attempt has changed. */
    uint32_t *removed, removed_count;
    uint32_t *gone, gone_count, gone_room; /* items that have left the lists */
    uint64_t *old_values;

    bool *seen; /* nodes of a walk */
    uint32_t *seen_list;
};

struct derived_sets *derived_sets_new(const struct derived *d, struct derived_sets_asking ask) {
    struct derived_sets *s = memory_get_zeroed(sizeof *s);
    uint32_t variables = d->readings.source->variable_count;
    s->d = d;
    s->ask = ask;
    s->words = d->readings.slots.words;
    s->cubes = d->cubes.count;
    s->items = d->cubes.count + d->conflicts.count;
    s->member_of = memory_get((s->cubes + 1) * sizeof *s->member_of);
    s->pair_of = memory_get((d->conflicts.count + 1) * sizeof *s->pair_of);
    s->walked = memory_get((d->members + 1) * sizeof *s->walked);
    for (uint32_t m = 0; m < d->members; m++) {
        const struct member *at = &d->member[m];
        for (uint32_t c = at->from; c < at->to; c++) s->member_of[c] = m;
        for (uint32_t i = at->near_from; i < at->near_to; i++)
            for (uint32_t c = d->near[i].from; c < d->near[i].to; c++)
                s->pair_of[c][0] = m, s->pair_of[c][1] = d->near[i].member;
        if (at->walked) s->walked[s->walked_count++] = m;
    }
    s->leaf = memory_get((d->members + 1) * sizeof *s->leaf);
    s->enabled = memory_get_zeroed(d->members + 1);
    s->enabled_list = memory_get((d->members + 1) * sizeof *s->enabled_list);
    s->in = memory_get_zeroed(d->members + 1);
    s->values = memory_get_zeroed(s->words * sizeof *s->values);
    s->old_values = memory_get_zeroed(s->words * sizeof *s->old_values);
    s->next = memory_get((s->items + 1) * sizeof *s->next);
    s->queued = memory_get_zeroed((s->items + 1) * sizeof *s->queued);
    s->head = memory_get((variables + 1) * sizeof *s->head);
    s->woken = memory_get((variables + 1) * sizeof *s->woken);
    s->wakes = memory_get_zeroed(variables + 1);
    s->removed = memory_get((d->members + 1) * sizeof *s->removed);
    s->seen = memory_get_zeroed(d->diagram.count + 1);
    s->seen_list = memory_get((d->diagram.count + 1) * sizeof *s->seen_list);
    return s;
}

void derived_sets_free(struct derived_sets *s) {
    if (!s) return;
    free(s->member_of), free(s->pair_of), free(s->walked), free(s->leaf), free(s->enabled), free(s->enabled_list);
    free(s->in), free(s->values), free(s->old_values), free(s->next), free(s->queued), free(s->head);
    free(s->woken), free(s->wakes), free(s->removed), free(s->gone), free(s->seen), free(s->seen_list);
    free(s);
}

static bool is_transition(const struct derived_sets *s, uint32_t m) {
    return s->d->member[m].kind == MEMBER_TRANSITION;
}

/* ---- The state ---- */

static bool look_at(struct derived_sets *s, uint32_t m) {
    const struct diagram *g = &s->d->diagram;
    s->leaf[m] = NODE_NONE;
    s->enabled[m] = false;
    if (s->d->member[m].root == NODE_NONE) return true; /* it has no way through its diagram, so it is never asked */
    uint32_t n = diagram_walk(g, s->d->member[m].root, s->d->variables, s->state);
    if (n == NODE_NONE) return false;
    s->leaf[m] = n;
    if (g->node[n].kind == NODE_ENABLED) s->enabled[m] = true;
    if (g->node[n].kind == NODE_CHOICE || g->node[n].kind == NODE_VAGUE)
        s->enabled[m] = s->ask.enabled(s->ask.context, m);
    if (s->enabled[m] && is_transition(s, m)) s->enabled_list[s->enabled_count++] = m;
    return true;
}

bool derived_sets_enter(struct derived_sets *s, const uint64_t *state) {
    s->state = state;
    s->enabled_count = 0;
    for (uint32_t m = 0; m < s->d->members; m++)
        if (!look_at(s, m)) return false;
    return true;
}

bool derived_sets_possible(const struct derived_sets *s, const uint64_t *state) {
    const struct slots *slots = &s->d->readings.slots;
    uint64_t set[s->words];
    memset(set, 0, sizeof set);
    for (uint32_t x = 0; x < slots->variables; x++)
        if (slots->of[x].count) slot_add(set, slots->of[x].first + (uint32_t)source_value(&s->d->variables[x], state));
    for (uint32_t x = 0; x < slots->variables; x++) {
        if (slots->of[x].count == 0) continue;
        uint32_t slot = slots->of[x].first + (uint32_t)source_value(&s->d->variables[x], state);
        const uint64_t *row = value_pairs_row(&s->d->readings.pairs, slot);
        for (uint32_t w = 0; w < s->words; w++)
            if (set[w] & ~row[w]) return false;
    }
    return true;
}

const uint64_t *derived_sets_state(const struct derived_sets *s) { return s->state; }
bool derived_sets_enabled(const struct derived_sets *s, uint32_t member) { return s->enabled[member]; }
bool derived_sets_has(const struct derived_sets *s, uint32_t member) { return s->in[member]; }
bool derived_sets_has_watcher(const struct derived_sets *s) { return s->watcher_in; }

uint32_t derived_sets_bad(const struct derived_sets *s) {
    for (uint32_t m = s->d->transitions; m < s->d->members; m++)
        if (s->enabled[m]) return m;
    return UINT32_MAX;
}

bool derived_sets_fire(const struct derived_sets *s, uint32_t t, uint64_t *to) {
    const struct diagram *g = &s->d->diagram;
    uint32_t count;
    if (s->leaf[t] == NODE_NONE || g->node[s->leaf[t]].kind != NODE_ENABLED) return false;
    const uint32_t *list = diagram_effect(g, g->node[s->leaf[t]].effect, &count);
    memcpy(to, s->state, s->d->readings.source->words * sizeof *to);
    for (uint32_t i = 0; i < count; i++) {
        if (list[2 * i + 1] == SLOT_ANY) return false;
        const struct source_variable *x = &s->d->variables[list[2 * i]];
        source_set(x, to, list[2 * i + 1] - s->d->readings.slots.of[list[2 * i]].first);
    }
    return true;
}

/* ---- Lists ---- */

static void push(struct derived_sets *s, uint32_t item) {
    if (s->queued[item] == s->epoch) return;
    s->queued[item] = s->epoch;
    s->next[item] = s->chain;
    s->chain = item;
}

static void leave(struct derived_sets *s, uint32_t item) {
    s->queued[item] = 0;
    MAKE_ROOM(s->gone, s->gone_count, s->gone_room);
    s->gone[s->gone_count++] = item;
}

static void wake(struct derived_sets *s, uint32_t x) {
    s->grown = true;
    if (s->wakes[x]) return;
    s->wakes[x] = true;
    s->woken[s->woken_count++] = x;
}

static void store(struct derived_sets *s, uint32_t effect) {
    const uint64_t *possible = s->d->readings.pairs.possible;
    if (effect == EFFECT_VAGUE) {
        if (memcmp(s->values, possible, s->words * sizeof *s->values) == 0) return;
        memcpy(s->values, possible, s->words * sizeof *s->values);
        for (uint32_t x = 0; x < s->d->readings.source->variable_count; x++) wake(s, x);
        return;
    }
    uint32_t count;
    const uint32_t *list = diagram_effect(&s->d->diagram, effect, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (list[2 * i + 1] == SLOT_ANY || slot_in(s->values, list[2 * i + 1])) continue;
        slot_add(s->values, list[2 * i + 1]);
        wake(s, list[2 * i]);
    }
}

/* ---- Watchers ---- */

static bool is_visible(const struct derived_sets *s, uint32_t m) {
    return s->watch && is_transition(s, m) && s->visible[m];
}

static bool is_allowed(const struct derived_sets *s, uint32_t m) {
    return !is_visible(s, m) || !s->watch->allows || s->watch->allows[m];
}

/* The watcher is the member after all transitions. */
static bool is_wanted(const struct derived_sets *s, uint32_t m) {
    return (s->watch->needs & GUIDED_VISIBLE) && (!s->watch->wanted || s->watch->wanted[m]);
}

/* Adds to how many such transitions there are in U. */
static void count_in(struct derived_sets *s, uint32_t m, int more) {
    if (!s->enabled[m] || !is_transition(s, m)) return;
    s->enabled_in += (uint32_t)more;
    if (is_allowed(s, m)) s->open_in += (uint32_t)more;
    if (!is_visible(s, m)) s->hidden_in += (uint32_t)more;
}

static void take_out(struct derived_sets *s, uint32_t m);

/* No visible transition that is enabled can stay without it. */
static void watcher_leaves(struct derived_sets *s) {
    if (!s->watcher_in) return;
    s->watcher_in = false;
    if (s->watch->moves) s->open_in--;
    s->lost |= is_wanted(s, s->d->transitions);
    for (uint32_t i = 0; i < s->enabled_count; i++)
        if (is_visible(s, s->enabled_list[i])) take_out(s, s->enabled_list[i]);
}

static bool must_stay(const struct derived_sets *s, uint32_t m) {
    if (!is_transition(s, m)) return s->keeps && !s->enabled[m];
    return is_visible(s, m) && is_wanted(s, m);
}

/* ---- The largest good subset ---- */

static void take_out(struct derived_sets *s, uint32_t m) {
    const struct member *at = &s->d->member[m];
    if (!s->in[m]) return;
    s->in[m] = false;
    s->removed[s->removed_count++] = m;
    count_in(s, m, -1);
    s->lost |= must_stay(s, m);
    s->grown = true;
    if (is_visible(s, m) && is_allowed(s, m)) watcher_leaves(s);
    if (is_transition(s, m))
        for (uint32_t c = at->from; c < at->to; c++) push(s, c);
    for (uint32_t i = at->near_from; i < at->near_to; i++) {
        uint32_t u = s->d->near[i].member;
        if (!s->in[u] || !s->enabled[u]) continue;
        for (uint32_t c = s->d->near[i].from; c < s->d->near[i].to; c++) push(s, s->cubes + c);
    }
}

static void look_at_cube(struct derived_sets *s, uint32_t cube) {
    uint32_t m = s->member_of[cube];
    assert(s->queued[cube] == s->epoch);
    bool matters = !s->enabled[m] || !s->in[m];
    uint32_t x = matters ? cube_blocked(&s->d->cubes, cube, s->values) : CUBE_ALIVE;
    if (x != CUBE_ALIVE) {
        s->next[cube] = s->head[x];
        s->head[x] = cube;
        return;
    }
    leave(s, cube);
    if (!matters) return;
    take_out(s, m);
    if (is_transition(s, m)) store(s, s->d->cubes.tag[cube]);
}

static void look_at_conflict(struct derived_sets *s, uint32_t item) {
    const uint32_t *pair = s->pair_of[item - s->cubes];
    bool first = s->in[pair[0]], matters = first != s->in[pair[1]] && s->enabled[pair[first ? 0 : 1]];
    uint32_t x = matters ? cube_blocked(&s->d->conflicts, item - s->cubes, s->values) : CUBE_ALIVE;
    if (x != CUBE_ALIVE) {
        s->next[item] = s->head[x];
        s->head[x] = item;
        return;
    }
    leave(s, item);
    if (matters) take_out(s, pair[first ? 0 : 1]);
}

/* Follows a diagram with all values that there are; what is stored in the leaves is. True: there is an enabled one. */
static bool walk(struct derived_sets *s, uint32_t n, uint32_t *seen, bool stores) {
    const struct diagram *g = &s->d->diagram;
    const struct node *node = &g->node[n];
    bool some = false;
    if (s->seen[n] || node->kind == NODE_DISABLED) return false;
    s->seen[n] = true;
    s->seen_list[(*seen)++] = n;
    if (node->kind > NODE_CHOICE) {
        if (stores) store(s, node->kind == NODE_VAGUE ? EFFECT_VAGUE : node->effect);
        return true;
    }
    const struct slot_range *r = &g->slots->of[node->variable];
    for (uint32_t i = g->arc_from[n]; i < g->arc_from[n + 1]; i++) {
        bool open = r->words == 0;
        for (uint32_t k = 0; k < r->words && !open; k++)
            open = (s->values[r->word + k] & g->arc[i].values[k] & slots_mask(g->slots, node->variable, k)) != 0;
        if (open) some |= walk(s, g->arc[i].child, seen, stores);
    }
    return some;
}

static void look_at_walked(struct derived_sets *s) {
    s->grown = false;
    for (uint32_t i = 0; i < s->walked_count; i++) {
        uint32_t m = s->walked[i], seen = 0;
        if (s->in[m] && s->enabled[m]) continue;
        if (!s->in[m] && !is_transition(s, m)) continue;
        if (walk(s, s->d->member[m].root, &seen, is_transition(s, m))) take_out(s, m);
        while (seen) s->seen[s->seen_list[--seen]] = false;
    }
}

static bool is_useless(const struct derived_sets *s) {
    return s->lost || (s->needs_open && s->open_in == 0) || (s->needs_hidden && s->hidden_in == 0);
}

/* Goes on until U is good, or has lost what it must have. */
static bool stabilise(struct derived_sets *s, bool must) {
    for (;;) {
        while (s->chain != ITEM_NONE) {
            if (must && is_useless(s)) return false;
            uint32_t item = s->chain;
            s->chain = s->next[item];
            if (item < s->cubes) look_at_cube(s, item);
            else look_at_conflict(s, item);
        }
        if (s->woken_count) {
            uint32_t x = s->woken[--s->woken_count];
            s->wakes[x] = false;
            s->chain = s->head[x];
            s->head[x] = ITEM_NONE;
        } else if (s->grown && s->walked_count) look_at_walked(s);
        else return !must || !is_useless(s);
    }
}

/* ---- Deletion ---- */

static void begin(struct derived_sets *s) {
    const struct derived *d = s->d;
    uint32_t variables = d->readings.source->variable_count;
    if (++s->epoch == UINT32_MAX) memset(s->queued, 0, s->items * sizeof *s->queued), s->epoch = 1;
    s->chain = ITEM_NONE;
    s->grown = true;
    while (s->woken_count) s->wakes[s->woken[--s->woken_count]] = false;
    s->removed_count = s->gone_count = 0;
    memset(s->values, 0, s->words * sizeof *s->values);
    for (uint32_t x = 0; x < variables; x++) {
        s->head[x] = ITEM_NONE;
        if (d->readings.slots.of[x].count)
            slot_add(s->values, d->readings.slots.of[x].first + (uint32_t)source_value(&d->variables[x], s->state));
    }
    s->enabled_in = s->hidden_in = 0;
    s->open_in = s->watch && s->watch->moves;
    s->watcher_in = s->watch != NULL;
    s->lost = false;
    for (uint32_t m = 0; m < d->members; m++) {
        s->in[m] = true;
        count_in(s, m, 1);
        if (s->enabled[m]) continue;
        for (uint32_t c = d->member[m].from; c < d->member[m].to; c++) push(s, c);
    }
}

/* U becomes what it was before the attempt. What waits for a value in a larger reach waits for it in a smaller one, too. */
static void go_back(struct derived_sets *s) {
    while (s->woken_count) s->wakes[s->woken[--s->woken_count]] = false;
    memcpy(s->values, s->old_values, s->words * sizeof *s->values);
    s->lost = false;
    while (s->removed_count) {
        uint32_t m = s->removed[--s->removed_count];
        s->in[m] = true;
        count_in(s, m, 1);
    }
    if (s->watcher_was && !s->watcher_in && s->watch->moves) s->open_in++;
    s->watcher_in = s->watcher_was;
    uint32_t count = s->gone_count;
    for (uint32_t i = 0; i < count; i++) push(s, s->gone[i]);
    s->gone_count = 0;
    s->grown = false;
    stabilise(s, false);
    assert(s->removed_count == 0);
    s->gone_count = 0;
}

static void attempt(struct derived_sets *s, uint32_t e) {
    s->removed_count = s->gone_count = 0;
    s->watcher_was = s->watcher_in;
    memcpy(s->old_values, s->values, s->words * sizeof *s->values);
    take_out(s, e);
    if (!stabilise(s, true)) go_back(s);
}

/* What the set must have, of what there is. */
static void set_needs(struct derived_sets *s) {
    unsigned needs = s->watch ? s->watch->needs : (unsigned)GUIDED_ENABLED;
    s->needs_open = (needs & GUIDED_ENABLED) && s->open_in > 0;
    s->needs_hidden = (needs & GUIDED_INVISIBLE) && s->hidden_in > 0;
}

static void delete (struct derived_sets *s, bool keeps) {
    s->keeps = keeps;
    begin(s);
    set_needs(s);
    if (!stabilise(s, true)) {
        memset(s->in, true, s->d->members); /* there are no outsiders, whatever is vague */
        s->watcher_in = s->watch != NULL;
        return;
    }
    uint32_t least = s->needs_open || s->needs_hidden;
    for (uint32_t i = 0; i < s->enabled_count && s->enabled_in > least; i++)
        if (s->in[s->enabled_list[i]]) attempt(s, s->enabled_list[i]);
}

/* Is some imaginary transition disabled, and not in the set? */
static bool lacks_imaginary(const struct derived_sets *s) {
    for (uint32_t m = s->d->transitions; m < s->d->members; m++)
        if (!s->in[m] && !s->enabled[m]) return true;
    return false;
}

/* Does a member lead to a state that is not larger, as a number, or that diagrams do not tell? On each cycle, one does. */
static bool goes_down(const struct derived_sets *s) {
    uint32_t words = s->d->readings.source->words;
    uint64_t to[words];
    for (uint32_t i = 0; i < s->enabled_count; i++) {
        uint32_t w = words;
        if (!s->in[s->enabled_list[i]]) continue;
        if (!derived_sets_fire(s, s->enabled_list[i], to)) return true;
        if (s->ask.map && !s->ask.map(s->ask.context, to)) return true;
        while (w > 1 && to[w - 1] == s->state[w - 1]) w--;
        if (to[w - 1] <= s->state[w - 1]) return true;
    }
    return false;
}

static uint32_t choose(struct derived_sets *s, bool endless, uint32_t *list) {
    uint32_t count = 0;
    delete (s, false);
    if (endless && lacks_imaginary(s) && goes_down(s)) delete (s, true);
    for (uint32_t i = 0; i < s->enabled_count; i++)
        if (s->in[s->enabled_list[i]]) list[count++] = s->enabled_list[i];
    return count;
}

uint32_t derived_sets_choose(struct derived_sets *s, bool endless, uint32_t *list) {
    s->watch = NULL;
    uint32_t count = choose(s, endless, list);
    assert(count > 0 || s->enabled_count == 0); /* D0 */
    return count;
}

uint32_t derived_sets_guide(struct derived_sets *s, const bool *visible, const struct guided_watch *watch, bool endless,
                            uint32_t *list) {
    s->watch = watch;
    s->visible = visible;
    return choose(s, endless, list);
}

void derived_sets_largest(struct derived_sets *s, bool *in) {
    s->watch = NULL;
    s->keeps = false;
    begin(s);
    for (uint32_t m = 0; m < s->d->members; m++)
        if (!in[m]) take_out(s, m);
    stabilise(s, false);
    memcpy(in, s->in, s->d->members);
}
