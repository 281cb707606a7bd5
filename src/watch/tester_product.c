#include "watch/tester_product.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "watch/product_worker.h"

/* What a struct ts_worker of the product really is. */
struct tester_worker {
    struct product_worker c; /* the first member */
    struct tester_product *t;
    struct letters known; /* its own, for other threads may get to know more actions at the same time */
    word *scratch;        /* a state of the model */
    uint32_t *letters;    /* of the moves of the model from one source: what the tester sees */
    bool *allows;         /* by transition */
    bool goes_on;         /* the source at hand has an edge, perhaps one that is left out */
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
    return tester_sees(t->tester, action_name(base, action));
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
    seen[t->tester->other] = seen[t->tester->end] = seen[t->tester->error] = true;
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

/* The tester goes along with a move of the model, or moves alone. */
static void add_joint(struct tester_worker *w, const word *model, uint32_t state, uint32_t letter, uint32_t move) {
    const struct tester *tester = w->t->tester;
    const struct lts_edge *end, *first = tester_next(tester, state, letter, &end);
    uint8_t kind = tester->kinds[state] & TESTER_INFINITE ? EDGE_ACCEPTS : 0;
    assert((uint32_t)(end - first) <= w->t->p.choices);
    if (first < end) w->goes_on = true;
    for (const struct lts_edge *e = first; e < end; e++)
        if (w->t->hopes[e->target])
            product_worker_add(&w->c, model, 0, e->target, kind, move * w->t->p.choices + (uint32_t)(e - first));
}

static void add_invisible(struct tester_worker *w, const word *model, uint32_t state, uint32_t move) {
    uint8_t kind = w->t->tester->kinds[state] & TESTER_LIVELOCK ? EDGE_STILL : 0;
    w->goes_on = true;
    product_worker_add(&w->c, model, 0, state, kind, move * w->t->p.choices);
}

bool tester_product_end(const struct tester *tester, struct ts *base, struct ts_worker *w, const word *model,
                        uint32_t *move, uint32_t *label, struct ts_fault *fault) {
    const char *erred, *stuck = NULL;
    *label = LTS_TAU;
    if (!base->whole_counts || (tester->end == LTS_TAU && tester->error == LTS_TAU)) return true;
    if (!base->ops->check(w, model, TS_CHECK_STATE, &erred, fault)) return false;
    if (!erred && !base->ops->check(w, model, TS_CHECK_DEADLOCK, &stuck, fault)) return false;
    if (stuck) return true;
    *move = erred ? TESTER_MOVE_ERROR : TESTER_MOVE_END;
    *label = erred ? tester->error : tester->end;
    return true;
}

/* The model has no moves. */
static bool add_end(struct tester_worker *w, const word *model, uint32_t state, struct ts_fault *fault) {
    uint32_t move, label;
    if (!tester_product_end(w->t->tester, w->t->p.base, w->c.base, model, &move, &label, fault)) return false;
    if (label != LTS_TAU) add_joint(w, model, state, label, w->t->p.base->transitions + move);
    return true;
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
        uint32_t action = base->ops->action(w->c.base, model, w->c.batch.labels[e], fault);
        if (action == TS_NONE) return false;
        assert(w->c.batch.labels[e] < base->transitions);
        w->letters[e - begin] = look_up(w->t, &w->known, action);
        if (w->c.guided && w->letters[e - begin] != LTS_TAU && !w->t->p.visible[w->c.batch.labels[e]])
            return accuse(w->c.batch.labels[e], action_name(base, action), fault);
    }
    return true;
}

/* ---- Stubborn sets ---- */

