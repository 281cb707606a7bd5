/* esc.h: stubborn sets by the enabled-strong-component search (STOP Section IV; Valmari 1988; Tarjan's algorithm).
 *
 * The obligations of a model define a relation on transitions, "if t is in the set, so must be u". A set that is closed
 * under it and contains an enabled transition satisfies D0, D1 and D2 if the rules are right. The search goes
 * depth-first along the relation. When a strong component is complete, everything that it leads to is complete and has
 * no enabled transition, so the first component with an enabled transition ends the search; what is reachable from it
 * is the stubborn set, and only members of the component itself can be enabled.
 *
 * The published counts depend on the order: starting points by number (from the highest down unless ONAGER_FORWARD),
 * neighbours as the rule lists them, members of a component in the order in which they were found.
 *
 * It is a search of its own, not an instance of src/algo/components_code.h, because it is compiled with the model: it
 * runs in every state, ends at the first component that is enabled, and for up to 62 transitions keeps its sets in
 * registers.
 *
 * The search is recursive by nature, but keeps only what must still be looked at. A transition whose last obligation is
 * entered needs no place of its own: when an older obligation is taken up, everything above its owner on Tarjan's stack
 * has been left.
 *
 * Scratch memory, T = number of transitions:
 *     | successors, see engine.h | base | at[T] | stack[T] | roots[1+T] | pending | owners |
 */
#ifndef ONAGER_ESC_H
#define ONAGER_ESC_H

/* Sets of a few transitions are kept in a word, in registers. */
#define ONAGER_FEW (onager_model.transitions <= 62)
#define ONAGER_ALL_DONE (ONAGER_FEW ? 63 : onager_model.transitions + 1)

/* As an obligation that must still be looked at: t and all higher ones. */
#define ONAGER_ALL_FROM 0x80000000u

/* Transitions are numbered from 1 as they are put on the stack. */
struct onager_esc {
    uint64_t met, roots; /* few: bit t: met in this state; bit n-1: number n is the first of its component so far */
    /* Many: t was met in this state if at[t] > base. The next state has a base above all numbers, so that nothing is
     * cleared between states. The roots are in a list, after a 0. */
    uint32_t base, root_count, *root_list;
    uint32_t *at; /* base + number, or base + ONAGER_ALL_DONE when its component is complete */
    uint32_t *stack;
    /* Obligations that must still be looked at, from index 1 on, and the numbers of the transitions whose they are.
     * Rules put theirs, but the first, right here. The owner of index 0, where there is none, is 0. */
    uint32_t *pending, *owners;
};

#define ONAGER_ESC_ROOM (16 * (size_t)onager_model.transitions + 4096)

static size_t onager_scratch_bytes(void) {
    size_t t = onager_model.transitions;
    return ONAGER_SUCCESSOR_BYTES + (2 + 3 * t + 2 * (t + 1 + ONAGER_ESC_ROOM)) * sizeof(uint32_t);
}

/* For a new state: nothing was met in it yet. */
ONAGER_INLINE struct onager_esc onager_esc_begin(void *scratch) {
    size_t t = onager_model.transitions;
    uint32_t *base = (uint32_t *)((char *)scratch + ONAGER_SUCCESSOR_BYTES);
    struct onager_esc e = {.at = base + 1,
                           .stack = base + 1 + t,
                           .root_list = base + 1 + 2 * t,
                           .pending = base + 2 + 3 * t,
                           .owners = base + 3 + 4 * t + ONAGER_ESC_ROOM};
    if (ONAGER_FEW) return e;
    if (__builtin_expect(*base > UINT32_MAX - 2 * ONAGER_ALL_DONE, 0)) {
        memset(e.at, 0, t * sizeof *e.at);
        *base = 0;
    }
    e.base = *base += ONAGER_ALL_DONE;
    return e;
}

ONAGER_INLINE bool onager_met(const struct onager_esc *e, uint32_t t) {
    return ONAGER_FEW ? e->met >> t & 1 : e->at[t] > e->base;
}

