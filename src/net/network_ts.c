#include "net/network_ts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "net/describe.h"
#include "net/plan.h"

struct network_ts {
    struct ts ts; /* the first member: the network is one */
    struct plan *plan;
    struct description description;
};

struct ts_worker {
    struct network_ts *n;
    const struct plan *plan;
    uint32_t *locals;                 /* of the state at hand */
    const struct plan_group **chosen; /* by part of the action at hand */
    uint32_t *choice;                 /* the same: which edge of the group */
    word *next;                       /* room for a state */
};

static struct network_ts *network_of(const struct ts *ts) { return (struct network_ts *)(uintptr_t)ts; }

/* ---- Moves ---- */

/* Where the successors go. */
struct output {
    word *state;
    uint32_t *label;
};

/* Every combination of the edges that were chosen from. */
static void make_combinations(struct ts_worker *w, const struct plan_action *a, const word *s, struct output *out) {
    const struct plan *p = w->plan;
    uint32_t k;
    for (k = 0; k < a->parts; k++) w->choice[k] = 0;
    do {
        uint32_t transition = 0, attention = 0;
        memcpy(out->state, s, p->words * sizeof *s);
        for (k = 0; k < a->parts; k++) {
            const struct plan_component *c = &p->component[a->part[k].component];
            const struct plan_edge *e = &c->edges[w->chosen[k]->begin + w->choice[k]];
            out->state[c->word] ^= e->change;
            attention |= e->attention;
            transition = transition * a->part[k].radix + w->choice[k];
        }
        if (attention) plan_settle(p, out->state);
        out->state += p->words;
        *out->label++ = a->transition + transition;
        for (k = a->parts; k-- > 0;) {
            if (++w->choice[k] < w->chosen[k]->end - w->chosen[k]->begin) break;
            w->choice[k] = 0;
        }
    } while (k < a->parts);
}

/* The moves of the action whose group in its first part is `begin`. `words` is the plan's, known to the compiler where
 * it is 1. */
static inline void make_moves(struct ts_worker *w, const word *s, const struct plan_component *first,
                              const struct plan_group *begin, uint32_t words, struct output *out) {
    const struct plan *p = w->plan;
    const struct plan_action *a = &p->action[begin->action];
    const struct plan_edge *e = &first->edges[begin->begin];
    uint32_t attention = e->attention, edges = begin->end - begin->begin;
    word one = s[0];
    if (words == 1) {
        one ^= e->change;
    } else {
        memcpy(out->state, s, words * sizeof *s);
        out->state[first->word] ^= e->change;
    }
    w->chosen[0] = begin;
    for (uint32_t k = 1; k < a->parts; k++) {
        const struct plan_component *c = &p->component[a->part[k].component];
        const struct plan_group *g = plan_group(c, w->locals[a->part[k].component], a->part[k].local);
        if (!g) return;
        e = &c->edges[g->begin];
        w->chosen[k] = g;
        edges |= g->end - g->begin;
        attention |= e->attention;
        if (words == 1) one ^= e->change;
        else out->state[c->word] ^= e->change;
    }
    if (__builtin_expect(edges > 1, 0)) {
        make_combinations(w, a, s, out);
        return;
    }
    if (words == 1) *out->state = one;
    if (__builtin_expect(attention != 0, 0)) plan_settle(p, out->state);
    out->state += words;
    *out->label++ = a->transition;
}

static inline void make_all_moves(struct ts_worker *w, const word *s, uint32_t words, struct output *out) {
    const struct plan *p = w->plan;
    plan_unpack(p, s, w->locals);
    for (uint32_t n = 0; n < p->count; n++) {
        uint32_t i = p->forward ? n : p->count - 1 - n, x = w->locals[i];
        const struct plan_component *c = &p->component[i];
        for (uint32_t k = c->scanning[x]; k < c->scanning[x + 1]; k++)
            make_moves(w, s, c, &c->groups[c->scan[k]], words, out);
    }
}

/* While something else can occur, what is low does not. */
static void obey_priority(const struct plan *p, word *states, uint32_t *labels, struct output *out) {
    uint32_t n = (uint32_t)(out->label - labels), kept = 0;
    bool high = false;
    for (uint32_t k = 0; k < n; k++) high |= !p->action[p->action_of[labels[k]]].low;
    for (uint32_t k = 0; k < n; k++) {
        if (high && p->action[p->action_of[labels[k]]].low) continue;
        if (kept != k) memcpy(states + (size_t)kept * p->words, states + (size_t)k * p->words, p->words * sizeof(word));
        labels[kept++] = labels[k];
    }
    out->label = labels + kept;
    out->state = states + (size_t)kept * p->words;
}

static void expand_state(struct ts_worker *w, const word *s, struct output *out) {
    const struct plan *p = w->plan;
    struct output before = *out;
    if (plan_is_special(p, s)) return;
    if (p->words == 1) make_all_moves(w, s, 1, out);
    else make_all_moves(w, s, p->words, out);
    if (p->has_low) obey_priority(p, before.state, before.label, out);
}

static uint32_t expand(struct ts_worker *w, struct ts_batch *batch) {
    struct output out = {.state = batch->successors, .label = batch->labels};
    for (uint32_t i = 0; i < batch->count; i++) {
        expand_state(w, batch->sources + (size_t)i * w->plan->words, &out);
        batch->ends[i] = (uint32_t)(out.label - batch->labels);
    }
    return batch->count;
}