/* A transition that has nothing to do with what is seen, as the model says, changes what is seen of another one. */
static bool accuse_change(struct tester_worker *w, uint32_t transition, uint32_t other, struct ts_fault *fault) {
    char name[64];
    w->t->p.base->ops->transition_name(w->c.base, other, name, sizeof name);
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
        const word *to = w->c.batch.successors + (size_t)e * base->words;
        for (uint32_t f = begin; f < end && !w->t->p.visible[w->c.batch.labels[e]]; f++) {
            uint32_t t = w->c.batch.labels[f];
            if (!w->t->p.visible[t] || base->ops->fire(w->c.base, to, t, w->scratch, &ignored) != 1) continue;
            uint32_t action = base->ops->action(w->c.base, to, t, &ignored);
            if (action != TS_NONE && look_up(w->t, &w->known, action) != w->letters[f - begin])
                return accuse_change(w, w->c.batch.labels[e], t, fault);
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
            w->allows[w->c.batch.labels[e]] = offers(tester, state, w->letters[e - begin]);
}

/* FLY Algorithm 4.3. */
static bool choose(struct tester_worker *w, const word *model, uint32_t state, uint32_t begin, uint32_t end,
                   struct ts_fault *fault) {
    const struct tester *tester = w->t->tester;
    bool monitored = tester->kinds[state] & TESTER_LIVELOCK;
    struct guided_watch watch = {
        .needs = (monitored            ? GUIDED_INVISIBLE
                  : w->t->waits[state] ? 0u
                                       : GUIDED_VISIBLE) |
                 GUIDED_ENABLED,
        .moves = offers(tester, state, LTS_TAU),
        .allows = w->allows,
    };
    find_allowed(w, state, begin, end);
    return guided_choose(w->c.guided, w->c.base, model, w->c.batch.labels + begin, end - begin, &watch, fault);
}

/* ---- Expanding ---- */

static bool expand_source(struct tester_worker *w, const word *s, const word *model, uint32_t begin, uint32_t end,
                          struct ts_fault *fault) {
    const struct product *p = &w->t->p;
    uint32_t state = product_state(p, s);
    bool some = w->c.reduces;
    w->goes_on = false;
    if (!w->t->hopes[state]) return w->goes_on = true;
    if (!find_letters(w, model, begin, end, fault)) return false;
    if (some && !w->t->fixed && !p->base->fast && !check_unseen(w, begin, end, fault)) return false;
    if (some && !choose(w, model, state, begin, end, fault)) return false;
    for (uint32_t e = begin; e < end; e++) {
        uint32_t move = w->c.batch.labels[e], letter = w->letters[e - begin];
        const word *to = w->c.batch.successors + (size_t)e * p->base->words;
        if (some && !guided_has(w->c.guided, move)) continue;
        if (letter == LTS_TAU) add_invisible(w, to, state, move);
        else add_joint(w, to, state, letter, move);
    }
    if (!some || guided_has_watcher(w->c.guided))
        add_joint(w, model, state, LTS_TAU, p->base->transitions + TESTER_MOVE_TAU);
    return begin < end || add_end(w, model, state, fault);
}

static uint32_t expand(struct ts_worker *worker, struct ts_batch *batch) {
    struct tester_worker *w = really(worker);
    const struct product *p = &w->t->p;
    product_worker_grow(&w->c, batch->count);
    product_worker_begin(&w->c, batch);
    uint32_t done = p->base->ops->expand(w->c.base, &w->c.batch);
    for (uint32_t i = 0, begin = 0; i < done; begin = w->c.batch.ends[i++]) {
        if (!expand_source(w, batch->sources + (size_t)i * p->ts.words, w->c.sources + (size_t)i * p->base->words,
                           begin, w->c.batch.ends[i], &batch->fault))
            return product_worker_fail(batch, &batch->fault, i);
        batch->ends[i] = (uint32_t)(w->c.label - batch->labels);
        w->c.ended[i] = !w->goes_on;
    }
    return done < batch->count ? product_worker_fail(batch, &w->c.batch.fault, done) : done;
}

/* ---- Workers ---- */

struct ts_worker *tester_product_worker(struct tester_product *t, struct ts_worker *base) {
    struct tester_worker *w = memory_get_zeroed(sizeof *w);
    uint64_t transitions = t->p.base->transitions + UINT64_C(1);
    product_worker_init(&w->c, &t->p, base);
    product_worker_grow(&w->c, 1);
    w->t = t;
    w->scratch = memory_get((t->p.base->words + UINT64_C(1)) * sizeof *w->scratch);
    w->letters = memory_get(transitions * sizeof *w->letters);
    w->allows = memory_get_zeroed(transitions);
    return (struct ts_worker *)(void *)w;
}

static void worker_free(struct ts_worker *worker) {
    struct tester_worker *w = really(worker);
    product_worker_fini(&w->c);
    free(w->scratch);
    free(w->letters);
    free(w->allows);
    free(w->known.at);
    free(w);
}

static struct ts_worker *worker_new(struct ts *ts) {
    return tester_product_worker((struct tester_product *)(void *)ts, NULL);
}

static const struct ts_ops ops = {.expand = expand,
                                  .classify = product_classify,
                                  .check = product_check,
                                  .initial = product_initial,
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

static bool *find_waits(const struct tester *t, const bool *hopes) {
    bool *waits = memory_get(t->lts.states);
    for (uint32_t s = 0; s < t->lts.states; s++) {
        waits[s] = t->kinds[s] == TESTER_DEADLOCK;
        for (const struct lts_edge *e = lts_begin(&t->lts, s); e < lts_end(&t->lts, s); e++)
            waits[s] = waits[s] && !hopes[e->target];
    }
    return waits;
}

static bool lay_out(struct product *p, const struct tester *tester, struct problem *why) {
    p->start = tester->lts.initial;
    p->choices = most_choices(&tester->lts);
    p->end = p->begin = p->base->transitions + TESTER_MOVES; /* there are no such moves */
    return product_lay_out(p, &ops, tester->lts.states, p->base->transitions + (uint64_t)TESTER_MOVES, why);
}

/* Which transitions the tester may see, and of networks, as what. */
static bool find_visible(struct tester_product *t, struct ts_worker *w, struct problem *why) {
    struct ts *base = t->p.base;
    struct ts_fault fault;
    word *s = memory_get(base->words * sizeof *s);
    bool good = base->ops->initial(w, s, &fault);
    t->p.visible = memory_get_zeroed(base->transitions + UINT64_C(1));
    if (base->fixed_actions) t->fixed = memory_get_zeroed((base->transitions + UINT64_C(1)) * sizeof *t->fixed);
    for (uint32_t i = 0; i < base->transitions && good; i++) {
        uint32_t action = t->fixed ? base->ops->action(w, s, i, &fault) : 0;
        int seen = t->fixed || !base->observable_known ? 1 : base->ops->observable(w, i, &fault);
        good = action != TS_NONE && seen >= 0;
        if (t->fixed && good) t->fixed[i] = tester_product_letter(t, action);
        t->p.visible[i] = t->fixed ? t->fixed[i] != LTS_TAU : seen > 0;
    }
    t->all_visible = !t->fixed && !base->observable_known;
    free(s);
    return good || problem_set(why, EXIT_BAD_INPUT, "%s: %s: %s", base->path, fault.where, fault.text);
}

bool tester_product_init(struct tester_product *t, struct ts *base, struct ts_worker *w, const struct tester *tester,
                         bool stubborn, struct problem *why) {
    *t = (struct tester_product){.tester = tester, .hopes = tester_hopes(tester)};
    t->waits = find_waits(tester, t->hopes);
    t->p.base = base;
    t->p.accept = accept;
    names_init(&t->p.free);
    if (lay_out(&t->p, tester, why) && (!stubborn || find_visible(t, w, why))) return true;
    tester_product_fini(t);
    return false;
}

void tester_product_fini(struct tester_product *t) {
    product_fini(&t->p);
    free(t->letters.at);
    free(t->fixed);
    free(t->hopes);
    free(t->waits);
}
