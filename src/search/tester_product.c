#include "search/tester_product.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "reduce/guided.h"

/* What a struct ts_worker of the product really is. */
struct tester_worker {
    struct product_worker_head head; /* the first member */
    struct tester_product *t;
    struct ts_worker *base;
    bool owns_base;
    struct letters known;  /* its own, for other threads may get to know more actions at the same time */
    struct ts_batch batch; /* of the model */
    word *sources;         /* of the batch */
    word *scratch;         /* a state of the model */
    uint32_t *letters;     /* of the moves of the model from one source: what the tester sees */
    uint8_t *edges;
    bool *lost, *ended;    /* by source */
    struct guided *guided; /* NULL: no reduction */
    bool *allows;          /* by transition */
    bool full;             /* make all edges all the same */
    /* Where the next edge goes. */
    word *next;
    uint32_t *label;
    uint8_t *edge;
};

static struct tester_worker *really(struct ts_worker *w) { return (struct tester_worker *)(void *)w; }

static const struct tester_product *product_of(const struct product *p) {
    return (const struct tester_product *)(const void *)p;
}

static uint8_t accept(const struct product *p, const word *s) {
    return product_of(p)->tester->kinds[product_state(p, s)];
}

/* ---- What the tester sees ---- */

static const char *action_name(struct ts *base, uint32_t action) {
    return base->ops->action_name ? base->ops->action_name(base, action) : base->action_names[action];
}

static uint32_t letter_of(const struct tester_product *t, uint32_t action) {
    struct ts *base = t->p.base;
    if (action == 0 || (base->action_hidden && base->action_hidden[action])) return LTS_TAU;
    uint32_t label = names_find(&t->tester->lts.labels, action_name(base, action));
    return label == NAMES_NONE ? LTS_TAU : label;
}

static uint32_t look_up(const struct tester_product *t, struct letters *l, uint32_t action) {
    if (action >= l->room) {
        l->room = action + 16 + l->room;
        l->at = memory_resize(l->at, l->room * sizeof *l->at);
    }
    for (; l->count <= action; l->count++) l->at[l->count] = letter_of(t, l->count);
    return l->at[action];
}

uint32_t tester_product_letter(struct tester_product *t, uint32_t action) { return look_up(t, &t->letters, action); }

char *tester_product_absent(const struct tester_product *t) {
    const struct names *labels = &t->tester->lts.labels;
    bool *seen = memory_get_zeroed(labels->count);
    char *list = NULL;
    for (uint32_t a = 1; a < t->p.base->actions; a++) seen[letter_of(t, a)] = true;
    for (uint32_t l = 1; l < labels->count; l++) {
        if (seen[l]) continue;
        char *longer = list ? text_format("%s, %s", list, labels->text[l]) : memory_copy_string(labels->text[l]);
        free(list);
        list = longer;
    }
    free(seen);
    return list;
}

/* ---- Edges ---- */

static void add(struct tester_worker *w, const word *model, uint32_t state, uint8_t kind, uint32_t label) {
    const struct product *p = &w->t->p;
    product_pack(p, model, 0, state, w->next);
    w->next += p->ts.words;
    *w->label++ = label;
    *w->edge++ = kind;
}

/* The tester goes along with a move of the model, or moves alone. */
static void add_joint(struct tester_worker *w, const word *model, uint32_t state, uint32_t letter, uint32_t move) {
    const struct tester *tester = w->t->tester;
    const struct lts_edge *end, *first = tester_next(tester, state, letter, &end);
    uint8_t kind = tester->kinds[state] & TESTER_INFINITE ? EDGE_ACCEPTS : 0;
    for (const struct lts_edge *e = first; e < end; e++)
        add(w, model, e->target, kind, move * w->t->p.choices + (uint32_t)(e - first));
}

static void add_invisible(struct tester_worker *w, const word *model, uint32_t state, uint32_t move) {
    uint8_t kind = w->t->tester->kinds[state] & TESTER_LIVELOCK ? EDGE_STILL : 0;
    add(w, model, state, kind, move * w->t->p.choices);
}

static bool offers(const struct tester *tester, uint32_t state, uint32_t letter) {
    const struct lts_edge *end;
    return tester_next(tester, state, letter, &end) < end;
}

