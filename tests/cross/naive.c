/* naive.c: see naive.h. */
#include "naive.h"

#include <stdio.h>
#include <stdlib.h>

static void *allocate(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (!p) {
        fprintf(stderr, "cross: out of memory\n");
        exit(4);
    }
    return p;
}

static void *enlarge(void *old, size_t count, size_t size) {
    void *p = realloc(old, count * size);
    if (!p) {
        fprintf(stderr, "cross: out of memory\n");
        exit(4);
    }
    return p;
}

/* ---- Stubborn sets ----------------------------------------------------------------------------------------------- */

struct search {
    const struct rm_model *model;
    const uint8_t *s;
    int index[RM_MAX_TRANSITIONS]; /* when it was found; -1: not yet */
    int low[RM_MAX_TRANSITIONS];
    bool on_stack[RM_MAX_TRANSITIONS];
    unsigned stack[RM_MAX_TRANSITIONS], height;
    int found;
    unsigned *members, count;
    bool raises;
};

/* The obligations of t, all of them listed. */
static unsigned list_obligations(const struct rm_model *m, const uint8_t *s, unsigned t, unsigned *list) {
    bool all;
    unsigned count = rm_obligations(m, s, t, list, &all);
    if (all)
        for (count = 0; count < m->slots; count++) list[count] = count;
    return count;
}

/* Takes the component of t off the stack. True: it has an enabled transition. */
static bool complete(struct search *c, unsigned t) {
    bool enabled = false;
    unsigned bottom = c->height;
    while (c->stack[--bottom] != t) continue;
    c->count = 0;
    for (unsigned i = bottom; i < c->height; i++) {
        unsigned u = c->stack[i];
        c->on_stack[u] = false;
        c->members[c->count++] = u;
        enabled |= rm_enabled(c->model, c->s, u);
        c->raises |= rm_fire_raises(c->model, c->s, u);
    }
    c->height = bottom;
    return enabled;
}

static bool search_from(struct search *c, unsigned t) {
    unsigned list[RM_MAX_TRANSITIONS + 2];
    unsigned count = list_obligations(c->model, c->s, t, list);
    c->index[t] = c->low[t] = c->found++;
    c->stack[c->height++] = t;
    c->on_stack[t] = true;
    for (unsigned i = 0; i < count; i++) {
        unsigned u = list[i];
        if (c->index[u] < 0) {
            if (search_from(c, u)) return true;
            if (c->low[u] < c->low[t]) c->low[t] = c->low[u];
        } else if (c->on_stack[u] && c->index[u] < c->low[t]) {
            c->low[t] = c->index[u];
        }
    }
    return c->low[t] == c->index[t] && complete(c, t);
}

static unsigned stubborn_set(const struct rm_model *m, const uint8_t *s, bool forward, unsigned *members,
                             bool *raises) {
    struct search c = {.model = m, .s = s, .members = members};
    bool found = false;
    for (unsigned t = 0; t < m->slots; t++) c.index[t] = -1;
    for (unsigned i = 0; i < m->slots && !found; i++) {
        unsigned t = forward ? i : m->slots - 1 - i;
        found = c.index[t] < 0 && search_from(&c, t);
    }
    *raises = c.raises;
    if (!found) c.count = 0;
    return c.count;
}

/* ---- Stubborn sets that preserve must progress, as bit masks ----------------------------------------------------- */

struct seeing {
    const struct rm_model *model;
    const uint8_t *s;
    uint32_t enabled, visible; /* visible: may change must_progress */
};

/* All that a set that contains `set` must have: what its members oblige, and with an enabled visible one, all these. */
static uint32_t closed(const struct seeing *c, uint32_t set) {
    for (uint32_t old = 0; old != set;) {
        old = set;
        for (unsigned t = 0; t < c->model->slots; t++) {
            unsigned list[RM_MAX_TRANSITIONS + 2];
            unsigned count = old >> t & 1 ? list_obligations(c->model, c->s, t, list) : 0;
            for (unsigned i = 0; i < count; i++) set |= UINT32_C(1) << list[i];
        }
        if (set & c->enabled & c->visible) set |= c->visible;
    }
    return set;
}

