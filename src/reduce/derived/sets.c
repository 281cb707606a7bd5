#include "reduce/derived/sets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reduce/derived/sets_inner.h"
#include "reduce/guided.h"

static struct derived_sets *open_sets(const struct derived *d) {
    struct derived_sets *s = memory_get_zeroed(sizeof *s);
    s->d = d;
    s->walked = memory_get((d->members + 1) * sizeof *s->walked);
    s->asked = memory_get((d->members + 1) * sizeof *s->asked);
    for (uint32_t m = 0; m < d->members; m++) {
        if (d->member[m].walked) s->walked[s->walked_count++] = m;
        if (!d->member[m].exact) s->asked[s->asked_count++] = m;
    }
    s->effect = memory_get((d->members + 1) * sizeof *s->effect);
    s->enabled = memory_get_zeroed(d->members + 1);
    s->enabled_list = memory_get((d->members + 1) * sizeof *s->enabled_list);
    s->found = memory_get((d->members + 1) * sizeof *s->found);
    reach_init(&s->reach, d);
    s->in = memory_get_zeroed(d->members + 1);
    s->removed = memory_get((d->members + 1) * sizeof *s->removed);
    s->seen = memory_get_zeroed(d->diagram.count + 1);
    s->seen_list = memory_get((d->diagram.count + 1) * sizeof *s->seen_list);
    return s;
}

void derived_sets_free(struct derived_sets *s) {
    if (!s) return;
    free(s->walked), free(s->asked), free(s->effect), free(s->enabled), free(s->enabled_list), free(s->found);
    reach_fini(&s->reach);
    plain_free(s->plain);
    free(s->in), free(s->removed), free(s->seen), free(s->seen_list);
    free(s);
}

static bool is_transition(const struct derived_sets *s, uint32_t m) { return m < s->d->transitions; }

/* ---- The state ---- */

static void is_enabled(struct derived_sets *s, uint32_t m, uint32_t effect) {
    s->enabled[m] = true;
    s->effect[m] = effect;
    s->found[s->found_count++] = m;
}

