#include "watch/product.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "watch/product_names.h"
#include "watch/product_worker.h"
#include "ts/valuation.h"

/* What a struct ts_worker of the product really is. */
struct automaton_worker {
    struct product_worker c; /* the first member */
    uint64_t *before;        /* valuation of each source */
    uint64_t *after;         /* valuations of the successors of the model */
    bool some;               /* the source at hand has the moves of a set only */
};

static struct automaton_worker *really(struct ts_worker *w) { return (struct automaton_worker *)(void *)w; }

/* ---- Bits ---- */

static uint64_t bits_get(const word *s, uint32_t at, uint32_t count) {
    uint64_t low = s[at / 64] >> at % 64;
    if (at % 64 + count > 64) low |= s[at / 64 + 1] << (64 - at % 64);
    return count >= 64 ? low : low & ((UINT64_C(1) << count) - 1);
}

/* Where there are zeros. */
static void bits_put(word *s, uint32_t at, uint32_t count, uint64_t value) {
    s[at / 64] |= value << at % 64;
    if (at % 64 + count > 64) s[at / 64 + 1] |= value >> (64 - at % 64);
}

void product_pack(const struct product *p, const word *model, uint64_t values, uint32_t state, word *out) {
    memset(out, 0, p->ts.words * sizeof(word));
    memcpy(out, model, (p->base->words < p->ts.words ? p->base->words : p->ts.words) * sizeof(word));
    if (p->by_action && p->propositions) bits_put(out, p->value_bit, p->propositions, values);
    assert((uint64_t)state >> p->state_bits == 0 && bits_get(out, p->state_bit, p->state_bits) == 0);
    bits_put(out, p->state_bit, p->state_bits, state);
}

void product_model(const struct product *p, const word *s, word *model) {
    uint32_t used = p->base->bits + 1, last = used / 64;
    memset(model, 0, p->base->words * sizeof *model);
    memcpy(model, s, (last < p->base->words ? last : p->base->words) * sizeof *model);
    if (last < p->base->words && used % 64) model[last] = s[last] & ((UINT64_C(1) << used % 64) - 1);
}

uint32_t product_state(const struct product *p, const word *s) {
    return (uint32_t)bits_get(s, p->state_bit, p->state_bits);
}

/* product_skip: is it accepted from here that nothing of interest ever occurs again? */
static bool waits_for_livelock(const struct product *p, uint32_t state, uint64_t values) {
    uint32_t number = 0, bit = 0;
    if (!p->livelock) return false;
    for (uint64_t rest = propositions_mask(p->propositions) & ~p->momentary; rest; rest &= rest - 1, bit++)
        number |= (uint32_t)(values >> __builtin_ctzll(rest) & 1) << bit;
    return p->livelock[(size_t)number * p->ba->states + state];
}

uint8_t product_accept(const struct product *p, const word *s) {
    if (p->accept) return p->accept(p, s);
    uint32_t state = product_state(p, s);
    if (state == p->start) return p->root_accept;
    if (p->ta) return p->ta->accept[state];
    return p->ba->accept[state] | (waits_for_livelock(p, state, product_values(p, s)) ? ACCEPT_LIVELOCK : 0);
}

uint64_t product_values(const struct product *p, const word *s) {
    return p->propositions ? bits_get(s, p->value_bit, p->propositions) : 0;
}

/* ---- Moves ---- */

/* All ways in which a Büchi automaton reads `values`. */
static uint32_t read_ba(struct automaton_worker *w, const word *model, uint32_t state, uint64_t values, uint32_t move,
                        uint32_t made) {
    const struct ba *a = w->c.p->ba;
    uint8_t edge = a->accept[state] & ACCEPT_INFINITE ? EDGE_ACCEPTS : 0;
    const struct ba_edge *first = ba_begin(a, state);
    for (const struct ba_edge *e = ba_next(a, state, values, first); e < ba_end(a, state);
         e = ba_next(a, state, values, e + 1)) {
        bool again = false; /* edges with the same target are a union of labels */
        for (const struct ba_edge *f = first; f < e && !again; f++)
            again = f->target == e->target && cube_has(f->label, values);
        if (!again) product_worker_add(&w->c, model, values, e->target, edge, move * w->c.p->choices + made++);
    }
    return made;
}