/* Adds one of `wanted`, unless there is one: the first in order that makes the set grow by fewest enabled ones. */
static uint32_t with_one_of(const struct seeing *c, uint32_t set, uint32_t wanted, bool forward) {
    uint32_t best = set;
    int least = RM_MAX_TRANSITIONS + 1;
    if (set & wanted) return set;
    for (unsigned i = 0; i < c->model->slots; i++) {
        unsigned t = forward ? i : c->model->slots - 1 - i;
        if (!(wanted >> t & 1)) continue;
        uint32_t larger = closed(c, set | UINT32_C(1) << t);
        int more = __builtin_popcount(larger & ~set & c->enabled);
        if (more >= least) continue;
        least = more;
        best = larger;
    }
    return best;
}

static unsigned seeing_set(const struct rm_model *m, const uint8_t *s, bool forward, unsigned *members, bool *raises) {
    struct seeing c = {.model = m, .s = s};
    unsigned count = 0;
    *raises = false;
    for (unsigned t = 0; t < m->slots; t++) {
        if (rm_enabled(m, s, t)) c.enabled |= UINT32_C(1) << t;
        if (rm_may_change(m, &m->must, t)) c.visible |= UINT32_C(1) << t;
        *raises |= rm_fire_raises(m, s, t);
    }
    uint32_t set =
        rm_holds(m, &m->must, s) ? closed(&c, c.visible) : with_one_of(&c, 0, c.enabled & ~c.visible, forward);
    set = with_one_of(&c, set, c.enabled, forward);
    for (unsigned i = 0; i < m->slots; i++) {
        unsigned t = forward ? i : m->slots - 1 - i;
        if (set >> t & 1) members[count++] = t;
    }
    return count;
}

/* ---- Graphs ------------------------------------------------------------------------------------------------------ */

static uint32_t slot_of(const struct naive_graph *g, const uint8_t *s) {
    uint64_t hash = 1469598103934665603u;
    for (unsigned i = 0; i < RM_VARS; i++) hash = (hash ^ s[i]) * 1099511628211u;
    uint32_t at = (uint32_t)(hash >> 20) % g->table_size;
    while (g->table[at] && memcmp(g->state[g->table[at] - 1], s, RM_VARS) != 0) at = (at + 1) % g->table_size;
    return at;
}

uint32_t naive_find(const struct naive_graph *g, const uint8_t *s) { return g->table[slot_of(g, s)] - 1; }

static uint32_t add_state(struct naive_graph *g, const uint8_t *s, uint32_t depth) {
    uint32_t at = slot_of(g, s);
    if (g->table[at]) return g->table[at] - 1;
    uint32_t n = g->states++;
    g->table[at] = n + 1;
    memcpy(g->state[n], s, RM_VARS);
    g->depth_of[n] = depth;
    if (depth > g->depth) g->depth = depth;
    if (2 * g->states < g->table_size) return n;
    g->table_size *= 2;
    free(g->table);
    g->table = allocate(g->table_size, sizeof *g->table);
    g->state = enlarge(g->state, g->table_size, RM_VARS);
    g->depth_of = enlarge(g->depth_of, g->table_size, sizeof *g->depth_of);
    for (uint32_t i = 0; i < g->states; i++) g->table[slot_of(g, g->state[i])] = i + 1;
    return n;
}

/* Which transitions to try in s. */
static unsigned transitions_of(const struct naive_graph *g, const uint8_t *s, unsigned *list, bool *raises) {
    const struct rm_model *m = g->model;
    if (g->mode.must) return seeing_set(m, s, g->mode.forward, list, raises);
    if (g->mode.stubborn) return stubborn_set(m, s, g->mode.forward, list, raises);
    *raises = false;
    for (unsigned i = 0; i < m->slots; i++) {
        list[i] = g->mode.forward ? i : m->slots - 1 - i;
        *raises |= rm_fire_raises(m, s, i);
    }
    return m->slots;
}