/* The first of t, t+1, ... that was not met, or T. For few transitions, there must be none below t. */
ONAGER_INLINE uint32_t onager_next_unmet(const struct onager_esc *e, uint32_t t) {
    if (ONAGER_FEW) return (uint32_t)__builtin_ctzll(~e->met | UINT64_C(1) << onager_model.transitions);
    while (t < onager_model.transitions && e->at[t] > e->base) t++;
    return t;
}

ONAGER_INLINE void onager_meet(struct onager_esc *e, uint32_t t, uint32_t number) {
    if (ONAGER_FEW) e->met |= UINT64_C(1) << t;
    e->at[t] = e->base + number;
}

ONAGER_INLINE void onager_add_root(struct onager_esc *e, uint32_t number) {
    if (ONAGER_FEW) e->roots |= UINT64_C(1) << (number - 1);
    else e->root_list[++e->root_count] = number;
}

/* The last root, if it is above `number`; else 0. */
ONAGER_INLINE uint32_t onager_root_above(const struct onager_esc *e, uint32_t number) {
    if (ONAGER_FEW) return e->roots >> number ? 64 - (uint32_t)__builtin_clzll(e->roots) : 0;
    return e->root_list[e->root_count] > number ? e->root_list[e->root_count] : 0;
}

/* From `number` on, all is one component, or complete. */
ONAGER_INLINE void onager_drop_roots_above(struct onager_esc *e, uint32_t number) {
    if (ONAGER_FEW) e->roots &= (UINT64_C(1) << number) - 1;
    else
        while (e->root_list[e->root_count] > number) e->root_count--;
}

/* The `count` obligations that were listed after index `pending` are those of number `owner`; what is listed first will
 * be taken up first. Returns the index of the last. None and one, which are frequent, are the same case. */
ONAGER_INLINE uint32_t onager_postpone(struct onager_esc *e, uint32_t pending, uint32_t count, uint32_t owner) {
    e->owners[pending + 1] = owner;
    if (__builtin_expect(count > 1, 0))
        for (uint32_t low = pending + 1, high = pending + count; low <= high; low++, high--) {
            uint32_t t = e->pending[low];
            e->pending[low] = e->pending[high];
            e->pending[high] = t;
            e->owners[low] = e->owners[high] = owner;
        }
    return pending + count;
}

/* Visits every component that the search from `t` completes, until a visit returns other than 0: that is the result. 0:
 * all were visited. -1: a rule names a transition that does not exist; see batch->fault. */
ONAGER_INLINE int onager_esc_search(struct onager_esc *e, struct onager_batch *batch, const state *s, uint32_t t,
                                    int (*visit)(void *context, const uint32_t *members, uint32_t count),
                                    void *context) {
    uint32_t top = 0, pending = 0;
    batch->function = ONAGER_IN_OBLIGATIONS;
    for (;;) {
        if (onager_met(e, t)) {
            onager_drop_roots_above(e, e->at[t] - e->base);
        } else {
            uint32_t *listed = e->pending + pending + 1;
            stubborn set = {ONAGER_NOTHING, listed, e->pending + 1 + ONAGER_ESC_ROOM, UINT32_MAX};
            batch->transition = t;
            onager_model.obligations(s, t, &set);
            if (__builtin_expect(set.bad != UINT32_MAX, 0)) {
                batch->fault = ONAGER_BAD_OBLIGATION;
                batch->obligation = set.bad;
                return -1;
            }
            if (set.first != ONAGER_NOTHING) {
                e->stack[top++] = t;
                onager_meet(e, t, top);
                onager_add_root(e, top);
                if (set.first != ONAGER_ALL) {
                    pending = onager_postpone(e, pending, (uint32_t)(set.list - listed), top);
                    t = set.first;
                    continue;
                }
                onager_drop_roots_above(e, 1);
                e->pending[++pending] = ONAGER_ALL_FROM;
                e->owners[pending] = top;
            } else {
                /* A component by itself, which need not be put on the stack. */
                int result = visit(context, &t, 1);
                if (result) return result;
                batch->function = ONAGER_IN_OBLIGATIONS;
                onager_meet(e, t, ONAGER_ALL_DONE);
            }
        }

        /* Take up an older obligation. */
        do {
            uint32_t owner = e->owners[pending];
            for (uint32_t root; (root = onager_root_above(e, owner)) > 0;) {
                int result = visit(context, e->stack + root - 1, top - root + 1);
                if (result) return result;
                batch->function = ONAGER_IN_OBLIGATIONS;
                onager_drop_roots_above(e, root - 1);
                while (top >= root) e->at[e->stack[--top]] = e->base + ONAGER_ALL_DONE;
            }
            if (pending == 0) return 0;
            t = e->pending[pending];
            if (t >= ONAGER_ALL_FROM) {
                t = onager_next_unmet(e, t - ONAGER_ALL_FROM);
                if (!ONAGER_FEW) e->pending[pending] = ONAGER_ALL_FROM + t;
                if (t < onager_model.transitions) break;
            }
            pending--;
        } while (t == onager_model.transitions);
    }
}

