/* The deletion algorithm: begin with a closed set, and try to leave out one enabled action after the other, each time
 * with all that cannot stay without it.
 *
 * What an action needs is an alternative: a list of vertices that must be there. An enabled action has one, a disabled
 * one has one for each component that disables it. A vertex can stay as long as one of its alternatives is whole. If
 * leaving out an action would leave no enabled action at all, it is put back, and stays for good: what is left out
 * later only makes it harder to do without it. So in the end no enabled action can be left out of the set. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/net/stubborn_search.h"

enum { NONE = UINT32_MAX };

struct alternative {
    uint32_t owner; /* index of a vertex */
    bool broken;
};

/* A vertex of the set that the algorithm begins with. */
struct vertex {
    uint32_t name;
    uint32_t uses;  /* the first place where it stands in an alternative, or NONE */
    uint32_t whole; /* alternatives that are not broken */
    bool enabled, out;
};

struct use {
    uint32_t alternative, next; /* the next place with the same vertex, or NONE */
};

struct deletion {
    uint32_t *index, *stamp, now; /* by vertex of the network: its index here, if the stamp is that of now */
    struct vertex *vertices;
    uint32_t count;
    struct alternative *alternatives;
    uint32_t alternative_count, alternative_room;
    struct use *uses;
    uint32_t use_count, use_room;
    struct actions list;         /* obligations of one vertex */
    struct actions gone, breaks; /* what was done since the last attempt began */
    uint32_t enabled_left;
};

struct deletion *deletion_new(const struct stubborn *s) {
    struct deletion *x = memory_get_zeroed(sizeof *x);
    x->index = memory_get(s->vertices * sizeof *x->index);
    x->stamp = memory_get_zeroed(s->vertices * sizeof *x->stamp);
    x->vertices = memory_get(s->vertices * sizeof *x->vertices);
    return x;
}

void deletion_free(struct deletion *x) {
    if (!x) return;
    void *all[] = {x->index, x->stamp, x->vertices, x->alternatives, x->uses, x->list.at, x->gone.at, x->breaks.at, x};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) free(all[k]);
}

/* ---- The set to begin with, and who needs what ---- */

static uint32_t index_of(struct stubborn_search *d, struct deletion *x, uint32_t v) {
    if (x->stamp[v] == x->now) return x->index[v];
    x->stamp[v] = x->now;
    x->index[v] = x->count;
    x->vertices[x->count] = (struct vertex){.name = v, .uses = NONE, .enabled = is_enabled(d, v)};
    x->enabled_left += x->vertices[x->count].enabled;
    return x->count++;
}

static void add_alternative(struct stubborn_search *d, struct deletion *x, uint32_t owner, const uint32_t *list,
                            uint32_t count) {
    if (x->alternative_count == x->alternative_room) {
        x->alternative_room = x->alternative_room ? 2 * x->alternative_room : 256;
        x->alternatives = memory_resize(x->alternatives, x->alternative_room * sizeof *x->alternatives);
    }
    uint32_t number = x->alternative_count++;
    x->alternatives[number] = (struct alternative){owner, false};
    x->vertices[owner].whole++;
    for (uint32_t k = 0; k < count; k++) {
        if (is_frozen(d, list[k])) continue;
        uint32_t to = index_of(d, x, list[k]);
        if (x->use_count == x->use_room) {
            x->use_room = x->use_room ? 2 * x->use_room : 1024;
            x->uses = memory_resize(x->uses, x->use_room * sizeof *x->uses);
        }
        x->uses[x->use_count] = (struct use){number, x->vertices[to].uses};
        x->vertices[to].uses = x->use_count++;
    }
}

static void add_alternatives(struct stubborn_search *d, struct deletion *x, uint32_t index) {
    uint32_t v = x->vertices[index].name, count;
    struct obliged o;
    if (v >= d->p->actions) {
        const uint32_t *list = pseudo_obligations(d, v - d->p->actions, &count);
        add_alternative(d, x, index, list, count);
        return;
    }
    rules_obliged(d->rules, d->locals, v, &o);
    x->list.count = 0;
    for (uint32_t k = 0; k < o.count; k++)
        if (o.enabled) actions_add_all(&x->list, o.list[k].at, o.list[k].count);
        else add_alternative(d, x, index, o.list[k].at, o.list[k].count);
    if (!o.enabled) return;
    add_rules(d, v, &x->list);
    add_alternative(d, x, index, x->list.at, x->list.count);
}

/* All that the starting points may need in any way. */
static void gather(struct stubborn_search *d, struct deletion *x) {
    const struct stubborn *s = d->s;
    const struct actions *all = s->starts_visible ? NULL : enabled_actions(d);
    const uint32_t *starts = all ? all->at : s->watched;
    uint32_t count = all ? all->count : s->watched_count;
    x->count = x->alternative_count = x->use_count = x->enabled_left = 0;
    if (++x->now == 0) {
        memset(x->stamp, 0, s->vertices * sizeof *x->stamp);
        x->now = 1;
    }
    for (uint32_t k = 0; k < count; k++)
        if (!is_frozen(d, starts[k])) index_of(d, x, starts[k]);
    for (uint32_t k = 0; k < x->count; k++) add_alternatives(d, x, k);
}

/* ---- Leaving out ---- */

static void take_out(struct deletion *x, uint32_t index) {
    assert(!x->vertices[index].out && x->enabled_left >= x->vertices[index].enabled);
    x->vertices[index].out = true;
    x->enabled_left -= x->vertices[index].enabled;
    actions_add(&x->gone, index);
}

/* Takes out a vertex and all that cannot stay. False: no enabled action would be left; it may have stopped half-way. */
static bool leave_out(struct deletion *x, uint32_t index) {
    x->gone.count = x->breaks.count = 0;
    take_out(x, index);
    for (uint32_t k = 0; k < x->gone.count && x->enabled_left > 0; k++)
        for (uint32_t u = x->vertices[x->gone.at[k]].uses; u != NONE; u = x->uses[u].next) {
            struct alternative *a = &x->alternatives[x->uses[u].alternative];
            if (a->broken) continue;
            a->broken = true;
            actions_add(&x->breaks, x->uses[u].alternative);
            assert(x->vertices[a->owner].whole > 0);
            if (--x->vertices[a->owner].whole == 0 && !x->vertices[a->owner].out) take_out(x, a->owner);
        }
    return x->enabled_left > 0;
}

static void put_back(struct deletion *x) {
    for (uint32_t k = 0; k < x->breaks.count; k++) {
        struct alternative *a = &x->alternatives[x->breaks.at[k]];
        a->broken = false;
        x->vertices[a->owner].whole++;
    }
    for (uint32_t k = 0; k < x->gone.count; k++) {
        x->vertices[x->gone.at[k]].out = false;
        x->enabled_left += x->vertices[x->gone.at[k]].enabled;
    }
}

void deletion_run(struct stubborn_search *d) {
    struct deletion *x = d->deletion;
    gather(d, x);
    for (uint32_t k = 0; k < x->count && x->enabled_left > 1; k++)
        if (x->vertices[k].enabled && !x->vertices[k].out && !leave_out(x, k)) put_back(x);
    for (uint32_t k = 0; k < x->count; k++) {
        if (x->vertices[k].out) continue;
        actions_add(&d->chosen, x->vertices[k].name);
        if (x->vertices[k].enabled) actions_add(&d->enabled, x->vertices[k].name);
    }
    assert(d->enabled.count == x->enabled_left);
}
