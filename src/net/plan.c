#include "net/plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    MOST_TRANSITIONS = 1 << 24,
    MOST_DENSE = 1 << 24, /* entries of a table of groups by state and action */
};

/* ---- Executing ---- */

void plan_unpack(const struct plan *p, const word *s, uint32_t *locals) {
    for (uint32_t i = 0; i < p->count; i++) locals[i] = plan_local(&p->component[i], s);
}

const struct plan_group *plan_search(const struct plan_component *c, uint32_t state, uint32_t action) {
    uint32_t low = c->first[state], high = c->first[state + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (c->groups[middle].action < action) low = middle + 1;
        else high = middle;
    }
    return low < c->first[state + 1] && c->groups[low].action == action ? c->groups + low : NULL;
}

bool plan_enabled(const struct plan *p, const uint32_t *locals, uint32_t action) {
    const struct plan_action *a = &p->action[action];
    for (uint32_t k = 0; k < a->parts; k++)
        if (!plan_group(&p->component[a->part[k].component], locals[a->part[k].component], a->part[k].local))
            return false;
    return true;
}

static void set_local(const struct plan_component *c, word *s, uint32_t state) {
    assert(state < c->states && state <= c->mask);
    s[c->word] = (s[c->word] & ~(c->mask << c->shift)) | (uint64_t)state << c->shift;
}

/* All in state 0 but `only`, which is in its error state; or all that have an end state in that one. */
static void make_special(const struct plan *p, word *s, uint32_t only) {
    memset(s, 0, p->words * sizeof *s);
    s[0] = PLAN_MARK | PLAN_SPECIAL;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct plan_component *c = &p->component[i];
        if (only == LTS_NONE && c->end != LTS_NONE) set_local(c, s, c->end);
        if (only == i) set_local(c, s, c->error);
    }
}

uint32_t plan_error(const struct plan *p, const word *s) {
    for (uint32_t i = 0; i < p->count; i++) {
        const struct plan_component *c = &p->component[i];
        if (c->error != LTS_NONE && plan_local(c, s) == c->error) return i;
    }
    return LTS_NONE;
}

static bool can_do_tau(const struct plan *p, const struct plan_component *c, uint32_t state) {
    for (uint32_t g = c->first[state]; c->has_tau && g < c->first[state + 1]; g++)
        if (p->action[c->groups[g].action].label == LTS_TAU) return true;
    return false;
}

/* Only tau can still occur when all that can end have ended, because they take part in everything else. */
static bool has_ended(const struct plan *p, const word *s) {
    if (!p->can_end) return false;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct plan_component *c = &p->component[i];
        uint32_t state = plan_local(c, s);
        if (c->end != LTS_NONE ? state != c->end : can_do_tau(p, c, state)) return false;
    }
    return true;
}

void plan_settle(const struct plan *p, word *s) {
    uint32_t erred = p->can_err ? plan_error(p, s) : LTS_NONE;
    if (erred != LTS_NONE) make_special(p, s, erred);
    else if (has_ended(p, s)) make_special(p, s, LTS_NONE);
}

void plan_initial(const struct plan *p, word *out) {
    memset(out, 0, p->words * sizeof *out);
    out[0] = PLAN_MARK;
    for (uint32_t i = 0; i < p->count; i++) set_local(&p->component[i], out, p->component[i].initial);
    plan_settle(p, out);
}

/* ---- Making a plan: which actions there are ---- */

/* What is known of a label of a component. */
struct use {
    uint32_t label;   /* of the network */
    uint32_t radix;   /* most edges in one state */
    uint64_t enabled; /* in so many states */
};

/* While a plan is made. */
struct draft {
    struct plan *p;
    struct use **uses; /* by component and label of the component */
    uint32_t **number; /* the same: of the action, or LTS_NONE */
    uint32_t **parts;  /* by label of the network: components, and which of their labels it is */
    uint32_t *part_count;
    struct birth {
        uint32_t owner, label;
    } * births; /* by action */
};