/* A transition that cannot be seen, as the model says, was seen. */
static bool accuse(uint32_t transition, const char *action, struct ts_fault *fault) {
    *fault = (struct ts_fault){.kind = TS_FALSE_CHANGES, .transition = transition, .where = "observable"};
    snprintf(fault->text, sizeof fault->text,
             "it says that this transition cannot be seen, but in the last state that is shown it is seen as %.100s",
             action);
    return false;
}

/* What the tester sees of the moves [begin, end) of the model. False: the model failed. */
static bool find_letters(struct tester_worker *w, const word *model, uint32_t begin, uint32_t end,
                         struct ts_fault *fault) {
    struct ts *base = w->t->p.base;
    for (uint32_t e = begin; e < end; e++) {
        uint32_t action = base->ops->action(w->base, model, w->batch.labels[e], fault);
        if (action == TS_NONE) return false;
        w->letters[e - begin] = look_up(w->t, &w->known, action);
        if (w->guided && w->letters[e - begin] != LTS_TAU && !w->t->visible[w->batch.labels[e]])
            return accuse(w->batch.labels[e], action_name(base, action), fault);
    }
    return true;
}

/* ---- Stubborn sets ---- */

/* A transition that has nothing to do with what is seen, as the model says, changes what is seen of another one. */
static bool accuse_change(struct tester_worker *w, uint32_t transition, uint32_t other, struct ts_fault *fault) {
    char name[64];
    w->t->p.base->ops->transition_name(w->base, other, name, sizeof name);
    *fault = (struct ts_fault){.kind = TS_FALSE_CHANGES, .transition = transition, .where = "observable"};
    snprintf(fault->text, sizeof fault->text,
             "it says that this transition has nothing to do with what is seen, but in the last state that is shown it "
             "changes what is seen of %s",
             name);
    return false;
}

/* Looks for that, one step from a state whose moves are [begin, end). */
static bool check_unseen(struct tester_worker *w, uint32_t begin, uint32_t end, struct ts_fault *fault) {
    struct ts *base = w->t->p.base;
    struct ts_fault ignored;
    for (uint32_t e = begin; e < end; e++) {
        const word *to = w->batch.successors + (size_t)e * base->words;
        for (uint32_t f = begin; f < end && !w->t->visible[w->batch.labels[e]]; f++) {
            uint32_t t = w->batch.labels[f];
            if (!w->t->visible[t] || base->ops->fire(w->base, to, t, w->scratch, &ignored) != 1) continue;
            uint32_t action = base->ops->action(w->base, to, t, &ignored);
            if (action != TS_NONE && look_up(w->t, &w->known, action) != w->letters[f - begin])
                return accuse_change(w, w->batch.labels[e], t, fault);
        }
    }
    return true;
}

/* What cannot occur in the model now may become anything that it may be. */
static void find_allowed(struct tester_worker *w, uint32_t state, uint32_t begin, uint32_t end) {
    const struct tester *tester = w->t->tester;
    const struct ts *base = w->t->p.base;
    for (uint32_t t = 0; t < base->transitions; t++) {
        uint32_t letter = w->t->fixed ? w->t->fixed[t] : LTS_TAU;
        w->allows[t] = letter == LTS_TAU || offers(tester, state, letter);
    }
    for (uint32_t e = begin; e < end; e++)
        if (w->letters[e - begin] != LTS_TAU)
            w->allows[w->batch.labels[e]] = offers(tester, state, w->letters[e - begin]);
}

/* FLY Algorithm 4.3. */
static bool choose(struct tester_worker *w, const word *model, uint32_t state, uint32_t begin, uint32_t end,
                   struct ts_fault *fault) {
    const struct tester *tester = w->t->tester;
    bool monitored = tester->kinds[state] & TESTER_LIVELOCK;
    struct guided_watch watch = {
        .needs = (monitored ? GUIDED_INVISIBLE : GUIDED_VISIBLE) | GUIDED_ENABLED,
        .moves = offers(tester, state, LTS_TAU),
        .allows = w->allows,
    };
    find_allowed(w, state, begin, end);
    return guided_choose(w->guided, w->base, model, w->batch.labels + begin, end - begin, &watch, fault);
}

/* ---- Expanding ---- */