static uint8_t flags_of(const struct rm_model *m, const uint8_t *s, bool terminal, bool raises) {
    unsigned flags = 0;
    if (rm_holds(m, &m->bad, s)) flags |= NAIVE_BAD;
    if (rm_holds(m, &m->may, s)) flags |= NAIVE_MAY;
    if (rm_holds(m, &m->must, s)) flags |= NAIVE_MUST;
    if (raises) flags |= NAIVE_RAISES_FIRE;
    if (rm_check_raises(m, s, RM_RAISE_CHECK_STATE)) flags |= NAIVE_RAISES_STATE;
    if (!terminal) return (uint8_t)flags;
    flags |= NAIVE_TERMINAL;
    if (!rm_holds(m, &m->may_end, s)) flags |= NAIVE_ILLEGAL_END;
    if (rm_check_raises(m, s, RM_RAISE_CHECK_DEADLOCK)) flags |= NAIVE_RAISES_END;
    return (uint8_t)flags;
}

void naive_build(struct naive_graph *g, const struct rm_model *m, struct naive_mode mode) {
    uint32_t room = 0;
    uint8_t s[RM_VARS];
    memset(g, 0, sizeof *g);
    g->model = m;
    g->mode = mode;
    g->table_size = 64;
    g->table = allocate(g->table_size, sizeof *g->table);
    g->state = allocate(g->table_size, RM_VARS);
    g->depth_of = allocate(g->table_size, sizeof *g->depth_of);
    memcpy(s, m->initial, RM_VARS);
    if (mode.symmetry) rm_symmetry(m, s);
    add_state(g, s, 0);
    for (uint32_t i = 0; i < g->states; i++) {
        unsigned list[RM_MAX_TRANSITIONS];
        bool raises;
        memcpy(s, g->state[i], RM_VARS);
        unsigned count = transitions_of(g, s, list, &raises);
        uint32_t before = g->edges;
        if (room < g->edges + RM_MAX_TRANSITIONS) {
            room = 2 * room + 256;
            g->edge = enlarge(g->edge, room, sizeof *g->edge);
        }
        for (unsigned k = 0; k < count; k++) {
            uint8_t next[RM_VARS];
            memcpy(next, s, RM_VARS);
            if (!rm_fire(m, next, list[k])) continue;
            if (mode.symmetry) rm_symmetry(m, next);
            g->edge[g->edges++] = (struct naive_edge){i, add_state(g, next, g->depth_of[i] + 1), (uint8_t)list[k]};
        }
        g->flags = enlarge(g->flags, g->states, 1);
        g->flags[i] = flags_of(m, s, g->edges == before, raises);
    }
    g->first_edge = allocate(g->states + 1, sizeof *g->first_edge);
    for (uint32_t e = g->edges; e-- > 0;) g->first_edge[g->edge[e].from] = e;
    g->first_edge[g->states] = g->edges;
    for (uint32_t i = g->states; i-- > 0;)
        if (g->flags[i] & NAIVE_TERMINAL) g->first_edge[i] = g->first_edge[i + 1];
}

void naive_free(struct naive_graph *g) {
    free(g->table);
    free(g->state);
    free(g->depth_of);
    free(g->flags);
    free(g->edge);
    free(g->first_edge);
}

/* ---- Questions, by repetition ------------------------------------------------------------------------------------ */

bool *naive_can_reach(const struct naive_graph *g, unsigned flags) {
    bool *can = allocate(g->states, sizeof *can);
    bool changed = true;
    for (uint32_t i = 0; i < g->states; i++) can[i] = (g->flags[i] & flags) != 0;
    while (changed) {
        changed = false;
        for (uint32_t e = g->edges; e-- > 0;)
            if (can[g->edge[e].to] && !can[g->edge[e].from]) can[g->edge[e].from] = changed = true;
    }
    return can;
}

