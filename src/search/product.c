#include "search/product.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reduce/guided.h"
#include "search/product_names.h"
#include "search/valuation.h"

/* What a struct ts_worker of the product really is. */
struct product_worker {
    struct product_worker_head head;
    struct product *p;
    struct ts_worker *base;
    struct ts_batch batch; /* of the model */
    word *sources;         /* of the batch */
    uint64_t *before;      /* valuation of each source */
    uint64_t *after;       /* valuations of the successors of the model */
    uint8_t *edges;
    bool *lost, *ended;
    uint32_t *labels; /* of the caller's batch: where the next label goes */
    word *next;       /* where the next successor goes */
    uint8_t *edge;
    struct guided *guided; /* NULL: no stubborn sets */
    bool reduces;          /* with them, now */
    bool some;             /* the source at hand has the moves of a set only */
};

static struct product_worker *really(struct ts_worker *w) { return (struct product_worker *)(void *)w; }

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

bool product_valuation(const struct product *p, struct ts_worker *worker, const word *s, uint64_t *out,
                       struct ts_fault *fault) {
    struct product_worker *w = really(worker);
    *out = p->by_action ? product_values(p, s) : 0;
    if (p->by_action || p->propositions == 0) return true;
    product_model(p, s, w->sources);
    return valuation_get(p->base, w->base, w->sources, 1, p->wanted, p->propositions, out, fault);
}

/* ---- Moves ---- */

/* A move of the model to `model`, where `values` hold; the automaton goes from `state` to `target`. */
static void add(struct product_worker *w, const word *model, uint64_t values, uint32_t target, uint8_t edge,
                uint32_t label) {
    const struct product *p = w->p;
    product_pack(p, model, values, target, w->next);
    w->next += p->ts.words;
    *w->edge++ = edge;
    *w->labels++ = label;
}

/* All ways in which a Büchi automaton reads `values`. */
static uint32_t read_ba(struct product_worker *w, const word *model, uint32_t state, uint64_t values, uint32_t move,
                        uint32_t made) {
    const struct ba *a = w->p->ba;
    uint8_t edge = a->accept[state] & ACCEPT_INFINITE ? EDGE_ACCEPTS : 0;
    const struct ba_edge *first = ba_begin(a, state);
    for (const struct ba_edge *e = ba_next(a, state, values, first); e < ba_end(a, state);
         e = ba_next(a, state, values, e + 1)) {
        bool again = false; /* edges with the same target are a union of labels */
        for (const struct ba_edge *f = first; f < e && !again; f++)
            again = f->target == e->target && cube_has(f->label, values);
        if (!again) add(w, model, values, e->target, edge, move * w->p->choices + made++);
    }
    return made;
}

static uint32_t read_ta(struct product_worker *w, const word *model, uint32_t state, uint64_t before, uint64_t after,
                        uint32_t move) {
    const struct ta *a = w->p->ta;
    uint32_t made = 0;
    uint8_t accept = a->accept[state];
    if (before == after) {
        add(w, model, after, state, accept & ACCEPT_LIVELOCK ? EDGE_STILL : 0, move * w->p->choices);
        return 1;
    }
    const struct ta_edge *end;
    for (const struct ta_edge *e = ta_next(a, state, before ^ after, &end); e < end; e++)
        add(w, model, after, e->target, accept & ACCEPT_INFINITE ? EDGE_ACCEPTS : 0, move * w->p->choices + made++);
    return made;
}

/* product_skip: does the automaton not read what holds after this move? */
static bool is_idle(const struct product *p, uint32_t move) {
    return p->livelock && (move == p->end || (move < p->base->transitions && !p->visible[move]));
}

static uint32_t skip(struct product_worker *w, const word *model, uint32_t state, uint64_t before, uint64_t after,
                     uint32_t move) {
    uint8_t edge = waits_for_livelock(w->p, state, before) ? EDGE_STILL : 0;
    add(w, model, after, state, edge, move * w->p->choices);
    return 1;
}