static bool fill_uses(struct draft *d, uint32_t i, struct problem *why) {
    const struct lts *l = &d->p->network.component[i].lts;
    struct use *u = d->uses[i] = memory_get_zeroed(l->labels.count * sizeof *u);
    for (uint32_t k = 1; k < l->labels.count; k++) {
        u[k].label = names_find(&d->p->network.labels, l->labels.text[k]);
        if (u[k].label == NAMES_NONE)
            return problem_set(why, EXIT_INTERNAL, "the label '%s' of %s is missing in the network", l->labels.text[k],
                               d->p->network.component[i].name);
    }
    if (l->edges + l->states >= UINT32_MAX)
        return problem_set(why, EXIT_BAD_INPUT, "%s has more than %u edges: too many for a component",
                           d->p->network.component[i].name, UINT32_MAX - 1);
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s), *next; e < lts_end(l, s); e = next) {
            for (next = e; next < lts_end(l, s) && next->label == e->label;) next++;
            if ((uint32_t)(next - e) > u[e->label].radix) u[e->label].radix = (uint32_t)(next - e);
            u[e->label].enabled++;
        }
    return true;
}

static void note_part(struct draft *d, uint32_t label, uint32_t component, uint32_t own_label) {
    uint32_t n = d->part_count[label]++;
    d->parts[label] = memory_resize(d->parts[label], 2 * (n + 1) * sizeof(uint32_t));
    d->parts[label][2 * n] = component;
    d->parts[label][2 * n + 1] = own_label;
}

static void fill_parts(struct draft *d) {
    const struct network *n = &d->p->network;
    for (uint32_t i = 0; i < n->count; i++)
        for (uint32_t k = 1; k < n->component[i].lts.labels.count; k++) note_part(d, d->uses[i][k].label, i, k);
}

/* Where the label is least often enabled, so that few states need to look at the other parts. */
static uint32_t owner_of(const struct draft *d, uint32_t label) {
    uint32_t best = LTS_NONE;
    double share = 2;
    for (uint32_t k = 0; k < d->part_count[label]; k++) {
        uint32_t i = d->parts[label][2 * k];
        const struct use *u = &d->uses[i][d->parts[label][2 * k + 1]];
        double here = (double)u->enabled / d->p->network.component[i].lts.states;
        if (u->radix == 0) return LTS_NONE;
        if (here < share) {
            share = here;
            best = i;
        }
    }
    return best;
}

static int by_owner(const void *a, const void *b) {
    const struct birth *x = a, *y = b;
    if (x->owner != y->owner) return x->owner < y->owner ? -1 : 1;
    return x->label < y->label ? -1 : x->label > y->label;
}

/* Actions are numbered by the components where they begin. */
static void find_actions(struct draft *d) {
    const struct network *n = &d->p->network;
    uint32_t count = 0;
    d->births = memory_get((n->labels.count + n->count) * sizeof *d->births);
    for (uint32_t i = 0; i < n->count; i++)
        if (d->uses[i][LTS_TAU].radix) d->births[count++] = (struct birth){i, LTS_TAU};
    for (uint32_t label = 1; label < n->labels.count; label++) {
        uint32_t owner = owner_of(d, label);
        if (owner != LTS_NONE) d->births[count++] = (struct birth){owner, label};
    }
    qsort(d->births, count, sizeof *d->births, by_owner);
    d->p->actions = count;
}

static struct plan_part part_of(struct draft *d, uint32_t action, uint32_t component, uint32_t own_label) {
    d->number[component][own_label] = action;
    return (struct plan_part){.component = component, .radix = d->uses[component][own_label].radix};
}

/* False: too many combinations. */
static bool count_transitions(struct plan *p, struct plan_action *a) {
    uint64_t product = 1;
    a->transition = p->transitions;
    for (uint32_t k = 0; k < a->parts; k++)
        if ((product *= a->part[k].radix) > MOST_TRANSITIONS) return false;
    a->transitions = (uint32_t)product;
    p->transitions += a->transitions;
    return p->transitions <= MOST_TRANSITIONS;
}

