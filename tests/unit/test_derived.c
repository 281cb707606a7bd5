/* Facts and stubborn sets that are derived: random models against their definitions.
 *
 *     facts    in every reachable state, diagrams tell what the code does, and all values stand together
 *     sets     in every state of the reduced system: D1 and D2, by all sequences of outsiders, of the system with the
 *              imaginary transitions
 *     answers  the same terminal states as without reduction, the same answer to termination; and in models that can
 *              always terminate, a bad state and an error are found if there are any
 *     watched  what is said never to change a proposition does not; sets have what a watcher needs; and the reduced
 *              system has a violation of must progress, and of formulas without next, if the full one has
 */
#include "acted.h"
#include "reduce/derived/sets.h"
#include "reduce/guided.h"
#include "unit.h"

enum { MOST_STATES = 5000, MOST_MEMBERS = 2 * ACTED_UNITS };

struct space {
    const struct acted_model *m;
    const struct derived *d;
    struct source *source;
    uint32_t size;
    int32_t *step; /* of state and member: the state that it leads to; NOT, or not known yet */
};
enum { NOT = -1, NOT_KNOWN = -2 };

static uint32_t code_of(const struct space *s, const uint32_t *state) {
    uint32_t code = 0;
    for (uint32_t x = 0; x < s->m->variables; x++) code = code * s->m->values[x] + state[x];
    return code;
}

static void state_of(const struct space *s, uint32_t code, uint32_t *state) {
    for (uint32_t x = s->m->variables; x-- > 0;) state[x] = code % s->m->values[x], code /= s->m->values[x];
}

/* By definition. */
static int32_t step(const struct space *s, uint32_t code, uint32_t member) {
    int32_t *at = &s->step[(uint64_t)code * s->d->members + member];
    if (*at != NOT_KNOWN) return *at;
    uint32_t state[ACTED_VARIABLES], to[ACTED_VARIABLES];
    const struct member *m = &s->d->member[member];
    state_of(s, code, state);
    *at = NOT;
    switch (m->kind) {
    case MEMBER_TRANSITION:
        if (acted_fire(s->m, m->unit, state, to) == 1) *at = (int32_t)code_of(s, to);
        break;
    case MEMBER_ERROR:
        if (acted_fire(s->m, m->unit, state, to) < 0) *at = (int32_t)code;
        break;
    case MEMBER_BAD_STATE:
        if (acted_ask(s->m, m->unit, state) != 0) *at = (int32_t)code;
        break;
    }
    return *at;
}

/* ---- Searches ---- */

struct found {
    uint32_t states, edges;
    bool *seen, *terminal;
    bool bad, ends; /* from every state, a terminal one is reachable */
};

static void found_fini(struct found *f) { free(f->seen), free(f->terminal); }

static bool always_ends(const struct space *s, const struct found *f, const uint32_t (*edge)[2]) {
    bool *ends = calloc(s->size, 1), all = true;
    memcpy(ends, f->terminal, s->size);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = f->edges; i-- > 0;)
            if (ends[edge[i][1]] && !ends[edge[i][0]]) ends[edge[i][0]] = again = true;
    }
    for (uint32_t i = 0; i < s->size; i++) all &= !f->seen[i] || ends[i];
    free(ends);
    return all;
}

typedef uint32_t chooser(const struct space *s, void *context, uint32_t code, uint32_t *list);

static struct found search(const struct space *s, chooser *choose, void *context) {
    struct found f = {.seen = calloc(s->size, 1), .terminal = calloc(s->size, 1)};
    uint32_t *queue = malloc(s->size * sizeof *queue), list[MOST_MEMBERS];
    uint32_t(*edge)[2] = malloc((uint64_t)s->size * (s->d->transitions + 1) * sizeof *edge);
    queue[f.states++] = code_of(s, s->m->initial);
    f.seen[queue[0]] = true;
    for (uint32_t i = 0; i < f.states; i++) {
        for (uint32_t m = s->d->transitions; m < s->d->members; m++) f.bad |= step(s, queue[i], m) >= 0;
        uint32_t n = choose(s, context, queue[i], list);
        f.terminal[queue[i]] = n == 0;
        for (uint32_t k = 0; k < n; k++) {
            int32_t to = step(s, queue[i], list[k]);
            assert_true(to >= 0);
            edge[f.edges][0] = queue[i], edge[f.edges++][1] = (uint32_t)to;
            if (!f.seen[to]) f.seen[to] = true, queue[f.states++] = (uint32_t)to;
        }
    }
    f.ends = always_ends(s, &f, edge);
    free(queue), free(edge);
    return f;
}