/* Of a member whose cubes do not tell all. */
static bool look_at(struct derived_sets *s, uint32_t m) {
    const struct diagram *g = &s->d->diagram;
    if (s->d->member[m].root == NODE_NONE) return true; /* it has no way through its diagram, so it is never asked */
    uint32_t n = diagram_walk(g, s->d->member[m].root, s->d->variables, s->state);
    if (n == NODE_NONE) return false;
    if (g->node[n].kind == NODE_ENABLED) is_enabled(s, m, g->node[n].effect);
    else if (g->node[n].kind != NODE_DISABLED && s->ask.enabled(s->ask.context, m)) is_enabled(s, m, EFFECT_VAGUE);
    return true;
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Transitions that are enabled, by increasing number. Cubes come so already. */
static void list_enabled(struct derived_sets *s) {
    s->enabled_count = 0;
    for (uint32_t i = 0; i < s->found_count; i++)
        if (is_transition(s, s->found[i])) s->enabled_list[s->enabled_count++] = s->found[i];
    if (s->asked_count) qsort(s->enabled_list, s->enabled_count, sizeof *s->enabled_list, by_number);
}

static uint64_t cubes_in(const struct derived_sets *s, const struct item_block *items, uint32_t w) {
    uint32_t b = w / BLOCK_WORDS;
    return item_block_word(item_block_and(items[b], s->d->table.every_cube[b]), w % BLOCK_WORDS);
}

bool sets_enter(struct derived_sets *s) {
    const struct cube_table *t = &s->d->table;
    s->entered = true;
    while (s->found_count) s->enabled[s->found[--s->found_count]] = false;
    if (!reach_enter(&s->reach, s->state)) return false;
    const struct item_block *alive = reach_alive(&s->reach);
    for (uint32_t w = 0; 64 * w < t->cubes; w++)
        for (uint64_t left = cubes_in(s, alive, w); left; left &= left - 1) {
            uint32_t cube = 64 * w + (uint32_t)__builtin_ctzll(left), m = t->member[cube];
            if (s->d->member[m].exact && !s->enabled[m]) is_enabled(s, m, s->d->cubes.tag[cube]);
        }
    for (uint32_t i = 0; i < s->asked_count; i++)
        if (!look_at(s, s->asked[i])) return false;
    list_enabled(s);
    return true;
}

bool derived_sets_enter(struct derived_sets *s, const uint64_t *state) {
    s->state = state;
    s->entered = s->by_plain = false;
    return s->plain ? true : sets_enter(s);
}

bool derived_sets_possible(const struct derived_sets *s, const uint64_t *state) {
    const struct slots *slots = &s->d->readings.slots;
    uint32_t words = slots->words;
    uint64_t set[words], together[words];
    memset(set, 0, sizeof set);
    memset(together, 0xff, sizeof together);
    for (uint32_t x = 0; x < slots->variables; x++) {
        uint64_t value = source_value(&s->d->variables[x], state);
        if (slots->of[x].count == 0) continue;
        if (value >= slots->of[x].count) return false;
        const uint64_t *row = value_pairs_row(&s->d->readings.pairs, slots->of[x].first + (uint32_t)value);
        slot_add(set, slots->of[x].first + (uint32_t)value);
        for (uint32_t w = 0; w < words; w++) together[w] &= row[w];
    }
    for (uint32_t w = 0; w < words; w++)
        if (set[w] & ~together[w]) return false;
    return true;
}

const uint64_t *derived_sets_state(const struct derived_sets *s) { return s->state; }

bool derived_sets_enabled(const struct derived_sets *s, uint32_t member) {
    const struct diagram *g = &s->d->diagram;
    if (s->entered) return s->enabled[member];
    if (s->d->member[member].root == NODE_NONE) return false;
    uint32_t n = diagram_walk(g, s->d->member[member].root, s->d->variables, s->state);
    if (n == NODE_NONE || g->node[n].kind == NODE_DISABLED) return false;
    return g->node[n].kind == NODE_ENABLED || s->ask.enabled(s->ask.context, member);
}

bool derived_sets_has(struct derived_sets *s, uint32_t member) {
    if (s->by_plain && !s->listed) plain_members(s->plain, s->state, &s->chosen, s->in);
    s->listed = true;
    return s->in[member];
}
bool derived_sets_has_watcher(const struct derived_sets *s) { return s->watcher_in; }

uint32_t derived_sets_bad(const struct derived_sets *s) {
    for (uint32_t m = s->d->transitions; m < s->d->members; m++)
        if (derived_sets_enabled(s, m)) return m;
    return UINT32_MAX;
}

static bool fire(const struct derived_sets *s, uint32_t effect, uint64_t *to) {
    uint32_t count;
    const uint32_t *list = diagram_effect(&s->d->diagram, effect, &count);
    memcpy(to, s->state, s->d->readings.source->words * sizeof *to);
    for (uint32_t i = 0; i < count; i++) {
        if (list[2 * i + 1] == SLOT_ANY) return false;
        const struct source_variable *x = &s->d->variables[list[2 * i]];
        source_set(x, to, list[2 * i + 1] - s->d->readings.slots.of[list[2 * i]].first);
    }
    return true;
}

bool derived_sets_fire(const struct derived_sets *s, uint32_t t, uint64_t *to) {
    if (s->by_plain && t == s->chosen.transition) return fire(s, s->chosen.effect, to);
    if (s->entered) return s->enabled[t] && s->effect[t] != EFFECT_VAGUE && fire(s, s->effect[t], to);
    uint32_t root = s->d->member[t].root;
    uint32_t n = root == NODE_NONE ? root : diagram_walk(&s->d->diagram, root, s->d->variables, s->state);
    return n != NODE_NONE && s->d->diagram.node[n].kind == NODE_ENABLED && fire(s, s->d->diagram.node[n].effect, to);
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
    const struct cube_table *t = &s->d->table;
    if (!s->in[m]) return;
    s->in[m] = false;
    s->removed[s->removed_count++] = m;
    count_in(s, m, -1);
    s->lost |= must_stay(s, m);
    s->reach.grown = true;
    if (is_visible(s, m) && is_allowed(s, m)) watcher_leaves(s);
    if (is_transition(s, m)) reach_ask(&s->reach, t->cubes_of + (uint64_t)m * t->blocks);
    reach_ask(&s->reach, t->conflicts + (uint64_t)m * t->blocks);
}

/* A disabled member that may become enabled does not stay; and what is outside stores. */
static void look_at_cube(struct derived_sets *s, uint32_t cube) {
    uint32_t m = s->d->table.member[cube];
    take_out(s, m);
    if (is_transition(s, m)) reach_store(&s->reach, cube);
}

/* A member that is enabled and does not accord with an outsider does not stay. */
static void look_at_conflict(struct derived_sets *s, struct item_pair pair) {
    bool first = s->in[pair.a];
    uint32_t m = first ? pair.a : pair.b;
    if (first != s->in[pair.b] && s->enabled[m]) take_out(s, m);
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
        if (stores) reach_store_effect(&s->reach, node->kind == NODE_VAGUE ? EFFECT_VAGUE : node->effect);
        return true;
    }
    const struct slot_range *r = &g->slots->of[node->variable];
    for (uint32_t i = g->arc_from[n]; i < g->arc_from[n + 1]; i++) {
        bool open = r->words == 0;
        for (uint32_t k = 0; k < r->words && !open; k++)
            open =
                (s->reach.now.values[r->word + k] & g->arc[i].values[k] & slots_mask(g->slots, node->variable, k)) != 0;
        if (open) some |= walk(s, g->arc[i].child, seen, stores);
    }
    return some;
}