/* Removes states from which no remaining edge leads to a remaining state, until none is left or all have one. */
bool naive_cycle_avoiding(const struct naive_graph *g, unsigned flags) {
    bool *there = allocate(g->states, sizeof *there), *leads = allocate(g->states, sizeof *leads);
    uint32_t left = 0, old;
    for (uint32_t i = 0; i < g->states; i++) left += there[i] = !(g->flags[i] & flags);
    do {
        old = left;
        left = 0;
        memset(leads, 0, g->states * sizeof *leads);
        for (uint32_t e = 0; e < g->edges; e++)
            if (there[g->edge[e].from] && there[g->edge[e].to]) leads[g->edge[e].from] = true;
        for (uint32_t i = 0; i < g->states; i++) left += there[i] = there[i] && leads[i];
    } while (left != old);
    free(there);
    free(leads);
    return left > 0;
}

/* Is `to` reachable from `from` along edges whose labels are not in `without`? `seen` and `stack` have room for all. */
static bool leads_to(const struct naive_graph *g, uint32_t from, uint32_t to, uint32_t without, bool *seen,
                     uint32_t *stack) {
    uint32_t height = 0;
    memset(seen, 0, g->states * sizeof *seen);
    stack[height++] = from;
    seen[from] = true;
    while (height > 0) {
        uint32_t i = stack[--height];
        if (i == to) return true;
        for (uint32_t e = g->first_edge[i]; e < g->first_edge[i + 1]; e++) {
            uint32_t j = g->edge[e].to;
            if (seen[j] || without >> g->edge[e].label & 1) continue;
            seen[j] = true;
            stack[height++] = j;
        }
    }
    return false;
}

bool naive_infinitely(const struct naive_graph *g, unsigned often, uint32_t rarely) {
    bool *seen = allocate(g->states, sizeof *seen), found = false;
    uint32_t *stack = allocate(g->states, sizeof *stack);
    for (uint32_t e = 0; e < g->edges && !found; e++)
        found = g->edge[e].label == often && !(rarely >> often & 1) &&
                leads_to(g, g->edge[e].to, g->edge[e].from, rarely, seen, stack);
    free(seen);
    free(stack);
    return found;
}

/* ---- The same questions, literally ------------------------------------------------------------------------------- */

/* reach[i * states + j]: j can be reached from i in 1 or more steps through states without `flags` and without edges in
 * `without`. Warshall's algorithm. */
static bool *closure_of(const struct naive_graph *g, unsigned flags, uint32_t without) {
    uint32_t n = g->states;
    bool *reach = allocate((size_t)n * n, sizeof *reach);
    for (uint32_t e = 0; e < g->edges; e++) {
        const struct naive_edge *d = &g->edge[e];
        if (without >> d->label & 1 || (g->flags[d->from] | g->flags[d->to]) & flags) continue;
        reach[(size_t)d->from * n + d->to] = true;
    }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            if (reach[(size_t)i * n + k])
                for (uint32_t j = 0; j < n; j++) reach[(size_t)i * n + j] |= reach[(size_t)k * n + j];
    return reach;
}

const char *naive_self_check(const struct naive_graph *g, unsigned often, uint32_t rarely) {
    if (g->states > NAIVE_SMALL) return NULL;
    const char *complaint = NULL;
    uint32_t n = g->states;
    bool *all = closure_of(g, 0, 0);
    static const unsigned goals[] = {NAIVE_TERMINAL, NAIVE_MAY, NAIVE_MAY | NAIVE_TERMINAL};
    for (unsigned k = 0; k < 3; k++) {
        bool *can = naive_can_reach(g, goals[k]);
        for (uint32_t i = 0; i < n; i++) {
            bool literally = (g->flags[i] & goals[k]) != 0;
            for (uint32_t j = 0; j < n && !literally; j++)
                literally = all[(size_t)i * n + j] && (g->flags[j] & goals[k]);
            if (literally != can[i]) complaint = "naive_can_reach is wrong";
        }
        free(can);
    }
    bool *avoiding = closure_of(g, NAIVE_MUST, 0), cycle = false;
    for (uint32_t i = 0; i < n; i++) cycle |= avoiding[(size_t)i * n + i];
    if (cycle != naive_cycle_avoiding(g, NAIVE_MUST)) complaint = "naive_cycle_avoiding is wrong";
    bool *without = closure_of(g, 0, rarely), occurs = false;
    for (uint32_t e = 0; e < g->edges; e++) {
        uint32_t from = g->edge[e].from, to = g->edge[e].to;
        if (g->edge[e].label != often || rarely >> often & 1) continue;
        occurs |= from == to || without[(size_t)to * n + from];
    }
    if (occurs != naive_infinitely(g, often, rarely)) complaint = "naive_infinitely is wrong";
    free(all);
    free(avoiding);
    free(without);
    return complaint;
}