static uint32_t choose_all(const struct space *s, void *context, uint32_t code, uint32_t *list) {
    uint32_t n = 0;
    (void)context;
    for (uint32_t t = 0; t < s->d->transitions; t++)
        if (step(s, code, t) >= 0) list[n++] = t;
    return n;
}

/* ---- Facts ---- */

static uint64_t vague_leaves, told_leaves;

static void check_facts_in(const struct space *s, struct derived_sets *sets, uint32_t code) {
    uint32_t state[ACTED_VARIABLES], to[ACTED_VARIABLES];
    uint64_t packed[8], next[8];
    const struct slots *slots = &s->d->readings.slots;
    state_of(s, code, state);
    acted_pack(s->source, state, packed);
    assert_true(derived_sets_enter(sets, packed));
    for (uint32_t x = 0; x < slots->variables; x++)
        for (uint32_t y = 0; y <= x && slots->of[x].count; y++)
            if (slots->of[y].count)
                assert_true(slot_in(value_pairs_row(&s->d->readings.pairs, slots->of[x].first + state[x]),
                                    slots->of[y].first + state[y]));
    for (uint32_t m = 0; m < s->d->members; m++) {
        bool told = m >= s->d->transitions || derived_sets_fire(sets, m, next);
        assert_int_equal(derived_sets_enabled(sets, m), step(s, code, m) >= 0);
        if (m >= s->d->transitions || step(s, code, m) < 0) continue;
        vague_leaves += !told;
        if (!told) continue;
        told_leaves++;
        acted_unpack(s->source, next, to);
        assert_int_equal(code_of(s, to), step(s, code, m));
    }
    /* An imaginary transition that was left out is never enabled. */
    for (uint32_t u = 0; u < s->m->units; u++) {
        enum unit_kind kind = s->m->unit[u].kind;
        bool bad = kind == UNIT_TRANSITION    ? acted_fire(s->m, u, state, to) < 0
                   : kind == UNIT_CHECK_STATE ? acted_ask(s->m, u, state) != 0
                                              : false;
        for (uint32_t m = s->d->transitions; m < s->d->members; m++) bad &= s->d->member[m].unit != u;
        assert_false(bad);
    }
}

/* ---- Sets ---- */

/* Member t in s, and all that outsiders can do, by definition. */
static bool keeps(const struct space *s, const bool *in, uint32_t code, uint32_t t, bool *seen, uint32_t *queue) {
    uint32_t n = 0;
    bool enabled = step(s, code, t) >= 0;
    memset(seen, 0, s->size);
    queue[n++] = code, seen[code] = true;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t x = queue[i];
        int32_t y = step(s, x, t);
        if (enabled != (y >= 0)) return false;
        for (uint32_t u = 0; u < s->d->members; u++) {
            if (in[u] || step(s, x, u) < 0) continue;
            uint32_t after = (uint32_t)step(s, x, u);
            if (enabled && (step(s, (uint32_t)y, u) < 0 || step(s, (uint32_t)y, u) != step(s, after, t))) return false;
            if (!seen[after]) seen[after] = true, queue[n++] = after;
        }
    }
    return true;
}

struct choosing {
    bool endless;
    struct derived_sets *sets;
    bool *seen;
    uint32_t *queue;
    uint64_t audited;
};

static uint32_t choose_derived(const struct space *s, void *context, uint32_t code, uint32_t *list) {
    struct choosing *c = context;
    uint32_t state[ACTED_VARIABLES], again[MOST_MEMBERS];
    uint64_t packed[8];
    bool in[MOST_MEMBERS], some = false;
    state_of(s, code, state);
    acted_pack(s->source, state, packed);
    assert_true(derived_sets_enter(c->sets, packed));
    uint32_t n = derived_sets_choose(c->sets, c->endless, list);
    for (uint32_t m = 0; m < s->d->members; m++) in[m] = derived_sets_has(c->sets, m);
    for (uint32_t t = 0; t < s->d->transitions; t++) some |= step(s, code, t) >= 0;
    assert_int_equal(some, n > 0); /* D0 */
    for (uint32_t m = 0, k = 0; m < s->d->transitions; m++)
        if (in[m] && step(s, code, m) >= 0) assert_int_equal(list[k++], m);
    for (uint32_t m = 0; m < s->d->members; m++)
        if (in[m]) assert_true(keeps(s, in, code, m, c->seen, c->queue));
    c->audited++;
    assert_true(derived_sets_enter(c->sets, packed)); /* a function of the state alone */
    assert_int_equal(derived_sets_choose(c->sets, c->endless, again), n);
    assert_memory_equal(list, again, n * sizeof *list);
    return n;
}