/* Visits components from all starting points in order. */
ONAGER_INLINE int onager_esc(void *scratch, struct onager_batch *batch, const state *s,
                             int (*visit)(void *context, const uint32_t *members, uint32_t count), void *context) {
    struct onager_esc e = onager_esc_begin(scratch);
#ifdef ONAGER_FORWARD
    for (uint32_t t = 0; t < onager_model.transitions; t++) {
#else
    for (uint32_t t = onager_model.transitions; t-- > 0;) {
#endif
        if (onager_met(&e, t)) continue;
        int result = onager_esc_search(&e, batch, s, t, visit, context);
        if (result) return result;
    }
    return 0;
}

/* Firing the members of a component. */
struct onager_firing {
    struct onager_batch *batch;
    const state *from;
    state *s; /* the next successor, a copy of `from` */
    uint32_t *label;
};

ONAGER_INLINE int onager_fire_members(void *context, const uint32_t *members, uint32_t count) {
    struct onager_firing *f = context;
    int some = 0;
    f->batch->function = ONAGER_IN_FIRE;
    for (uint32_t i = 0; i < count; i++) {
        int fired = onager_try(f->batch, f->s, f->from, members[i]);
        if (fired < 0) return -1;
        if (!fired) continue;
        some = 1;
        *f->label++ = members[i];
        onager_copy(++f->s, f->from);
    }
    return some;
}

/* Fires a stubborn set. Returns how many successors there are, or -1. */
ONAGER_INLINE int64_t onager_fire_set(struct onager_batch *batch, const state *from, state *s, uint32_t *label) {
    struct onager_firing firing = {batch, from, s, label};
    onager_copy(s, from);
    int result = onager_esc(batch->scratch, batch, from, onager_fire_members, &firing);
    return result < 0 ? -1 : firing.s - s;
}

struct onager_listing {
    const state *from;
    uint32_t *list, count;
};

ONAGER_INLINE int onager_list_members(void *context, const uint32_t *members, uint32_t count) {
    struct onager_listing *l = context;
    bool enabled = false;
    for (uint32_t i = 0; i < count; i++) {
        state s;
        memcpy(&s, l->from, sizeof s);
        l->list[i] = members[i];
        enabled |= onager_model.fire(&s, members[i]);
    }
    l->count = enabled ? count : 0;
    return enabled;
}

static uint32_t onager_stubborn_set(const uint64_t *words, uint32_t *list, void *scratch) {
    state from;
    onager_unpack(&from, words);
    struct onager_listing listing = {&from, list, 0};
    struct onager_batch batch;
    onager_esc(scratch, &batch, &from, onager_list_members, &listing);
    return listing.count;
}

#endif