/* The automaton reads the first valuation. */
static uint32_t read_first(struct product_worker *w, const word *model, uint64_t values, uint32_t move) {
    const struct product *p = w->p;
    uint32_t made = 0;
    if (p->ba) {
        for (uint32_t i = 0; i < p->ba->initials; i++) made = read_ba(w, model, p->ba->initial[i], values, move, made);
        return made;
    }
    const struct ta_initial *end;
    for (const struct ta_initial *i = ta_start(p->ta, values, &end); i < end; i++)
        add(w, model, values, i->state, 0, move * p->choices + made++);
    return made;
}

static void step(struct product_worker *w, uint32_t source, const word *model, uint32_t state, uint64_t before,
                 uint64_t after, uint32_t move) {
    const struct product *p = w->p;
    uint32_t made = state == p->start  ? read_first(w, model, after, move)
                    : is_idle(p, move) ? skip(w, model, state, before, after, move)
                    : p->ba            ? read_ba(w, model, state, after, move, 0)
                                       : read_ta(w, model, state, before, after, move);
    if (made == 0) w->lost[source] = true;
}

static uint64_t after_effect(const struct product *p, uint64_t values, struct product_effect e) {
    return (values & ~p->momentary & ~e.ends) | e.begins;
}

/* What holds after each move of the model. False: the model failed. */
static bool valuate_successors(struct product_worker *w, uint32_t source, uint32_t begin, uint32_t end,
                               struct ts_fault *fault) {
    struct product *p = w->p;
    struct ts *base = p->base;
    if (!p->by_action) return true; /* all at a time */
    for (uint32_t e = begin; e < end; e++) {
        const word *from = w->sources + (size_t)source * base->words;
        uint32_t action = base->ops->action(w->base, from, w->batch.labels[e], fault);
        if (action == TS_NONE) return false;
        w->after[e] = after_effect(p, w->before[source], p->effects[action]);
    }
    return true;
}

static void free_actions(struct product_worker *w, uint32_t source, uint32_t state) {
    const struct product *p = w->p;
    const word *model = w->sources + (size_t)source * p->base->words;
    for (uint32_t f = 0; f < p->free.count; f++) {
        uint64_t after = after_effect(p, w->before[source], p->effects[p->base->actions + f]);
        step(w, source, model, state, w->before[source], after, p->base->transitions + f);
    }
}

/* What the automaton needs to see: see reduce/guided.h. */
static unsigned needs_of(const struct product *p, const word *s) {
    if (p->ba && !p->livelock) return GUIDED_VISIBLE | GUIDED_INVISIBLE;
    uint8_t accept = product_accept(p, s);
    if (accept & ACCEPT_LIVELOCK) return GUIDED_INVISIBLE | GUIDED_ENABLED;
    return p->finite && (accept & ACCEPT_DEADLOCK) ? GUIDED_VISIBLE | GUIDED_ENABLED : GUIDED_VISIBLE;
}

/* What a transition must not change, it must not change. `after` and `before` differ. */
static bool accuse(struct product_worker *w, uint32_t move, uint64_t change, struct ts_fault *fault) {
    const struct product *p = w->p;
    uint32_t i = (uint32_t)__builtin_ctzll(change);
    *fault = (struct ts_fault){.kind = TS_FALSE_CHANGES, .transition = move, .where = "CHANGES"};
    snprintf(fault->text, sizeof fault->text,
             "it says that this transition never changes %s, but in the last state that is shown it does",
             valuation_name(p->base, p->wanted[i]));
    return false;
}