/* What the model's own code says; the state is that of the sets. */
static bool ask_model(void *context, uint32_t member) {
    struct derived_sets **sets = ((void **)context)[0];
    const struct space *s = ((void **)context)[1];
    uint32_t state[ACTED_VARIABLES];
    acted_unpack(s->source, derived_sets_state(*sets), state);
    return step(s, code_of(s, state), member) >= 0;
}

/* ---- Random models ---- */

static struct {
    uint64_t models, full, reduced, smaller, bad, bad_and_ends, endless, endless_bad, terminal, lost, audited, walked,
        merged, wide, vague;
} sum;

static void count_kinds(const struct space *s) {
    bool walked = false, merged = false, wide = false, vague = false;
    for (uint32_t m = 0; m < s->d->members; m++) walked |= s->d->member[m].walked, vague |= s->d->member[m].vague;
    for (uint32_t u = 0; u < s->m->units; u++) merged |= s->d->readings.merged[u];
    for (uint32_t x = 0; x < s->m->variables; x++) wide |= s->d->readings.slots.of[x].count == 0;
    sum.walked += walked, sum.merged += merged, sum.wide += wide, sum.vague += vague;
}

static void compare(const struct space *s, const struct found *full, const struct found *reduced, bool endless) {
    bool terminal = false;
    for (uint32_t i = 0; i < s->size; i++) {
        assert_int_equal(full->terminal[i], reduced->terminal[i]);
        terminal |= full->terminal[i];
        assert_true(full->seen[i] || !reduced->seen[i]);
    }
    assert_int_equal(full->ends, reduced->ends);
    if (full->ends || endless) assert_int_equal(full->bad, reduced->bad);
    sum.models++;
    sum.full += full->states, sum.reduced += reduced->states;
    sum.smaller += reduced->states < full->states;
    sum.bad += full->bad, sum.bad_and_ends += full->bad && full->ends;
    sum.endless += !full->ends, sum.endless_bad += endless && !full->ends && full->bad;
    sum.terminal += terminal;
    sum.lost += full->bad && !reduced->bad;
}

static struct derived_budget random_budget(void) {
    struct derived_budget b = DERIVED_BUDGET;
    if (random_chance(20)) b.cubes = random_below(4);
    if (random_chance(20)) b.conflicts = 1 + random_below(2);
    if (random_chance(10)) b.steps = random_below(200);
    if (random_chance(30)) b.readings.tree = random_below(30);
    if (random_chance(10)) b.readings.merged = random_below(60);
    if (random_chance(10)) b.readings.wide = 0;
    return b;
}

/* ---- Watchers ---- */

enum { PROPOSITIONS = 3, FORMULAS = 6 }; /* the last proposition is must progress */

struct watching {
    bool visible[MOST_MEMBERS], wanted[MOST_MEMBERS], allows[MOST_MEMBERS];
    bool must; /* sets for must progress; else those that a Büchi automaton needs; or anything, if `any` */
    bool any, endless;
    struct derived_sets *sets;
    bool *seen;
    uint32_t *queue;
};

static struct { uint64_t models, changes, never, found[FORMULAS + 1], smaller, audited, watchers, bad; } watched;

static uint32_t proposition_unit(const struct space *s, uint32_t p) {
    for (uint32_t u = 0; u < s->m->units; u++)
        if (s->m->unit[u].kind == (p < 2 ? UNIT_PROPOSITION : UNIT_MUST_PROGRESS) && s->m->unit[u].of == p % 2)
            return u;
    fail();
    return 0;
}

static bool holds_in(const struct space *s, uint32_t code, uint32_t p) {
    uint32_t state[ACTED_VARIABLES];
    state_of(s, code, state);
    return acted_ask(s->m, proposition_unit(s, p), state) == 1; /* one that fails does not hold: nothing is said then */
}