static uint32_t read_ta(struct automaton_worker *w, const word *model, uint32_t state, uint64_t before, uint64_t after,
                        uint32_t move) {
    const struct ta *a = w->c.p->ta;
    uint32_t made = 0;
    uint8_t accept = a->accept[state];
    if (before == after) {
        product_worker_add(&w->c, model, after, state, accept & ACCEPT_LIVELOCK ? EDGE_STILL : 0,
                           move * w->c.p->choices);
        return 1;
    }
    const struct ta_edge *end;
    for (const struct ta_edge *e = ta_next(a, state, before ^ after, &end); e < end; e++)
        product_worker_add(&w->c, model, after, e->target, accept & ACCEPT_INFINITE ? EDGE_ACCEPTS : 0,
                           move * w->c.p->choices + made++);
    return made;
}

/* product_skip: does the automaton not read what holds after this move? */
static bool is_idle(const struct product *p, uint32_t move) {
    return p->livelock && (move == p->end || (move < p->base->transitions && !p->visible[move]));
}

static uint32_t skip(struct automaton_worker *w, const word *model, uint32_t state, uint64_t before, uint64_t after,
                     uint32_t move) {
    uint8_t edge = waits_for_livelock(w->c.p, state, before) ? EDGE_STILL : 0;
    product_worker_add(&w->c, model, after, state, edge, move * w->c.p->choices);
    return 1;
}

/* The automaton reads the first valuation. */
static uint32_t read_first(struct automaton_worker *w, const word *model, uint64_t values, uint32_t move) {
    const struct product *p = w->c.p;
    uint32_t made = 0;
    if (p->ba) {
        for (uint32_t i = 0; i < p->ba->initials; i++) made = read_ba(w, model, p->ba->initial[i], values, move, made);
        return made;
    }
    const struct ta_initial *end;
    for (const struct ta_initial *i = ta_start(p->ta, values, &end); i < end; i++)
        product_worker_add(&w->c, model, values, i->state, 0, move * p->choices + made++);
    return made;
}

static void step(struct automaton_worker *w, uint32_t source, const word *model, uint32_t state, uint64_t before,
                 uint64_t after, uint32_t move) {
    const struct product *p = w->c.p;
    uint32_t made = state == p->start  ? read_first(w, model, after, move)
                    : is_idle(p, move) ? skip(w, model, state, before, after, move)
                    : p->ba            ? read_ba(w, model, state, after, move, 0)
                                       : read_ta(w, model, state, before, after, move);
    assert(made <= p->choices); /* numbers of transitions are move * choices + choice */
    if (made == 0) w->c.lost[source] = true;
}

static uint64_t after_effect(const struct product *p, uint64_t values, struct product_effect e) {
    return (values & ~p->momentary & ~e.ends) | e.begins;
}

/* What holds in states of the model, if that is what propositions are about. */
static bool valuate(struct automaton_worker *w, const word *states, uint32_t count, uint64_t *out,
                    struct ts_fault *fault) {
    const struct product *p = w->c.p;
    if (count > 0 && p->propositions > 0)
        return valuation_get(p->base, w->c.base, states, count, p->wanted, p->propositions, out, fault);
    memset(out, 0, count * sizeof *out);
    return true;
}

/* What holds in the sources. False: the model failed. */
static bool valuate_sources(struct automaton_worker *w, const struct ts_batch *batch, struct ts_fault *fault) {
    const struct product *p = w->c.p;
    if (!p->by_action) return valuate(w, w->c.sources, batch->count, w->before, fault);
    for (uint32_t i = 0; i < batch->count; i++)
        w->before[i] = product_values(p, batch->sources + (size_t)i * p->ts.words);
    return true;
}

/* What holds after the moves [begin, end) of the model, which are those of one source. False: the model failed. */
static bool valuate_successors(struct automaton_worker *w, uint32_t source, uint32_t begin, uint32_t end,
                               struct ts_fault *fault) {
    struct product *p = w->c.p;
    struct ts *base = p->base;
    if (!p->by_action)
        return valuate(w, w->c.batch.successors + (size_t)begin * base->words, end - begin, w->after + begin, fault);
    for (uint32_t e = begin; e < end; e++) {
        const word *from = w->c.sources + (size_t)source * base->words;
        uint32_t action = base->ops->action(w->c.base, from, w->c.batch.labels[e], fault);
        if (action == TS_NONE) return false;
        w->after[e] = after_effect(p, w->before[source], p->effects[action]);
    }
    return true;
}

