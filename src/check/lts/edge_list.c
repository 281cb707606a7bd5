#include "check/lts/edge_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void edge_list_fini(struct edge_list *l) {
    free(l->edges);
    free(l->runs);
    *l = (struct edge_list){0};
}

void edge_list_begin(struct edge_list *l, uint32_t state) {
    if (state >= l->state_room) {
        l->state_room = l->state_room ? l->state_room + l->state_room / 2 : 1024;
        l->runs = memory_resize(l->runs, l->state_room * sizeof *l->runs);
    }
    if (state == l->states) l->states++;
    l->runs[state] = (struct edge_run){l->count, 0};
}

void edge_list_add(struct edge_list *l, uint32_t state, uint32_t action, uint32_t target) {
    if (l->count == l->room) {
        l->room = l->room ? l->room + l->room / 2 : 4096;
        l->edges = memory_resize(l->edges, l->room * sizeof *l->edges);
    }
    l->edges[l->count++] = (struct listed_edge){action, target};
    l->runs[state].count++;
}

/* Tarjan's algorithm, path-based: open[] holds the states of incomplete components in the order of meeting, roots[] the
 * places where the components that are known so far begin. */
struct tarjan {
    const struct edge_list *l;
    uint32_t *place;     /* 0: not met; else its place in open[] + 1, until the component is complete */
    uint32_t *component; /* the result; UINT32_MAX: not complete */
    uint32_t *open, open_count;
    uint32_t *roots, root_count;
    struct step {
        uint32_t state, next;
    } * path;
    uint32_t depth;
    uint32_t components;
};

static void enter(struct tarjan *t, uint32_t state) {
    t->path[t->depth++] = (struct step){state, 0};
    t->open[t->open_count++] = state;
    t->place[state] = t->open_count;
    t->roots[t->root_count++] = t->open_count;
}

static void leave(struct tarjan *t) {
    uint32_t place = t->place[t->path[--t->depth].state];
    if (t->roots[t->root_count - 1] != place) return;
    t->root_count--;
    while (t->open_count >= place) t->component[t->open[--t->open_count]] = t->components;
    t->components++;
}

static void search_from(struct tarjan *t, uint32_t start) {
    enter(t, start);
    while (t->depth > 0) {
        struct step *s = &t->path[t->depth - 1];
        const struct edge_run *run = &t->l->runs[s->state];
        if (s->next == run->count) {
            leave(t);
            continue;
        }
        uint32_t to = t->l->edges[run->begin + s->next++].target;
        if (t->place[to] == 0) enter(t, to);
        else if (t->component[to] == UINT32_MAX)
            while (t->roots[t->root_count - 1] > t->place[to]) t->root_count--;
    }
}

uint32_t *edge_list_components(const struct edge_list *l, uint32_t *count) {
    size_t n = l->states + UINT64_C(1);
    struct tarjan t = {
        .l = l,
        .place = memory_get_zeroed(n * sizeof *t.place),
        .component = memory_get(n * sizeof *t.component),
        .open = memory_get(n * sizeof *t.open),
        .roots = memory_get(n * sizeof *t.roots),
        .path = memory_get(n * sizeof *t.path),
    };
    memset(t.component, 0xff, n * sizeof *t.component);
    for (uint32_t s = 0; s < l->states; s++)
        if (t.place[s] == 0) search_from(&t, s);
    free(t.place);
    free(t.open);
    free(t.roots);
    free(t.path);
    *count = t.components;
    return t.component;
}