static bool fails_in(const struct space *s, uint32_t code) {
    uint32_t state[ACTED_VARIABLES];
    state_of(s, code, state);
    for (uint32_t p = 0; p < PROPOSITIONS; p++)
        if (acted_ask(s->m, proposition_unit(s, p), state) == UINT64_MAX) return true;
    return false;
}

static bool may_change(const struct space *s, uint32_t p, uint32_t t) {
    return derived_may_change(s->d, p < 2 ? UNIT_PROPOSITION : UNIT_MUST_PROGRESS, p % 2, t);
}

static void check_changes(const struct space *s, const struct found *full) {
    for (uint32_t t = 0; t < s->d->transitions; t++)
        for (uint32_t p = 0; p < PROPOSITIONS; p++) {
            bool may = may_change(s, p, t);
            *(may ? &watched.changes : &watched.never) += 1;
            for (uint32_t i = 0; i < s->size && !may; i++)
                if (full->seen[i] && step(s, i, t) >= 0)
                    assert_int_equal(holds_in(s, i, p), holds_in(s, (uint32_t)step(s, i, t), p));
        }
}

static bool allows(const struct watching *w, const struct guided_watch *watch, uint32_t t) {
    return !w->visible[t] || !watch->allows || watch->allows[t];
}

/* V. */
static void check_watcher(const struct space *s, const struct watching *w, const struct guided_watch *watch,
                          const bool *in, uint32_t code) {
    uint32_t count = s->d->transitions;
    bool watcher = derived_sets_has_watcher(w->sets), every = watch->needs & GUIDED_VISIBLE;
    for (uint32_t t = 0; t < count; t++) {
        if (!w->visible[t]) continue;
        if (in[t] && step(s, code, t) >= 0) assert_true(watcher);
        if (watcher && allows(w, watch, t)) assert_true(in[t]);
        if (every && (!watch->wanted || watch->wanted[t])) assert_true(in[t]);
    }
    if (every && (!watch->wanted || watch->wanted[count])) assert_true(watcher);
}

/* Is there an enabled one, in the set if `in` is not NULL, that is invisible if `hidden`, and else allowed? */
static bool some_enabled(const struct space *s, const struct watching *w, const struct guided_watch *watch,
                         const bool *in, uint32_t code, bool hidden) {
    for (uint32_t t = 0; t < s->d->transitions; t++)
        if ((!in || in[t]) && step(s, code, t) >= 0 && (hidden ? !w->visible[t] : allows(w, watch, t))) return true;
    return !hidden && watch->moves && (!in || derived_sets_has_watcher(w->sets));
}

static struct guided_watch watch_of(const struct space *s, struct watching *w, uint32_t code) {
    unsigned needs = GUIDED_VISIBLE | GUIDED_INVISIBLE;
    if (w->must) needs = GUIDED_ENABLED | (holds_in(s, code, 2) ? GUIDED_VISIBLE : GUIDED_INVISIBLE);
    if (!w->any) return (struct guided_watch){.needs = needs};
    struct guided_watch watch = {.needs = random_below(8), .moves = random_chance(30)};
    for (uint32_t t = 0; t <= s->d->transitions; t++)
        w->wanted[t] = random_chance(50), w->allows[t] = random_chance(50);
    if (random_chance(40)) watch.wanted = w->wanted;
    if (random_chance(40)) watch.allows = w->allows;
    return watch;
}

static uint32_t choose_guided(const struct space *s, void *context, uint32_t code, uint32_t *list) {
    struct watching *w = context;
    uint32_t state[ACTED_VARIABLES];
    uint64_t packed[8];
    bool in[MOST_MEMBERS];
    state_of(s, code, state);
    acted_pack(s->source, state, packed);
    assert_true(derived_sets_enter(w->sets, packed));
    struct guided_watch watch = watch_of(s, w, code);
    uint32_t n = derived_sets_guide(w->sets, w->visible, &watch, w->endless, list);
    for (uint32_t m = 0; m < s->d->members; m++) in[m] = derived_sets_has(w->sets, m);
    for (uint32_t m = 0; m < s->d->members; m++)
        if (in[m]) assert_true(keeps(s, in, code, m, w->seen, w->queue));
    check_watcher(s, w, &watch, in, code);
    if ((watch.needs & GUIDED_ENABLED) && some_enabled(s, w, &watch, NULL, code, false))
        assert_true(some_enabled(s, w, &watch, in, code, false));
    if ((watch.needs & GUIDED_INVISIBLE) && some_enabled(s, w, &watch, NULL, code, true))
        assert_true(some_enabled(s, w, &watch, in, code, true));
    watched.audited++;
    watched.watchers += derived_sets_has_watcher(w->sets);
    return n;
}

