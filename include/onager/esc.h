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
 * Scratch memory, T = number of transitions:
 *     | successors, see engine.h | stamp | found[T] | low[T] | component stack[T] | depth-first stack[T] |
 * obligations | found[t] == stamp means that t was met in this state, so that nothing is cleared between states.
 */
#ifndef ONAGER_ESC_H
#define ONAGER_ESC_H

struct onager_frame {
    uint32_t t;
    uint32_t next, end; /* what is left of its obligations: positions in `obligations`, or transitions if it is `all` */
    uint32_t begin;     /* where its obligations began; ONAGER_ALL: they are all transitions, and not listed */
};
#define ONAGER_ALL UINT32_MAX

/* Where the parts of the scratch memory are. It is made anew for every state: the compiler knows T, and so keeps in
 * registers what little of it is left. */
struct onager_esc {
    uint32_t *stamp;
    uint32_t *found; /* stamp of the state in which it was last met */
    uint32_t *low;   /* Tarjan's number: a position in `stack`; UINT32_MAX when its component is complete */
    uint32_t *stack;
    uint32_t *obligations, *obligations_end;
    struct onager_frame *frames;
};

#define ONAGER_ESC_ROOM (16 * (size_t)onager_model.transitions + 4096)

static size_t onager_scratch_bytes(void) {
    size_t t = onager_model.transitions;
    return ONAGER_SUCCESSOR_BYTES + (1 + 3 * t + ONAGER_ESC_ROOM) * sizeof(uint32_t) + t * sizeof(struct onager_frame);
}

ONAGER_INLINE struct onager_esc onager_esc_of(void *scratch) {
    size_t t = onager_model.transitions;
    uint32_t *at = (uint32_t *)((char *)scratch + ONAGER_SUCCESSOR_BYTES);
    return (struct onager_esc){
        .stamp = at,
        .found = at + 1,
        .low = at + 1 + t,
        .stack = at + 1 + 2 * t,
        .frames = (struct onager_frame *)(at + 1 + 3 * t),
        .obligations = (uint32_t *)((struct onager_frame *)(at + 1 + 3 * t) + t),
        .obligations_end = (uint32_t *)((struct onager_frame *)(at + 1 + 3 * t) + t) + ONAGER_ESC_ROOM,
    };
}

/* A new state: nothing was met in it yet. */
ONAGER_INLINE uint32_t onager_esc_begin(struct onager_esc e) {
    if (__builtin_expect(++*e.stamp == 0, 0)) {
        memset(e.found, 0, onager_model.transitions * sizeof *e.found);
        *e.stamp = 1;
    }
    return *e.stamp;
}

/* Visits every component that the search from `start` completes, until a visit returns other than 0: that is the
 * result. 0: all were visited. -1: a rule names a transition that does not exist; see batch->fault. */
ONAGER_INLINE int onager_esc_search(struct onager_esc e, uint32_t stamp, struct onager_batch *batch, const state *s,
                                    uint32_t start,
                                    int (*visit)(void *context, const uint32_t *members, uint32_t count),
                                    void *context) {
    uint32_t depth = 0, members = 0, used = 0, t = start;
    struct onager_frame *f = e.frames;
    for (;;) {
        /* Enter t: put it on both stacks and fetch its obligations. */
        stubborn set = {e.obligations + used, e.obligations_end, false, UINT32_MAX};
        batch->function = ONAGER_IN_OBLIGATIONS;
        batch->transition = t;
        onager_model.obligations(s, t, &set);
        if (__builtin_expect(set.bad != UINT32_MAX, 0)) {
            batch->fault = ONAGER_BAD_OBLIGATION;
            batch->obligation = set.bad;
            return -1;
        }
        uint32_t end = (uint32_t)(set.list - e.obligations);
        e.found[t] = stamp;
        if (end == used && !set.all) {
            /* A component by itself, which need not be put on the stacks. */
            int result = visit(context, &t, 1);
            e.low[t] = UINT32_MAX;
            if (result || depth == 0) return result;
        } else {
            e.low[t] = members;
            e.stack[members++] = t;
            f = &e.frames[depth++];
            *f = set.all ? (struct onager_frame){t, 0, onager_model.transitions, ONAGER_ALL}
                         : (struct onager_frame){t, used, end, used};
            if (!set.all) used = end;
        }

        /* Go on with the top of the depth-first stack until there is a transition to enter. */
        for (t = UINT32_MAX; t == UINT32_MAX;) {
            uint32_t low = e.low[f->t];
            if (f->next < f->end) {
                uint32_t u = f->begin == ONAGER_ALL ? f->next : e.obligations[f->next];
                f->next++;
                if (e.found[u] != stamp) t = u;
                else if (e.low[u] < low) e.low[f->t] = e.low[u];
                continue;
            }
            if (f->begin != ONAGER_ALL) used = f->begin;
            depth--;
            if (e.stack[low] == f->t) {
                int result = visit(context, e.stack + low, members - low);
                if (result) return result;
                while (members > low) e.low[e.stack[--members]] = UINT32_MAX;
            } else if (low < e.low[f[-1].t]) {
                e.low[f[-1].t] = low;
            }
            if (depth == 0) return 0;
            f--;
        }
    }
}

/* Visits components from all starting points in order. */
ONAGER_INLINE int onager_esc(struct onager_esc e, struct onager_batch *batch, const state *s,
                             int (*visit)(void *context, const uint32_t *members, uint32_t count), void *context) {
    uint32_t stamp = onager_esc_begin(e);
#ifdef ONAGER_FORWARD
    for (uint32_t t = 0; t < onager_model.transitions; t++) {
#else
    for (uint32_t t = onager_model.transitions; t-- > 0;) {
#endif
        if (e.found[t] == stamp) continue;
        int result = onager_esc_search(e, stamp, batch, s, t, visit, context);
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
    int result = onager_esc(onager_esc_of(batch->scratch), batch, from, onager_fire_members, &firing);
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
    onager_esc(onager_esc_of(scratch), &batch, &from, onager_list_members, &listing);
    return listing.count;
}

#endif