static uint32_t classify(struct ts_worker *w, struct ts_batch *batch) {
    const struct plan *p = w->plan;
    for (uint32_t i = 0; i < batch->count; i++) {
        const word *s = batch->sources + (size_t)i * p->words;
        bool bad = plan_is_special(p, s) && plan_error(p, s) != LTS_NONE;
        batch->classes[i] = bad ? TS_BAD & batch->wanted : 0;
    }
    return batch->count;
}

/* ---- One state ---- */

static bool initial(struct ts_worker *w, word *out, struct ts_fault *fault) {
    (void)fault;
    plan_initial(w->plan, out);
    return true;
}

/* Whether something that is not low can occur. */
static bool high_enabled(struct ts_worker *w) {
    for (uint32_t a = 0; a < w->plan->actions; a++)
        if (!w->plan->action[a].low && plan_enabled(w->plan, w->locals, a)) return true;
    return false;
}

static int fire(struct ts_worker *w, const word *s, uint32_t t, word *out, struct ts_fault *fault) {
    const struct plan *p = w->plan;
    word *next = w->next;
    size_t size = p->words * sizeof(word);
    (void)fault;
    if (plan_is_special(p, s) || p->actions == 0) return 0;
    const struct plan_action *a = &p->action[p->action_of[t]];
    uint32_t choices = t - a->transition, attention = 0;
    memcpy(next, s, size);
    plan_unpack(p, s, w->locals);
    for (uint32_t k = a->parts; k-- > 0;) {
        const struct plan_component *c = &p->component[a->part[k].component];
        const struct plan_group *g = plan_group(c, w->locals[a->part[k].component], a->part[k].local);
        uint32_t choice = choices % a->part[k].radix;
        choices /= a->part[k].radix;
        if (!g || choice >= g->end - g->begin) return 0;
        next[c->word] ^= c->edges[g->begin + choice].change;
        attention |= c->edges[g->begin + choice].attention;
    }
    if (a->low && high_enabled(w)) return 0;
    if (attention) plan_settle(p, next);
    memcpy(out, next, size);
    return 1;
}

static bool check(struct ts_worker *w, const word *s, enum ts_feature which, const char **message,
                  struct ts_fault *fault) {
    bool special = plan_is_special(w->plan, s);
    uint32_t erred = special ? plan_error(w->plan, s) : LTS_NONE;
    (void)fault;
    *message = NULL;
    if (which == TS_CHECK_STATE && erred != LTS_NONE) *message = w->n->description.errors[erred];
    if (which == TS_CHECK_DEADLOCK && !special) *message = "no action is possible";
    return true;
}

static bool print(struct ts_worker *w, const word *s, const word *previous, FILE *out, struct ts_fault *fault) {
    (void)fault;
    describe_state(w->plan, s, previous, out);
    return true;
}

static void transition_name(struct ts_worker *w, uint32_t t, char *buffer, size_t size) {
    const struct plan *p = w->plan;
    snprintf(buffer, size, "%s", p->actions ? p->network.labels.text[p->action[p->action_of[t]].label] : "tau");
}

static uint32_t action(struct ts_worker *w, const word *s, uint32_t t, struct ts_fault *fault) {
    const struct plan *p = w->plan;
    (void)s;
    (void)fault;
    return p->actions ? w->n->description.seen_as[p->action[p->action_of[t]].label] : 0;
}

static int64_t value(const struct ts *ts, const word *s, uint32_t v, uint32_t i, const char **name, size_t *length) {
    (void)i;
    return describe_value(network_of(ts)->plan, s, v, name, length);
}

/* ---- Opening and closing ---- */

static struct ts_worker *worker_new(struct ts *ts) {
    struct ts_worker *w = memory_get_zeroed(sizeof *w);
    w->n = network_of(ts);
    w->plan = w->n->plan;
    w->locals = memory_get((w->plan->count + 1) * sizeof *w->locals);
    w->chosen = memory_get(w->plan->most_parts * sizeof *w->chosen);
    w->choice = memory_get(w->plan->most_parts * sizeof *w->choice);
    w->next = memory_get(w->plan->words * sizeof *w->next);
    return w;
}

static void worker_free(struct ts_worker *w) {
    if (!w) return;
    free(w->locals);
    free(w->chosen);
    free(w->choice);
    free(w->next);
    free(w);
}

static void close_network(struct ts *ts) {
    if (!ts) return;
    struct network_ts *n = network_of(ts);
    description_fini(&n->description, n->plan);
    plan_free(n->plan);
    free(n);
}

static const struct ts_ops ops = {
    .close = close_network,
    .worker_new = worker_new,
    .worker_free = worker_free,
    .expand = expand,
    .classify = classify,
    .initial = initial,
    .fire = fire,
    .check = check,
    .print = print,
    .transition_name = transition_name,
    .value = value,
    .action = action,
};

struct ts *network_open(struct network *n, const char *path, struct reduction reduction, struct problem *why) {
    struct plan *plan = plan_new(n, reduction.forward, why);
    if (!plan) return NULL;
    struct network_ts *t = memory_get_zeroed(sizeof *t);
    t->plan = plan;
    description_init(&t->description, plan, path);
    t->ts = (struct ts){
        .ops = &ops,
        .path = t->description.path,
        .identity = t->description.identity,
        .words = plan->words,
        .bits = plan->bits,
        .transitions = plan->transitions,
        .features = TS_CHECK_DEADLOCK | (plan->can_err ? TS_CHECK_STATE : 0u),
        .reduction = reduction,
        .variables = t->description.variables,
        .variable_count = plan->count,
        .actions = t->description.actions,
        .action_names = t->description.action_names,
        .action_hidden = t->description.action_hidden,
        .progress = t->description.progress,
        .progress_count = plan->network.progress_count,
        .whole_counts = true,
    };
    return &t->ts;
}