static void look_at_walked(struct derived_sets *s) {
    s->reach.grown = false;
    for (uint32_t i = 0; i < s->walked_count; i++) {
        uint32_t m = s->walked[i], seen = 0;
        if (s->in[m] && s->enabled[m]) continue;
        if (!s->in[m] && !is_transition(s, m)) continue;
        if (walk(s, s->d->member[m].root, &seen, is_transition(s, m))) take_out(s, m);
        while (seen) s->seen[s->seen_list[--seen]] = false;
    }
    reach_grow(&s->reach);
}

static bool is_useless(const struct derived_sets *s) {
    return s->lost || (s->needs_open && s->open_in == 0) || (s->needs_hidden && s->hidden_in == 0);
}

/* Looks at what has come up in a block. False: there is nothing. */
static bool look_at_block(struct derived_sets *s, uint32_t b) {
    const struct cube_table *t = &s->d->table;
    struct item_block up;
    if (!reach_come_up(&s->reach, b, &up)) return false;
    for (uint32_t lane = 0; lane < BLOCK_WORDS; lane++)
        for (uint64_t left = item_block_word(up, lane); left; left &= left - 1) {
            uint32_t item = b * BLOCK_ITEMS + 64 * lane + (uint32_t)__builtin_ctzll(left);
            if (item < t->cubes) look_at_cube(s, item);
            else look_at_conflict(s, t->pair[item - t->cubes]);
        }
    reach_grow(&s->reach);
    return true;
}

/* Goes on until U is good, or has lost what it must have. */
static bool stabilise(struct derived_sets *s) {
    for (bool again = true; again;) {
        again = false;
        for (uint32_t b = s->d->table.blocks; b-- > 0;) { /* conflicts come first: they empty U */
            if (!look_at_block(s, b)) continue;
            if (is_useless(s)) return false;
            again = true;
        }
        if (!again && s->walked_count && s->reach.grown) look_at_walked(s), again = true;
    }
    return !is_useless(s);
}

/* ---- Deletion ---- */

/* All members are in U. Nothing that is disabled is alive, as there are no outsiders. */
static void begin(struct derived_sets *s) {
    const struct cube_table *t = &s->d->table;
    s->removed_count = 0;
    s->enabled_in = s->hidden_in = 0;
    s->open_in = s->watch && s->watch->moves;
    s->watcher_in = s->watch != NULL;
    s->lost = false;
    memset(s->in, true, s->d->members);
    reach_ask_none(&s->reach);
    reach_ask(&s->reach, t->every_cube);
    for (uint32_t i = 0; i < s->found_count; i++) {
        count_in(s, s->found[i], 1);
        reach_ask_not(&s->reach, t->cubes_of + (uint64_t)s->found[i] * t->blocks);
    }
}