static bool expand_source(struct tester_worker *w, const word *s, const word *model, uint32_t begin, uint32_t end,
                          struct ts_fault *fault) {
    const struct product *p = &w->t->p;
    uint32_t state = product_state(p, s);
    bool some = w->guided && !w->full;
    if (!find_letters(w, model, begin, end, fault)) return false;
    if (some && !w->t->fixed && !p->base->fast && !check_unseen(w, begin, end, fault)) return false;
    if (some && !choose(w, model, state, begin, end, fault)) return false;
    for (uint32_t e = begin; e < end; e++) {
        uint32_t move = w->batch.labels[e], letter = w->letters[e - begin];
        const word *to = w->batch.successors + (size_t)e * p->base->words;
        if (some && !guided_has(w->guided, move)) continue;
        if (letter == LTS_TAU) add_invisible(w, to, state, move);
        else add_joint(w, to, state, letter, move);
    }
    if (!some || guided_has_watcher(w->guided)) add_joint(w, model, state, LTS_TAU, p->base->transitions);
    return true;
}

static void make_room(struct tester_worker *w, uint32_t states) {
    const struct product *p = &w->t->p;
    if (w->batch.capacity >= states) return;
    ts_batch_fini(&w->batch);
    ts_batch_init(&w->batch, p->base, states);
    w->sources = memory_resize(w->sources, (size_t)states * p->base->words * sizeof(word));
    w->edges = memory_resize(w->edges, (size_t)states * p->ts.transitions);
    free(w->lost);
    w->lost = memory_get_zeroed(states * sizeof *w->lost);
    w->ended = memory_resize(w->ended, states * sizeof *w->ended);
    w->head.view = (struct product_view){w->edges, w->lost, w->ended, w->batch.labels, w->batch.ends};
}

static uint32_t fail(struct ts_batch *batch, const struct ts_fault *fault, uint32_t source) {
    if (fault != &batch->fault) batch->fault = *fault;
    batch->fault.source = source;
    return source;
}

static uint32_t expand(struct ts_worker *worker, struct ts_batch *batch) {
    struct tester_worker *w = really(worker);
    const struct product *p = &w->t->p;
    make_room(w, batch->count);
    for (uint32_t i = 0; i < batch->count; i++)
        product_model(p, batch->sources + (size_t)i * p->ts.words, w->sources + (size_t)i * p->base->words);
    w->batch.sources = w->sources;
    w->batch.count = batch->count;
    w->next = batch->successors;
    w->label = batch->labels;
    w->edge = w->edges;
    batch->fault.kind = TS_FINE;
    uint32_t done = p->base->ops->expand(w->base, &w->batch);
    for (uint32_t i = 0, begin = 0; i < done; begin = w->batch.ends[i++]) {
        if (!expand_source(w, batch->sources + (size_t)i * p->ts.words, w->sources + (size_t)i * p->base->words, begin,
                           w->batch.ends[i], &batch->fault))
            return fail(batch, &batch->fault, i);
        batch->ends[i] = (uint32_t)(w->label - batch->labels);
        w->ended[i] = batch->ends[i] == (i ? batch->ends[i - 1] : 0);
    }
    return done < batch->count ? fail(batch, &w->batch.fault, done) : done;
}

static bool initial(struct ts_worker *worker, word *out, struct ts_fault *fault) {
    struct tester_worker *w = really(worker);
    const struct product *p = &w->t->p;
    make_room(w, 1);
    if (!p->base->ops->initial(w->base, w->sources, fault)) return false;
    product_pack(p, w->sources, 0, w->t->tester->lts.initial, out);
    return true;
}

/* ---- Workers ---- */

struct ts_worker *tester_product_worker(struct tester_product *t, struct ts_worker *base) {
    struct tester_worker *w = memory_get_zeroed(sizeof *w);
    uint64_t transitions = t->p.base->transitions + UINT64_C(1);
    w->head.p = &t->p;
    w->t = t;
    w->base = base;
    w->scratch = memory_get((t->p.base->words + UINT64_C(1)) * sizeof *w->scratch);
    w->letters = memory_get(transitions * sizeof *w->letters);
    w->allows = memory_get_zeroed(transitions);
    if (t->stubborn) w->guided = guided_new(t->p.base, t->visible);
    make_room(w, 1);
    return (struct ts_worker *)(void *)w;
}