static void free_actions(struct automaton_worker *w, uint32_t source, uint32_t state) {
    const struct product *p = w->c.p;
    const word *model = w->c.sources + (size_t)source * p->base->words;
    for (uint32_t f = 0; f < p->free.count; f++) {
        uint64_t after = after_effect(p, w->before[source], p->effects[p->base->actions + f]);
        step(w, source, model, state, w->before[source], after, p->base->transitions + f);
    }
}

/* What the automaton needs to see: see reduce/guided.h. */
static unsigned needs_of(const struct product *p, const word *s) {
    if (!p->ta && !p->livelock) return GUIDED_VISIBLE | GUIDED_INVISIBLE;
    uint8_t accept = product_accept(p, s);
    if (accept & ACCEPT_LIVELOCK) return GUIDED_INVISIBLE | GUIDED_ENABLED;
    return p->finite && (accept & ACCEPT_DEADLOCK) ? GUIDED_VISIBLE | GUIDED_ENABLED : GUIDED_VISIBLE;
}

/* What a transition must not change, it must not change. `after` and `before` differ. */
static bool accuse(struct automaton_worker *w, uint32_t move, uint64_t change, struct ts_fault *fault) {
    const struct product *p = w->c.p;
    uint32_t i = (uint32_t)__builtin_ctzll(change);
    *fault = (struct ts_fault){.kind = TS_FALSE_CHANGES, .transition = move, .where = "CHANGES"};
    snprintf(fault->text, sizeof fault->text,
             "it says that this transition never changes %s, but in the last state that is shown it does",
             valuation_name(p->base, p->wanted[i]));
    return false;
}

/* Chooses the moves [begin, end) that are followed. */
static bool choose(struct automaton_worker *w, uint32_t source, const word *s, uint32_t begin, uint32_t end,
                   struct ts_fault *fault) {
    const struct product *p = w->c.p;
    uint32_t state = product_state(p, s);
    w->some = w->c.reduces && state != p->start;
    if (!w->some) return true;
    for (uint32_t e = begin; e < end && !p->by_action; e++)
        if (w->after[e] != w->before[source] && !p->visible[w->c.batch.labels[e]])
            return accuse(w, w->c.batch.labels[e], w->after[e] ^ w->before[source], fault);
    size_t row = (size_t)state * (p->base->transitions + UINT64_C(1));
    struct guided_watch watch = {
        .needs = needs_of(p, s), .wanted = p->wanted_moves ? p->wanted_moves + row : NULL, .moves = p->free.count > 0};
    return guided_choose(w->c.guided, w->c.base, w->c.sources + (size_t)source * p->base->words,
                         w->c.batch.labels + begin, end - begin, &watch, fault);
}

/* All moves of one source; those of the model are [begin, end). */
static void expand_source(struct automaton_worker *w, uint32_t source, const word *s, uint32_t begin, uint32_t end) {
    const struct product *p = w->c.p;
    uint32_t state = product_state(p, s);
    uint64_t before = w->before[source];
    const word *model = w->c.sources + (size_t)source * p->base->words;
    w->c.lost[source] = w->c.ended[source] = false;
    if (state == p->start && !p->by_action) {
        step(w, source, model, state, before, before, p->begin);
        return;
    }
    for (uint32_t e = begin; e < end; e++)
        if (!w->some || guided_has(w->c.guided, w->c.batch.labels[e]))
            step(w, source, w->c.batch.successors + (size_t)e * p->base->words, state, before, w->after[e],
                 w->c.batch.labels[e]);
    if (!w->some || guided_has_watcher(w->c.guided)) free_actions(w, source, state);
    if (begin < end || p->free.count > 0) return;
    if (p->finite) w->c.ended[source] = true;
    else step(w, source, model, state, before, before & ~p->momentary, p->end);
}

static void make_room(struct automaton_worker *w, uint32_t states) {
    if (!product_worker_grow(&w->c, states)) return;
    size_t most = (size_t)states * w->c.p->base->transitions;
    w->before = memory_resize(w->before, states * sizeof *w->before);
    w->after = memory_resize(w->after, (most + 1) * sizeof *w->after);
}

static uint32_t expand(struct ts_worker *worker, struct ts_batch *batch) {
    struct automaton_worker *w = really(worker);
    const struct product *p = w->c.p;
    make_room(w, batch->count);
    product_worker_begin(&w->c, batch);
    if (!valuate_sources(w, batch, &batch->fault))
        return product_worker_fail(batch, &batch->fault, batch->fault.source);
    uint32_t done = p->base->ops->expand(w->c.base, &w->c.batch);
    for (uint32_t i = 0, begin = 0; i < done; begin = w->c.batch.ends[i++]) {
        const word *s = batch->sources + (size_t)i * p->ts.words;
        uint32_t end = w->c.batch.ends[i];
        if (!valuate_successors(w, i, begin, end, &batch->fault) || !choose(w, i, s, begin, end, &batch->fault))
            return product_worker_fail(batch, &batch->fault, i);
        expand_source(w, i, s, begin, end);
        batch->ends[i] = (uint32_t)(w->c.label - batch->labels);
    }
    return done < batch->count ? product_worker_fail(batch, &w->c.batch.fault, done) : done;
}