/* Chooses the moves [begin, end) that are followed. */
static bool choose(struct product_worker *w, uint32_t source, const word *s, uint32_t begin, uint32_t end,
                   struct ts_fault *fault) {
    const struct product *p = w->p;
    uint32_t state = product_state(p, s);
    w->some = w->reduces && state != p->start;
    if (!w->some) return true;
    for (uint32_t e = begin; e < end && !p->by_action; e++)
        if (w->after[e] != w->before[source] && !p->visible[w->batch.labels[e]])
            return accuse(w, w->batch.labels[e], w->after[e] ^ w->before[source], fault);
    size_t row = (size_t)state * (p->base->transitions + UINT64_C(1));
    struct guided_watch watch = {
        .needs = needs_of(p, s), .wanted = p->wanted_moves ? p->wanted_moves + row : NULL, .moves = p->free.count > 0};
    return guided_choose(w->guided, w->base, w->sources + (size_t)source * p->base->words, w->batch.labels + begin,
                         end - begin, &watch, fault);
}

/* All moves of one source; those of the model are [begin, end). */
static void expand_source(struct product_worker *w, uint32_t source, const word *s, uint32_t begin, uint32_t end) {
    const struct product *p = w->p;
    uint32_t state = product_state(p, s);
    uint64_t before = w->before[source];
    const word *model = w->sources + (size_t)source * p->base->words;
    w->lost[source] = w->ended[source] = false;
    if (state == p->start && !p->by_action) {
        step(w, source, model, state, before, before, p->begin);
        return;
    }
    for (uint32_t e = begin; e < end; e++)
        if (!w->some || guided_has(w->guided, w->batch.labels[e]))
            step(w, source, w->batch.successors + (size_t)e * p->base->words, state, before, w->after[e],
                 w->batch.labels[e]);
    if (!w->some || guided_has_watcher(w->guided)) free_actions(w, source, state);
    if (begin < end || p->free.count > 0) return;
    if (p->finite) w->ended[source] = true;
    else step(w, source, model, state, before, before & ~p->momentary, p->end);
}

/* What holds in the sources, which are unpacked. */
static bool valuate_sources(struct product_worker *w, const struct ts_batch *batch, struct ts_fault *fault) {
    const struct product *p = w->p;
    if (!p->by_action)
        return valuation_get(p->base, w->base, w->sources, batch->count, p->wanted, p->propositions, w->before, fault);
    for (uint32_t i = 0; i < batch->count; i++)
        w->before[i] = product_values(p, batch->sources + (size_t)i * p->ts.words);
    return true;
}

static void make_room(struct product_worker *w, uint32_t states) {
    const struct product *p = w->p;
    if (w->batch.capacity >= states) return;
    size_t most = (size_t)states * p->base->transitions;
    ts_batch_fini(&w->batch);
    ts_batch_init(&w->batch, p->base, states);
    w->sources = memory_resize(w->sources, states * p->base->words * sizeof(word));
    w->before = memory_resize(w->before, states * sizeof *w->before);
    w->after = memory_resize(w->after, (most + 1) * sizeof *w->after);
    w->edges = memory_resize(w->edges, (size_t)states * p->ts.transitions);
    w->lost = memory_resize(w->lost, states * sizeof *w->lost);
    w->ended = memory_resize(w->ended, states * sizeof *w->ended);
    w->head.view = (struct product_view){w->edges, w->lost, w->ended, w->batch.labels, w->batch.ends};
}

static uint32_t fail(struct ts_batch *batch, const struct ts_fault *fault, uint32_t source) {
    if (fault != &batch->fault) batch->fault = *fault;
    batch->fault.source = source;
    return source;
}