static bool make_action(struct draft *d, uint32_t number, struct problem *why) {
    struct plan *p = d->p;
    struct plan_action *a = &p->action[number];
    uint32_t label = d->births[number].label, owner = d->births[number].owner;
    a->label = label;
    a->visible = label != LTS_TAU && p->network.sight[label] == SIGHT_VISIBLE;
    a->low = p->network.low && p->network.low[p->network.sight[label] == SIGHT_INNER ? LTS_TAU : label];
    a->parts = label == LTS_TAU ? 1 : d->part_count[label];
    a->part = memory_get(a->parts * sizeof *a->part);
    if (label == LTS_TAU) a->part[0] = part_of(d, number, owner, LTS_TAU);
    for (uint32_t k = 0, next = 1; label != LTS_TAU && k < a->parts; k++) {
        uint32_t i = d->parts[label][2 * k];
        a->part[i == owner ? 0 : next++] = part_of(d, number, i, d->parts[label][2 * k + 1]);
    }
    if (a->parts > p->most_parts) p->most_parts = a->parts;
    return count_transitions(p, a) ||
           problem_set(why, EXIT_BAD_INPUT,
                       "the network has more than %d combinations of edges with the same label ('%s' is one of these "
                       "labels): make the processes deterministic",
                       MOST_TRANSITIONS, p->network.labels.text[label]);
}

static bool make_actions(struct draft *d, struct problem *why) {
    struct plan *p = d->p;
    find_actions(d);
    p->action = memory_get_zeroed((p->actions + 2) * sizeof *p->action);
    p->most_parts = 1;
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t labels = p->network.component[i].lts.labels.count;
        d->number[i] = memory_get(labels * sizeof(uint32_t));
        memset(d->number[i], 0xff, labels * sizeof(uint32_t));
    }
    for (uint32_t a = 0; a < p->actions; a++)
        if (!make_action(d, a, why)) return false;
    p->action_of = memory_get((p->transitions + 1) * sizeof *p->action_of);
    for (uint32_t a = 0; a < p->actions; a++)
        for (uint32_t k = 0; k < p->action[a].transitions; k++) p->action_of[p->action[a].transition + k] = a;
    assert(p->actions == 0 || p->action[0].part[0].component <= p->action[p->actions - 1].part[0].component);
    if (p->transitions == 0) p->transitions = 1; /* one that never occurs, as nobody expects a system without any */
    return true;
}

/* ---- Making a plan: components ---- */

/* The network can end if something in it can, and takes part in all that the others do. */
static bool may_end(const struct draft *d) {
    const struct network *n = &d->p->network;
    bool some = false;
    for (uint32_t i = 0; i < n->count; i++) some |= n->component[i].lts.end != LTS_NONE;
    for (uint32_t label = 1; label < n->labels.count; label++) {
        bool ends = d->part_count[label] == 0;
        for (uint32_t k = 0; k < d->part_count[label]; k++)
            ends |= n->component[d->parts[label][2 * k]].lts.end != LTS_NONE;
        some &= ends;
    }
    return some;
}

static uint32_t width_of(uint32_t states) { return states < 2 ? 0 : 32 - (uint32_t)__builtin_clz(states - 1); }

static void lay_out(struct plan *p) {
    uint32_t word = 0, at = p->special ? 2 : 1;
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t width = width_of(p->component[i].states);
        if (at + width > 64) {
            word++;
            at = 0;
        }
        p->component[i].word = word;
        p->component[i].shift = at < 64 ? at : 0; /* of no width, at the very end */
        p->component[i].mask = (UINT64_C(1) << width) - 1;
        at += width;
    }
    p->words = word + 1;
    p->bits = word * 64 + at - 1;
    if (p->bits == 0) p->bits = 1;
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static int by_action(const void *a, const void *b) {
    const struct plan_group *x = a, *y = b;
    return x->action < y->action ? -1 : x->action > y->action;
}

/* Components without an end state may still have something to do. */
static bool takes_part_in_end(const struct plan *p, const struct plan_component *c) {
    return p->ender != LTS_NONE && (c->end != LTS_NONE || c->has_tau);
}

/* Adds the action that would be enabled in END. */
static void make_ender(struct plan *p) {
    struct plan_action *a = &p->action[p->actions];
    p->ender = p->actions++;
    *a = (struct plan_action){.label = LTS_NONE, .transition = p->transitions, .visible = true};
    a->part = memory_get(p->count * sizeof *a->part);
    for (uint32_t i = 0; i < p->count; i++)
        if (takes_part_in_end(p, &p->component[i]))
            a->part[a->parts++] = (struct plan_part){.component = i, .radix = 1};
    if (a->parts > p->most_parts) p->most_parts = a->parts;
}