/* ---- Audits ------------------------------------------------------------------------------------------------------ */

static bool fire_copy(const struct rm_model *m, const uint8_t *s, unsigned t, uint8_t *next) {
    memcpy(next, s, RM_VARS);
    return rm_fire(m, next, t);
}

/* The set that contains t and all that is obliged in s. */
static uint32_t forced_by(const struct rm_model *m, const uint8_t *s, unsigned t) {
    uint32_t set = UINT32_C(1) << t, old = 0;
    while (old != set) {
        old = set;
        for (unsigned u = 0; u < m->slots; u++) {
            unsigned list[RM_MAX_TRANSITIONS + 2];
            unsigned count = old >> u & 1 ? list_obligations(m, s, u, list) : 0;
            for (unsigned i = 0; i < count; i++) set |= UINT32_C(1) << list[i];
        }
    }
    return set;
}

/* Conditions on one member t of the set of s, in one state x that words of outside transitions lead to. */
static const char *audit_pair(const struct rm_model *m, const uint8_t *s, const uint8_t *x, uint32_t set, unsigned t) {
    uint8_t y[RM_VARS];
    bool now = fire_copy(m, x, t, y);
    if (!rm_enabled(m, s, t)) return now ? "D1: a disabled member becomes enabled" : NULL;
    if (!now) return "D2: an enabled member becomes disabled";
    for (unsigned u = 0; u < m->slots; u++) {
        uint8_t xu[RM_VARS], xut[RM_VARS], yu[RM_VARS];
        if (set >> u & 1 || !fire_copy(m, x, u, xu)) continue;
        if (!fire_copy(m, y, u, yu)) return "D1: a member disables an outside transition";
        if (fire_copy(m, xu, t, xut) && memcmp(xut, yu, RM_VARS) != 0) return "D1: the order makes a difference";
    }
    /* The check as an imaginary transition: it must not be lost on the way, unless the search has ended before. */
    if (!rm_holds(m, &m->bad, s) && rm_holds(m, &m->bad, x) && !rm_holds(m, &m->bad, y)) return "the check is lost";
    return NULL;
}

static const char *audit_set(const struct naive_graph *full, uint32_t s, uint32_t set, bool *seen, uint32_t *queue) {
    const struct rm_model *m = full->model;
    uint32_t head = 0, tail = 0;
    memset(seen, 0, full->states * sizeof *seen);
    seen[s] = true;
    queue[tail++] = s;
    while (head < tail) {
        uint32_t x = queue[head++];
        for (unsigned t = 0; t < m->slots; t++) {
            const char *what = set >> t & 1 ? audit_pair(m, full->state[s], full->state[x], set, t) : NULL;
            if (what) return what;
        }
        for (uint32_t e = full->first_edge[x]; e < full->first_edge[x + 1]; e++) {
            uint32_t y = full->edge[e].to;
            if (seen[y] || set >> full->edge[e].label & 1) continue;
            seen[y] = true;
            queue[tail++] = y;
        }
    }
    return NULL;
}

const char *naive_audit_obligations(const struct naive_graph *full) {
    const char *what = NULL;
    bool *seen = allocate(full->states, sizeof *seen);
    uint32_t *queue = allocate(full->states, sizeof *queue);
    for (uint32_t i = 0; i < full->states && !what; i++)
        for (unsigned t = 0; t < full->model->slots && !what; t++)
            what = audit_set(full, i, forced_by(full->model, full->state[i], t), seen, queue);
    free(seen);
    free(queue);
    return what;
}