bool product_valuation(const struct product *p, struct ts_worker *worker, const word *s, uint64_t *out,
                       struct ts_fault *fault) {
    struct automaton_worker *w = really(worker);
    if (p->by_action) return *out = product_values(p, s), true;
    product_model(p, s, w->c.sources);
    return valuate(w, w->c.sources, 1, out, fault);
}

/* ---- Workers ---- */

struct ts_worker *product_worker(struct product *p, struct ts_worker *base) {
    struct automaton_worker *w = memory_get_zeroed(sizeof *w);
    product_worker_init(&w->c, p, base);
    make_room(w, 1);
    return (struct ts_worker *)(void *)w;
}

static void worker_free(struct ts_worker *worker) {
    struct automaton_worker *w = really(worker);
    product_worker_fini(&w->c);
    free(w->before);
    free(w->after);
    free(w);
}

static struct ts_worker *worker_new(struct ts *ts) { return product_worker((struct product *)(void *)ts, NULL); }

static const struct ts_ops ops = {.expand = expand,
                                  .classify = product_classify,
                                  .check = product_check,
                                  .initial = product_initial,
                                  .worker_new = worker_new,
                                  .worker_free = worker_free};

/* ---- Making one ---- */

static uint32_t most_choices(const struct product *p) {
    uint32_t most = 1, first = 0;
    if (p->ta) {
        for (uint32_t s = 0; s < p->ta->states; s++) {
            uint32_t out = p->ta->first[s + 1] - p->ta->first[s];
            if (out > most) most = out;
        }
        return p->ta->initials > most ? p->ta->initials : most;
    }
    for (uint32_t s = 0; s < p->ba->states; s++) {
        uint32_t out = p->ba->first[s + 1] - p->ba->first[s];
        if (out > most) most = out;
    }
    for (uint32_t i = 0; i < p->ba->initials; i++)
        first += p->ba->first[p->ba->initial[i] + 1] - p->ba->first[p->ba->initial[i]];
    return first > most ? first : most;
}

bool product_lay_out(struct product *p, const struct ts_ops *operations, uint32_t states, uint64_t moves,
                     struct problem *why) {
    assert(states > 0 && p->choices > 0);
    p->value_bit = p->base->bits + 1;
    p->state_bit = p->value_bit + (p->by_action ? p->propositions : 0);
    for (p->state_bits = 1; (states - 1) >> p->state_bits;) p->state_bits++;
    p->flag_bit = p->state_bit + p->state_bits;
    if (moves * p->choices > UINT32_MAX / 2)
        return problem_set(why, EXIT_BAD_INPUT, "%s: the %s and the model are too large together", p->base->path,
                           p->accept ? "tester" : "automaton");
    p->ts = (struct ts){
        .ops = operations,
        .path = p->base->path,
        .words = p->flag_bit / 64 + 1,
        .bits = p->flag_bit,
        .transitions = (uint32_t)(moves * p->choices),
    };
    return true;
}

static bool lay_out(struct product *p, struct problem *why) {
    p->start = p->ba ? p->ba->states : p->ta->states; /* a state of its own */
    p->choices = most_choices(p);
    p->end = p->base->transitions + p->free.count;
    p->begin = p->end + 1;
    return product_lay_out(p, &ops, p->start + 1, (uint64_t)p->begin + 1, why);
}

bool product_init(struct product *p, struct ts *base, const struct ba *ba, const struct ta *ta, struct problem *why) {
    const struct names *names = ba ? &ba->propositions : &ta->propositions;
    *p = (struct product){.base = base, .ba = ba, .ta = ta, .propositions = names->count};
    names_init(&p->free);
    if (product_name(p, names, why) && lay_out(p, why)) return true;
    product_fini(p);
    return false;
}

void product_fini(struct product *p) {
    names_fini(&p->free);
    free(p->effects);
    free(p->visible);
    free(p->livelock);
    free(p->wanted_moves);
    free(p->changes);
}