static void list_local_actions(struct draft *d, uint32_t i) {
    struct plan_component *c = &d->p->component[i];
    uint32_t labels = d->p->network.component[i].lts.labels.count;
    c->actions = memory_get((labels + 1) * sizeof *c->actions);
    for (uint32_t k = 0; k < labels; k++)
        if (d->number[i][k] != LTS_NONE) c->actions[c->locals++] = d->number[i][k];
    if (takes_part_in_end(d->p, c)) c->actions[c->locals++] = d->p->ender;
    qsort(c->actions, c->locals, sizeof *c->actions, by_number);
    for (uint32_t k = 0; k < c->locals; k++) {
        struct plan_action *a = &d->p->action[c->actions[k]];
        for (uint32_t q = 0; q < a->parts; q++)
            if (a->part[q].component == i) a->part[q].local = k;
    }
}

static struct plan_edge make_edge(const struct plan *p, const struct plan_component *c, bool tau, uint32_t from,
                                  uint32_t to) {
    bool ends = c->end != LTS_NONE ? to == c->end : tau;
    return (struct plan_edge){
        .change = (uint64_t)(from ^ to) << c->shift,
        .target = to,
        .attention = (to == c->error ? PLAN_ERRS : 0u) | (p->can_end && ends ? PLAN_ENDS : 0u),
    };
}

/* Where the component would allow the network to end. */
static bool allows_end(const struct draft *d, const struct plan_component *c, uint32_t i, uint32_t s) {
    const struct lts *l = &d->p->network.component[i].lts;
    if (!takes_part_in_end(d->p, c)) return false;
    return c->end != LTS_NONE ? s == c->end : lts_begin(l, s) == lts_end(l, s) || lts_begin(l, s)->label != LTS_TAU;
}

static void fill_state(struct draft *d, uint32_t i, uint32_t s, uint32_t *groups, uint32_t *edges) {
    struct plan_component *c = &d->p->component[i];
    const struct lts *l = &d->p->network.component[i].lts;
    c->first[s] = *groups;
    for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
        uint32_t action = d->number[i][e->label];
        if (action == LTS_NONE) continue;
        if (*groups == c->first[s] || c->groups[*groups - 1].action != action)
            c->groups[(*groups)++] = (struct plan_group){action, *edges, *edges};
        c->edges[(*edges)++] = make_edge(d->p, c, e->label == LTS_TAU, s, e->target);
        c->groups[*groups - 1].end = *edges;
        if (e->target == c->error) d->p->action[action].errs = true;
    }
    if (allows_end(d, c, i, s)) {
        c->groups[(*groups)++] = (struct plan_group){d->p->ender, *edges, *edges + 1};
        c->edges[(*edges)++] = (struct plan_edge){.target = s};
    }
    assert(*groups <= l->edges + s + 1 && *edges <= l->edges + s + 1);
    qsort(c->groups + c->first[s], *groups - c->first[s], sizeof *c->groups, by_action);
}

/* Error and end states have no moves, whatever their edges are. */
static void fill_component(struct draft *d, uint32_t i) {
    struct plan_component *c = &d->p->component[i];
    const struct lts *l = &d->p->network.component[i].lts;
    uint32_t groups = 0, edges = 0;
    c->first = memory_get((c->states + UINT64_C(1)) * sizeof *c->first);
    c->groups = memory_get((l->edges + c->states + 1) * sizeof *c->groups);
    c->edges = memory_get((l->edges + c->states + 1) * sizeof *c->edges);
    for (uint32_t s = 0; s < c->states; s++) fill_state(d, i, s, &groups, &edges);
    c->first[c->states] = groups;
    c->groups = memory_resize(c->groups, (groups + UINT64_C(1)) * sizeof *c->groups);
}

static void fill_dense(struct plan_component *c) {
    if ((uint64_t)c->states * c->locals > MOST_DENSE) return;
    c->dense = memory_get_zeroed(((size_t)c->states * c->locals + 1) * sizeof *c->dense);
    for (uint32_t s = 0; s < c->states; s++)
        for (uint32_t g = c->first[s], local = 0; g < c->first[s + 1]; g++) {
            while (c->actions[local] != c->groups[g].action) local++;
            assert(local < c->locals); /* both are in the order of actions */
            c->dense[(size_t)s * c->locals + local] = g + 1;
        }
}