/* States of `in` from which one can stay in `in` for ever, or, if `ends`, up to a terminal state. */
static void can_stay(const struct space *s, chooser *choose, void *context, const struct found *f, bool ends,
                     bool *in) {
    uint32_t list[MOST_MEMBERS];
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < s->size; i++) {
            if (!f->seen[i] || !in[i]) continue;
            uint32_t n = choose(s, context, i, list);
            bool stays = ends && n == 0 && f->terminal[i];
            for (uint32_t k = 0; k < n; k++) stays |= in[step(s, i, list[k])];
            if (!stays) in[i] = false, again = true;
        }
    }
}

/* Is there an execution that violates the formula?
 *     0  F p            3  G F must
 *     1  G F p          4  G (p -> F q)
 *     2  G !(p & q)     5  G (!p -> F (p & !q)) */
static bool violates(const struct space *s, chooser *choose, void *context, const struct found *f, uint32_t formula) {
    bool *in = calloc(s->size, 1), some = false;
    uint32_t first = code_of(s, s->m->initial);
    for (uint32_t i = 0; i < s->size; i++) {
        if (!f->seen[i]) continue;
        bool p = holds_in(s, i, 0), q = holds_in(s, i, 1);
        if (formula == 2) some |= p && q;
        in[i] = formula < 2    ? !p
                : formula == 3 ? !holds_in(s, i, 2)
                : formula == 4 ? !q
                : formula == 5 ? !p || q
                               : false;
    }
    can_stay(s, choose, context, f, formula != 3, in);
    for (uint32_t i = 0; i < s->size; i++) {
        if (!f->seen[i] || !in[i]) continue;
        some |= formula == 0 ? i == first : formula == 4 ? holds_in(s, i, 0) : formula == 5 ? !holds_in(s, i, 0) : true;
    }
    free(in);
    return some;
}

static uint32_t choose_again(const struct space *s, void *context, uint32_t code, uint32_t *list) {
    uint32_t(*sets)[MOST_MEMBERS] = context;
    (void)s;
    memcpy(list, sets[code] + 1, sets[code][0] * sizeof *list);
    return sets[code][0];
}

/* Chooses as `w` says, and keeps the sets. */
static struct found search_guided(const struct space *s, struct watching *w, uint32_t (*sets)[MOST_MEMBERS]) {
    struct found f = search(s, choose_guided, w);
    w->any = false;
    for (uint32_t i = 0; i < s->size; i++)
        if (f.seen[i]) sets[i][0] = choose_guided(s, w, i, sets[i] + 1);
    return f;
}

static void watch_model(const struct space *s, struct derived_sets *sets, const struct found *full) {
    uint32_t(*chosen)[MOST_MEMBERS] = calloc(s->size, sizeof *chosen);
    struct watching w = {.sets = sets, .seen = malloc(s->size), .queue = malloc(s->size * sizeof *w.queue)};
    check_changes(s, full);
    for (uint32_t round = 0; round < 3; round++) { /* a Büchi automaton; must progress; anything */
        w.must = round == 1, w.any = round == 2, w.endless = random_chance(50);
        for (uint32_t t = 0; t < s->d->transitions; t++)
            w.visible[t] = round == 0 ? may_change(s, 0, t) || may_change(s, 1, t)
                           : w.any    ? random_chance(40)
                                      : may_change(s, 2, t);
        if (w.any) {
            found_fini(&(struct found[]){search(s, choose_guided, &w)}[0]);
            continue;
        }
        struct found reduced = search_guided(s, &w, chosen);
        for (uint32_t formula = 0; formula < FORMULAS; formula++) {
            if (w.must != (formula == 3)) continue;
            bool there = violates(s, choose_all, NULL, full, formula);
            assert_int_equal(there, violates(s, choose_again, chosen, &reduced, formula));
            watched.found[formula] += there;
        }
        if (w.must) {
            if (full->ends || w.endless) assert_int_equal(full->bad, reduced.bad), watched.bad += full->bad;
            for (uint32_t i = 0; i < s->size; i++) assert_int_equal(full->terminal[i], reduced.terminal[i]);
        }
        watched.smaller += reduced.states < full->states;
        found_fini(&reduced);
    }
    watched.models++;
    free(chosen), free(w.seen), free(w.queue);
}