const char *naive_audit_used(const struct naive_graph *full, const struct naive_graph *reduced) {
    const char *what = NULL;
    const struct rm_model *m = full->model;
    bool *seen = allocate(full->states, sizeof *seen), raises;
    uint32_t *queue = allocate(full->states, sizeof *queue);
    for (uint32_t i = 0; i < reduced->states && !what; i++) {
        unsigned members[RM_MAX_TRANSITIONS];
        unsigned count = stubborn_set(m, reduced->state[i], reduced->mode.forward, members, &raises);
        uint32_t set = 0;
        for (unsigned k = 0; k < count; k++) set |= forced_by(m, reduced->state[i], members[k]);
        if (count) what = audit_set(full, naive_find(full, reduced->state[i]), set, seen, queue);
    }
    free(seen);
    free(queue);
    return what;
}

static int compare_states(const void *a, const void *b) { return memcmp(a, b, RM_VARS); }

/* The representatives of the successors of s, sorted, without repetitions. */
static unsigned represented_successors(const struct rm_model *m, const uint8_t *s, uint8_t (*list)[RM_VARS]) {
    unsigned count = 0, kept = 0;
    for (unsigned t = 0; t < m->slots; t++)
        if (fire_copy(m, s, t, list[count])) rm_symmetry(m, list[count++]);
    qsort(list, count, RM_VARS, compare_states);
    for (unsigned i = 0; i < count; i++)
        if (i == 0 || memcmp(list[i], list[kept - 1], RM_VARS) != 0) memmove(list[kept++], list[i], RM_VARS);
    return kept;
}

const char *naive_audit_symmetry(const struct naive_graph *full, bool declared) {
    const struct rm_model *m = full->model;
    unsigned compared = NAIVE_BAD | NAIVE_ILLEGAL_END | (declared ? NAIVE_MAY | NAIVE_MUST : 0);
    for (uint32_t i = 0; i < full->states; i++) {
        uint8_t of_s[RM_MAX_TRANSITIONS][RM_VARS], of_r[RM_MAX_TRANSITIONS][RM_VARS], r[RM_VARS];
        memcpy(r, full->state[i], RM_VARS);
        rm_symmetry(m, r);
        unsigned n = represented_successors(m, full->state[i], of_s), k = represented_successors(m, r, of_r);
        if (n != k || memcmp(of_s, of_r, n * RM_VARS) != 0) return "successors are not represented";
        if ((full->flags[i] ^ flags_of(m, r, k == 0, false)) & compared) return "a check differs";
    }
    return NULL;
}

/* The smallest state that a permutation of processes makes of s. */
static void smallest_image(const struct rm_model *m, const uint8_t *s, uint8_t *smallest) {
    unsigned count = m->processes, total = 1;
    memcpy(smallest, s, RM_VARS);
    for (unsigned i = 2; i <= count; i++) total *= i;
    for (unsigned number = 0; number < total; number++) {
        unsigned free_places[RM_PROCESSES] = {0, 1, 2, 3}, rest = number;
        uint8_t image[RM_VARS];
        memcpy(image, s, RM_VARS);
        for (unsigned p = 0; p < count; p++) {
            unsigned pick = rest % (count - p), q = free_places[pick];
            rest /= count - p;
            memmove(&free_places[pick], &free_places[pick + 1], (RM_PROCESSES - 1 - pick) * sizeof free_places[0]);
            image[RM_PC + q] = s[RM_PC + p];
            image[RM_LOCAL + q] = s[RM_LOCAL + p];
            if (m->turn && s[RM_TURN] == p) image[RM_TURN] = (uint8_t)q;
        }
        if (memcmp(image, smallest, RM_VARS) < 0) memcpy(smallest, image, RM_VARS);
    }
}

uint32_t naive_orbits(const struct naive_graph *full) {
    uint8_t(*images)[RM_VARS] = allocate(full->states, RM_VARS);
    uint32_t count = 0;
    for (uint32_t i = 0; i < full->states; i++) smallest_image(full->model, full->state[i], images[i]);
    qsort(images, full->states, RM_VARS, compare_states);
    for (uint32_t i = 0; i < full->states; i++) count += i == 0 || memcmp(images[i], images[i - 1], RM_VARS) != 0;
    free(images);
    return count;
}