/* The groups that begin here, in the order in which they are to be tried. */
static void fill_scan(const struct plan *p, uint32_t i) {
    struct plan_component *c = &p->component[i];
    uint32_t at = 0;
    c->scan = memory_get((c->first[c->states] + UINT64_C(1)) * sizeof *c->scan);
    c->scanning = memory_get((c->states + UINT64_C(1)) * sizeof *c->scanning);
    for (uint32_t s = 0; s < c->states; s++) {
        uint32_t begin = c->first[s], end = c->first[s + 1];
        c->scanning[s] = at;
        for (uint32_t k = 0; k < end - begin; k++) {
            uint32_t g = p->forward ? begin + k : end - 1 - k;
            uint32_t action = c->groups[g].action;
            if (p->action[action].part[0].component == i && action != p->ender) c->scan[at++] = g;
        }
    }
    assert(at <= c->first[c->states]);
    c->scanning[c->states] = at;
}

static void make_components(struct draft *d, bool ends_seen) {
    struct plan *p = d->p;
    p->component = memory_get_zeroed((p->count + 1) * sizeof *p->component);
    for (uint32_t i = 0; i < p->count; i++) {
        const struct network_component *from = &p->network.component[i];
        struct plan_component *c = &p->component[i];
        c->name = from->name;
        c->states = from->lts.states;
        c->initial = from->lts.initial;
        c->end = from->lts.end;
        c->error = from->lts.error;
        c->has_tau = d->uses[i][LTS_TAU].radix > 0;
        p->can_err |= c->error != LTS_NONE;
    }
    p->can_end = may_end(d);
    p->special = p->can_end || p->can_err;
    lay_out(p);
    if (p->can_end && ends_seen) make_ender(p);
    for (uint32_t i = 0; i < p->count; i++) {
        list_local_actions(d, i);
        fill_component(d, i);
        fill_dense(&p->component[i]);
        fill_scan(p, i);
    }
}

/* ---- All of it ---- */

static void draft_fini(struct draft *d) {
    for (uint32_t i = 0; i < d->p->count; i++) {
        free(d->uses[i]);
        free(d->number[i]);
    }
    for (uint32_t k = 0; k < d->p->network.labels.count; k++) free(d->parts[k]);
    free(d->uses);
    free(d->number);
    free(d->parts);
    free(d->part_count);
    free(d->births);
}

static bool make(struct draft *d, bool ends_seen, struct problem *why) {
    for (uint32_t i = 0; i < d->p->count; i++)
        if (!fill_uses(d, i, why)) return false;
    fill_parts(d);
    if (!make_actions(d, why)) return false;
    make_components(d, ends_seen);
    return true;
}

struct plan *plan_new(struct network *n, bool forward, bool ends_seen, struct problem *why) {
    struct plan *p = memory_get_zeroed(sizeof *p);
    p->network = *n;
    *n = (struct network){0};
    p->count = p->network.count;
    p->forward = forward;
    p->ender = LTS_NONE;
    for (uint32_t k = 0; p->network.low && k < p->network.labels.count; k++) p->has_low |= p->network.low[k];
    struct draft d = {
        .p = p,
        .uses = memory_get_zeroed((p->count + 1) * sizeof *d.uses),
        .number = memory_get_zeroed((p->count + 1) * sizeof *d.number),
        .parts = memory_get_zeroed((p->network.labels.count + 1) * sizeof *d.parts),
        .part_count = memory_get_zeroed((p->network.labels.count + 1) * sizeof *d.part_count),
    };
    bool good = make(&d, ends_seen, why);
    draft_fini(&d);
    if (good) return p;
    plan_free(p);
    return NULL;
}

void plan_free(struct plan *p) {
    if (!p) return;
    for (uint32_t i = 0; p->component && i < p->count; i++) {
        struct plan_component *c = &p->component[i];
        void *all[] = {c->actions, c->first, c->dense, c->scan, c->scanning, c->groups, c->edges};
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) free(all[k]);
    }
    for (uint32_t a = 0; p->action && a < p->actions; a++) free(p->action[a].part);
    free(p->component);
    free(p->action);
    free(p->action_of);
    network_fini(&p->network);
    free(p);
}