static bool is_watched(const struct space *s, const struct found *full) {
    if (s->m->unit[s->m->units - 1].kind != UNIT_MUST_PROGRESS) return false;
    for (uint32_t i = 0; i < s->size; i++)
        if (full->seen[i] && fails_in(s, i)) return false;
    return true;
}

static void try_model(const struct acted_chance *chance, bool endless) {
    struct acted_model *m = acted_random(chance);
    struct source *source = acted_source(m);
    struct derived *d = derived_new(source, true, random_budget());
    struct space s = {.m = m, .d = d, .source = source, .size = 1};
    struct derived_sets *sets = NULL;
    void *asked[2] = {&sets, &s};
    for (uint32_t x = 0; x < m->variables; x++) s.size *= m->values[x];
    s.step = malloc((uint64_t)s.size * d->members * sizeof *s.step);
    for (uint64_t i = 0; i < (uint64_t)s.size * d->members; i++) s.step[i] = NOT_KNOWN;
    sets = derived_sets_new(d, (struct derived_sets_asking){ask_model, asked, NULL});
    if (random_chance(50)) derived_sets_always_plain(sets);
    struct found full = search(&s, choose_all, NULL);
    if (full.states > 4) {
        struct choosing c = {endless, sets, malloc(s.size), malloc(s.size * sizeof *c.queue), 0};
        for (uint32_t i = 0; i < s.size; i++)
            if (full.seen[i]) check_facts_in(&s, sets, i);
        struct found reduced = search(&s, choose_derived, &c);
        compare(&s, &full, &reduced, endless);
        if (is_watched(&s, &full)) watch_model(&s, sets, &full);
        count_kinds(&s);
        sum.audited += c.audited;
        found_fini(&reduced);
        free(c.seen), free(c.queue);
    }
    found_fini(&full);
    derived_sets_free(sets);
    derived_free(d);
    source->ops->close(source);
    free(s.step);
    free(m);
}

static void test_random(void **state) {
    (void)state;
    uint32_t rounds = getenv("ONAGER_DERIVED_MODELS") ? (uint32_t)atoi(getenv("ONAGER_DERIVED_MODELS")) : ROUNDS(1500);
    for (uint32_t i = 0; i < rounds; i++) {
        random_start(1000003 * UINT64_C(7) + i);
        struct acted_chance chance = {
            .states = MOST_STATES,
            .wide = i % 5 == 1,
            .hidden = i % 7 == 2,
            .errors = i % 2 == 0,
            .watched = i % 4 == 3,
            .below = random_below,
        };
        try_model(&chance, i % 3 == 0);
    }
    print_message(
        "models %lu, states %lu, reduced %lu (%lu smaller), bad %lu, bad and ending %lu, endless %lu (bad, and kept: "
        "%lu), with terminal "
        "states %lu, lost in endless ones %lu, sets audited %lu; walked %lu, merged %lu, wide %lu, vague %lu; "
        "leaves told %lu, not told %lu\n",
        sum.models, sum.full, sum.reduced, sum.smaller, sum.bad, sum.bad_and_ends, sum.endless, sum.endless_bad,
        sum.terminal, sum.lost, sum.audited, sum.walked, sum.merged, sum.wide, sum.vague, told_leaves, vague_leaves);
    print_message(
        "watched %lu, may change %lu, never %lu; violated %lu %lu %lu %lu %lu %lu; smaller %lu, sets %lu, with the "
        "watcher %lu, bad %lu\n",
        watched.models, watched.changes, watched.never, watched.found[0], watched.found[1], watched.found[2],
        watched.found[3], watched.found[4], watched.found[5], watched.smaller, watched.audited, watched.watchers,
        watched.bad);
    for (uint32_t f = 0; f < FORMULAS; f++) assert_true(watched.found[f] > OFTEN(rounds / 100));
    assert_true(watched.smaller > OFTEN(rounds / 30));
    assert_true(sum.smaller > OFTEN(rounds / 8));
    assert_true(sum.bad_and_ends > OFTEN(rounds / 20));
    assert_true(sum.lost && sum.endless_bad > OFTEN(rounds / 50));
    assert_true(sum.walked && sum.merged && sum.wide && sum.vague);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