static uint32_t expand(struct ts_worker *worker, struct ts_batch *batch) {
    struct product_worker *w = really(worker);
    const struct product *p = w->p;
    const struct ts *base = p->base;
    make_room(w, batch->count);
    for (uint32_t i = 0; i < batch->count; i++)
        product_model(p, batch->sources + (size_t)i * p->ts.words, w->sources + (size_t)i * base->words);
    w->batch.sources = w->sources;
    w->batch.count = batch->count;
    w->next = batch->successors;
    w->labels = batch->labels;
    w->edge = w->edges;
    batch->fault.kind = TS_FINE;
    bool plain = !p->by_action && p->propositions > 0;
    if (plain && !valuate_sources(w, batch, &batch->fault)) return fail(batch, &batch->fault, batch->fault.source);
    if (!plain && p->by_action) valuate_sources(w, batch, &batch->fault);
    if (!plain && !p->by_action) memset(w->before, 0, batch->count * sizeof *w->before);
    uint32_t done = base->ops->expand(w->base, &w->batch);
    uint32_t edges = done ? w->batch.ends[done - 1] : 0;
    if (!p->by_action) memset(w->after, 0, edges * sizeof *w->after);
    for (uint32_t i = 0, e = 0; i < done; e = w->batch.ends[i++]) {
        uint32_t end = w->batch.ends[i];
        if (plain && end > e &&
            !valuation_get(p->base, w->base, w->batch.successors + (size_t)e * base->words, end - e, p->wanted,
                           p->propositions, w->after + e, &batch->fault))
            return fail(batch, &batch->fault, i);
        if (!valuate_successors(w, i, e, end, &batch->fault)) return fail(batch, &batch->fault, i);
        if (!choose(w, i, batch->sources + (size_t)i * p->ts.words, e, end, &batch->fault))
            return fail(batch, &batch->fault, i);
        expand_source(w, i, batch->sources + (size_t)i * p->ts.words, e, end);
        batch->ends[i] = (uint32_t)(w->labels - batch->labels);
    }
    return done < batch->count ? fail(batch, &w->batch.fault, done) : done;
}

struct product_view product_view(struct ts_worker *worker) {
    return ((const struct product_worker_head *)(const void *)worker)->view;
}

static bool initial(struct ts_worker *worker, word *out, struct ts_fault *fault) {
    struct product_worker *w = really(worker);
    const struct product *p = w->p;
    make_room(w, 1);
    if (!p->base->ops->initial(w->base, w->sources, fault)) return false;
    w->next = out;
    uint8_t edge;
    uint32_t label;
    w->edge = &edge;
    w->labels = &label;
    add(w, w->sources, p->initially, p->start, 0, 0);
    return true;
}

/* ---- Workers ---- */

struct ts_worker *product_worker(struct product *p, struct ts_worker *base) {
    struct product_worker *w = memory_get_zeroed(sizeof *w);
    w->p = p;
    w->base = base;
    if (p->visible) w->guided = guided_new(p->base, p->visible);
    w->reduces = w->guided != NULL;
    make_room(w, 1);
    return (struct ts_worker *)(void *)w;
}

void product_reduce(struct ts_worker *worker, bool on) {
    struct product_worker *w = really(worker);
    w->reduces = on && w->guided;
}

void product_worker_free(struct ts_worker *worker) {
    struct product_worker *w = really(worker);
    ts_batch_fini(&w->batch);
    free(w->sources);
    free(w->before);
    free(w->after);
    free(w->edges);
    free(w->lost);
    free(w->ended);
    guided_free(w->guided);
    free(w);
}

/* Searches with one thread need no other workers. */
static const struct ts_ops ops = {.expand = expand, .initial = initial, .worker_free = product_worker_free};

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

static bool lay_out(struct product *p, struct problem *why) {
    uint32_t states = p->ba ? p->ba->states : p->ta->states;
    p->start = states;
    p->choices = most_choices(p);
    p->end = p->base->transitions + p->free.count;
    p->begin = p->end + 1;
    p->value_bit = p->base->bits + 1;
    p->state_bit = p->value_bit + (p->by_action ? p->propositions : 0);
    for (p->state_bits = 1; states >> p->state_bits;) p->state_bits++;
    p->flag_bit = p->state_bit + p->state_bits;
    uint64_t transitions = ((uint64_t)p->begin + 1) * p->choices;
    if (transitions > UINT32_MAX / 2)
        return problem_set(why, EXIT_BAD_INPUT, "%s: the automaton and the model are too large together",
                           p->base->path);
    p->ts = (struct ts){
        .ops = &ops,
        .path = p->base->path,
        .words = p->flag_bit / 64 + 1,
        .bits = p->flag_bit,
        .transitions = (uint32_t)transitions,
    };
    return true;
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