static void attempt(struct derived_sets *s, uint32_t e) {
    reach_mark(&s->reach);
    s->removed_count = 0;
    s->watcher_was = s->watcher_in;
    take_out(s, e);
    if (stabilise(s)) return;
    reach_go_back(&s->reach);
    s->lost = false;
    while (s->removed_count) {
        uint32_t m = s->removed[--s->removed_count];
        s->in[m] = true;
        count_in(s, m, 1);
    }
    if (s->watcher_was && !s->watcher_in && s->watch->moves) s->open_in++;
    s->watcher_in = s->watcher_was;
}

/* What the set must have, of what there is. */
static void set_needs(struct derived_sets *s) {
    unsigned needs = s->watch ? s->watch->needs : (unsigned)GUIDED_ENABLED;
    s->needs_open = (needs & GUIDED_ENABLED) && s->open_in > 0;
    s->needs_hidden = (needs & GUIDED_INVISIBLE) && s->hidden_in > 0;
}

void sets_delete(struct derived_sets *s, bool keeps) {
    s->keeps = keeps;
    begin(s);
    set_needs(s);
    if (!stabilise(s)) {
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

/* Does enabled transition t lead to a state that is not larger, as a number, or that diagrams do not tell? */
static bool leads_down(const struct derived_sets *s, uint32_t t) {
    uint32_t words = s->d->readings.source->words, w = words;
    uint64_t to[words];
    if (!derived_sets_fire(s, t, to)) return true;
    if (s->ask.map && !s->ask.map(s->ask.context, to)) return true;
    while (w > 1 && to[w - 1] == s->state[w - 1]) w--;
    return to[w - 1] <= s->state[w - 1];
}

/* Does some member? On each cycle, one does. */
static bool goes_down(const struct derived_sets *s) {
    for (uint32_t i = 0; i < s->enabled_count; i++)
        if (s->in[s->enabled_list[i]] && leads_down(s, s->enabled_list[i])) return true;
    return false;
}

/* ---- Choosing ---- */

static bool choose_plain(struct derived_sets *s, bool endless) {
    s->by_plain = s->plain && !s->watch && plain_find(s->plain, s->state, &s->chosen);
    s->listed = false;
    if (s->by_plain && endless && !s->chosen.whole && leads_down(s, s->chosen.transition)) s->by_plain = false;
    return s->by_plain;
}

static uint32_t choose(struct derived_sets *s, bool endless, uint32_t *list) {
    uint32_t count = 0;
    if (choose_plain(s, endless)) return list[0] = s->chosen.transition, 1;
    if (!s->entered && !sets_enter(s)) return DERIVED_SETS_WRONG;
    sets_delete(s, false);
    if (endless && lacks_imaginary(s) && goes_down(s)) {
        reach_enter(&s->reach, s->state);
        sets_delete(s, true);
    }
    s->listed = true;
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

bool derived_sets_largest(struct derived_sets *s, bool *in) {
    s->watch = NULL;
    s->keeps = s->needs_open = s->needs_hidden = false;
    if (!sets_enter(s)) return false;
    begin(s);
    for (uint32_t m = 0; m < s->d->members; m++)
        if (!in[m]) take_out(s, m);
    s->lost = false; /* nothing must stay */
    stabilise(s);
    memcpy(in, s->in, s->d->members);
    return true;
}

static bool never(void *context, uint32_t member) {
    (void)context, (void)member;
    return false;
}

struct derived_sets *derived_sets_new(const struct derived *d, struct derived_sets_asking ask) {
    struct derived_sets *s = open_sets(d);
    s->ask.enabled = never; /* the sample is of what diagrams tell, without a map */
    s->plain = plain_new(d);
    if (s->plain) sets_try_plain(s);
    s->ask = ask;
    return s;
}

void derived_sets_always_plain(struct derived_sets *s) {
    plain_free(s->plain);
    s->plain = plain_new(s->d);
}