void tester_product_full(struct ts_worker *worker) { really(worker)->full = true; }

static void worker_free(struct ts_worker *worker) {
    struct tester_worker *w = really(worker);
    ts_batch_fini(&w->batch);
    guided_free(w->guided);
    free(w->sources);
    free(w->scratch);
    free(w->letters);
    free(w->edges);
    free(w->lost);
    free(w->ended);
    free(w->allows);
    free(w->known.at);
    if (w->owns_base) w->t->p.base->ops->worker_free(w->base);
    free(w);
}

static struct ts_worker *worker_new(struct ts *ts) {
    struct tester_product *t = (struct tester_product *)(void *)ts;
    struct ts_worker *w = tester_product_worker(t, t->p.base->ops->worker_new(t->p.base));
    really(w)->owns_base = true;
    return w;
}

static const struct ts_ops ops = {.expand = expand,
                                  .classify = product_classify,
                                  .check = product_check,
                                  .initial = initial,
                                  .worker_new = worker_new,
                                  .worker_free = worker_free};

/* ---- Making one ---- */

static uint32_t most_choices(const struct lts *l) {
    uint32_t most = 1;
    for (uint32_t s = 0; s < l->states; s++) {
        uint32_t run = 0;
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
            run = e > lts_begin(l, s) && e[-1].label == e->label ? run + 1 : 1;
            if (run > most) most = run;
        }
    }
    return most;
}

static bool lay_out(struct product *p, const struct tester *tester, struct problem *why) {
    p->choices = most_choices(&tester->lts);
    p->end = p->begin = p->base->transitions + 1; /* there are no such moves */
    p->state_bit = p->value_bit = p->base->bits + 1;
    for (p->state_bits = 1; (tester->lts.states - 1) >> p->state_bits;) p->state_bits++;
    p->flag_bit = p->state_bit + p->state_bits;
    uint64_t transitions = (p->base->transitions + UINT64_C(1)) * p->choices;
    if (transitions > UINT32_MAX / 2)
        return problem_set(why, EXIT_BAD_INPUT, "%s: the tester and the model are too large together", p->base->path);
    p->ts = (struct ts){
        .ops = &ops,
        .path = p->base->path,
        .words = p->flag_bit / 64 + 1,
        .bits = p->flag_bit,
        .transitions = (uint32_t)transitions,
    };
    return true;
}

/* Which transitions the tester may see, and of networks, as what. */
static bool find_visible(struct tester_product *t, struct ts_worker *w, struct problem *why) {
    struct ts *base = t->p.base;
    struct ts_fault fault;
    word *s = memory_get(base->words * sizeof *s);
    bool good = base->ops->initial(w, s, &fault);
    t->visible = memory_get_zeroed(base->transitions + UINT64_C(1));
    if (base->fixed_actions) t->fixed = memory_get_zeroed((base->transitions + UINT64_C(1)) * sizeof *t->fixed);
    for (uint32_t i = 0; i < base->transitions && good; i++) {
        uint32_t action = t->fixed ? base->ops->action(w, s, i, &fault) : 0;
        int seen = t->fixed || !base->observable_known ? 1 : base->ops->observable(w, i, &fault);
        good = action != TS_NONE && seen >= 0;
        if (t->fixed && good) t->fixed[i] = tester_product_letter(t, action);
        t->visible[i] = t->fixed ? t->fixed[i] != LTS_TAU : seen > 0;
    }
    t->all_visible = !t->fixed && !base->observable_known;
    free(s);
    return good || problem_set(why, EXIT_BAD_INPUT, "%s: %s: %s", base->path, fault.where, fault.text);
}

bool tester_product_init(struct tester_product *t, struct ts *base, struct ts_worker *w, const struct tester *tester,
                         bool stubborn, struct problem *why) {
    *t = (struct tester_product){.tester = tester, .stubborn = stubborn};
    t->p.base = base;
    t->p.accept = accept;
    names_init(&t->p.free);
    if (lay_out(&t->p, tester, why) && (!stubborn || find_visible(t, w, why))) return true;
    tester_product_fini(t);
    return false;
}

void tester_product_fini(struct tester_product *t) {
    names_fini(&t->p.free);
    free(t->letters.at);
    free(t->fixed);
    free(t->visible);
}
