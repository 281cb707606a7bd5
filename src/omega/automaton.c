#include "omega/automaton.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void *copy_of(const void *data, size_t bytes) {
    void *copy = memory_get(bytes + 1);
    if (bytes) memcpy(copy, data, bytes);
    return copy;
}

static void start_names(struct names *to, const struct names *from) {
    if (from) names_copy(to, from);
    else names_init(to);
}

static int compare(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

/* ---- Labels on edges ---- */

void ba_fini(struct ba *a) {
    names_fini(&a->propositions);
    free(a->initial);
    free(a->accept);
    free(a->first);
    free(a->edge);
    *a = (struct ba){0};
}

void ba_copy(struct ba *to, const struct ba *from) {
    *to = *from;
    names_copy(&to->propositions, &from->propositions);
    to->initial = copy_of(from->initial, from->initials * sizeof *from->initial);
    to->accept = copy_of(from->accept, from->states * sizeof *from->accept);
    to->first = copy_of(from->first, (from->states + 1) * sizeof *from->first);
    to->edge = copy_of(from->edge, from->edges * sizeof *from->edge);
}

void ba_build(struct ba_builder *b, const struct names *propositions) {
    *b = (struct ba_builder){0};
    start_names(&b->propositions, propositions);
}

void ba_build_drop(struct ba_builder *b) {
    names_fini(&b->propositions);
    free(b->accept);
    free(b->initial);
    free(b->edge);
    *b = (struct ba_builder){0};
}

uint32_t ba_build_state(struct ba_builder *b, unsigned accept) {
    MAKE_ROOM(b->accept, b->states, b->state_room);
    b->accept[b->states] = (uint8_t)accept;
    return b->states++;
}

void ba_build_initial(struct ba_builder *b, uint32_t state) {
    MAKE_ROOM(b->initial, b->initials, b->initial_room);
    b->initial[b->initials++] = state;
}

void ba_build_edge(struct ba_builder *b, uint32_t source, struct cube label, uint64_t marks, uint32_t target) {
    MAKE_ROOM(b->edge, b->edges, b->edge_room);
    assert(!(label.value & ~label.care)); /* so that equal labels are equal */
    b->edge[b->edges++] = (struct ba_built){source, {label, marks, target}};
}

static int by_source_and_target(const void *x, const void *y) {
    const struct ba_built *a = x, *b = y;
    int c = compare(a->source, b->source);
    if (c == 0) c = compare(a->edge.target, b->edge.target);
    if (c == 0) c = compare(a->edge.marks, b->edge.marks);
    if (c == 0) c = compare(a->edge.label.care, b->edge.label.care);
    if (c == 0) c = compare(a->edge.label.value, b->edge.label.value);
    return c;
}

static int by_number(const void *x, const void *y) { return compare(*(const uint32_t *)x, *(const uint32_t *)y); }

static uint32_t sort_numbers(uint32_t *at, uint32_t n) {
    uint32_t kept = 0;
    if (n) qsort(at, n, sizeof *at, by_number);
    for (uint32_t i = 0; i < n; i++)
        if (i == 0 || at[i] != at[kept - 1]) at[kept++] = at[i];
    return kept;
}

/* One cover of labels for each group of edges that differ in nothing else. */
static void add_groups(const struct ba_builder *b, struct ba *a) {
    struct cubes label = {0};
    a->edge = memory_get((b->edges + 1) * sizeof *a->edge);
    for (uint32_t i = 0; i < b->edges;) {
        const struct ba_built *group = b->edge + i;
        label.count = 0;
        for (; i < b->edges && b->edge[i].source == group->source && b->edge[i].edge.target == group->edge.target &&
               b->edge[i].edge.marks == group->edge.marks;
             i++)
            cubes_add(&label, b->edge[i].edge.label);
        assert(group->source < b->states && group->edge.target < b->states && !(group->edge.marks & ~ba_all_sets(a)));
        cubes_simplify(&label);
        for (uint32_t k = 0; k < label.count; k++) {
            a->edge[a->edges] = group->edge;
            a->edge[a->edges++].label = label.at[k];
            a->first[group->source + 1]++;
        }
    }
    cubes_fini(&label);
}

void ba_build_finish(struct ba_builder *b, struct ba *a) {
    *a = (struct ba){.propositions = b->propositions,
                     .states = b->states,
                     .sets = b->by_state ? 1 : b->sets,
                     .by_state = b->by_state,
                     .accept = b->accept ? b->accept : memory_get(1),
                     .initial = b->initial ? b->initial : memory_get(1)};
    a->initials = sort_numbers(a->initial, b->initials);
    assert(a->initials == 0 || a->initial[a->initials - 1] < a->states);
    if (b->by_state)
        for (uint32_t i = 0; i < b->edges; i++) b->edge[i].edge.marks = a->accept[b->edge[i].source] & ACCEPT_INFINITE;
    else
        for (uint32_t s = 0; s < a->states; s++) a->accept[s] &= (uint8_t)~ACCEPT_INFINITE;
    a->first = memory_get_zeroed((b->states + 1) * sizeof *a->first);
    if (b->edges) qsort(b->edge, b->edges, sizeof *b->edge, by_source_and_target);
    add_groups(b, a);
    for (uint32_t s = 0; s < a->states; s++) a->first[s + 1] += a->first[s];
    assert(a->first[a->states] == a->edges);
    free(b->edge);
    *b = (struct ba_builder){0};
}

bool ba_deterministic(const struct ba *a) {
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++)
            for (const struct ba_edge *f = e + 1; f < ba_end(a, s); f++)
                if (e->target != f->target && cube_meets(e->label, f->label)) return false;
    return true;
}

uint32_t ba_arrows(const struct ba *a) {
    uint32_t arrows = 0;
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++)
            if (e == ba_begin(a, s) || e->target != e[-1].target || e->marks != e[-1].marks) arrows++;
    return arrows;
}

/* ---- Valuations of states, testing automata ---- */

void sba_fini(struct sba *a) {
    names_fini(&a->propositions);
    free(a->initial);
    free(a->accept);
    free(a->value);
    free(a->first);
    free(a->target);
    *a = (struct sba){0};
}

void ta_fini(struct ta *a) {
    names_fini(&a->propositions);
    free(a->initial);
    free(a->accept);
    free(a->first);
    free(a->edge);
    *a = (struct ta){0};
}

void ta_build(struct ta_builder *b, const struct names *propositions) {
    *b = (struct ta_builder){0};
    start_names(&b->propositions, propositions);
}

void ta_build_drop(struct ta_builder *b) {
    names_fini(&b->propositions);
    free(b->accept);
    free(b->value);
    free(b->initial);
    free(b->edge);
    *b = (struct ta_builder){0};
}

uint32_t ta_build_state(struct ta_builder *b, uint64_t value, unsigned accept) {
    if (b->states == b->state_room) {
        b->state_room = b->state_room ? 2 * b->state_room : 16;
        b->accept = memory_resize(b->accept, b->state_room * sizeof *b->accept);
        b->value = memory_resize(b->value, b->state_room * sizeof *b->value);
    }
    b->accept[b->states] = (uint8_t)accept;
    b->value[b->states] = value;
    return b->states++;
}

void ta_build_initial(struct ta_builder *b, uint32_t state, uint64_t value) {
    MAKE_ROOM(b->initial, b->initials, b->initial_room);
    b->initial[b->initials++] = (struct ta_initial){value, state};
}

void ta_build_edge(struct ta_builder *b, uint32_t source, uint64_t label, uint32_t target) {
    MAKE_ROOM(b->edge, b->edges, b->edge_room);
    b->edge[b->edges++] = (struct ta_built){source, target, label};
}

static int by_source_and_label(const void *x, const void *y) {
    const struct ta_built *a = x, *b = y;
    int c = compare(a->source, b->source);
    if (c == 0) c = compare(a->label, b->label);
    if (c == 0) c = compare(a->target, b->target);
    return c;
}

static int by_value(const void *x, const void *y) {
    const struct ta_initial *a = x, *b = y;
    return a->value != b->value ? compare(a->value, b->value) : compare(a->state, b->state);
}

static void sort_initial(struct ta_builder *b) {
    uint32_t kept = 0;
    if (b->initials) qsort(b->initial, b->initials, sizeof *b->initial, by_value);
    for (uint32_t i = 0; i < b->initials; i++)
        if (i == 0 || by_value(&b->initial[i], &b->initial[kept - 1]) != 0) b->initial[kept++] = b->initial[i];
    b->initials = kept;
}

/* Sorts the edges, each once, and says where those of each state begin. */
static uint32_t *sort_edges(struct ta_builder *b) {
    uint32_t kept = 0, *first = memory_get_zeroed((b->states + 1) * sizeof *first);
    if (b->edges) qsort(b->edge, b->edges, sizeof *b->edge, by_source_and_label);
    for (uint32_t i = 0; i < b->edges; i++)
        if (i == 0 || by_source_and_label(&b->edge[i], &b->edge[kept - 1]) != 0) b->edge[kept++] = b->edge[i];
    b->edges = kept;
    for (uint32_t i = 0; i < b->edges; i++) first[b->edge[i].source + 1]++;
    for (uint32_t s = 0; s < b->states; s++) first[s + 1] += first[s];
    assert(first[b->states] == b->edges);
    return first;
}

void ta_build_finish(struct ta_builder *b, struct ta *a) {
    sort_initial(b);
    *a = (struct ta){.propositions = b->propositions,
                     .states = b->states,
                     .initials = b->initials,
                     .initial = b->initial ? b->initial : memory_get(1),
                     .accept = b->accept ? b->accept : memory_get(1)};
    a->first = sort_edges(b);
    a->edges = b->edges;
    a->edge = memory_get((b->edges + 1) * sizeof *a->edge);
    for (uint32_t i = 0; i < b->edges; i++) a->edge[i] = (struct ta_edge){b->edge[i].label, b->edge[i].target};
    free(b->value);
    free(b->edge);
    *b = (struct ta_builder){0};
}

void ta_copy(struct ta *to, const struct ta *from) {
    struct ta_builder b;
    ta_build(&b, &from->propositions);
    for (uint32_t s = 0; s < from->states; s++) ta_build_state(&b, 0, from->accept[s]);
    for (uint32_t i = 0; i < from->initials; i++) ta_build_initial(&b, from->initial[i].state, from->initial[i].value);
    for (uint32_t s = 0; s < from->states; s++)
        for (const struct ta_edge *e = ta_begin(from, s); e < ta_end(from, s); e++)
            ta_build_edge(&b, s, e->change, e->target);
    ta_build_finish(&b, to);
}

void sba_build_finish(struct ta_builder *b, struct sba *a) {
    for (uint32_t i = 0; i < b->initials; i++) b->initial[i].value = 0;
    for (uint32_t i = 0; i < b->edges; i++) b->edge[i].label = 0;
    sort_initial(b);
    *a = (struct sba){.propositions = b->propositions,
                      .states = b->states,
                      .initials = b->initials,
                      .initial = memory_get((b->initials + 1) * sizeof *a->initial),
                      .value = b->value ? b->value : memory_get(1),
                      .accept = b->accept ? b->accept : memory_get(1)};
    for (uint32_t i = 0; i < b->initials; i++) a->initial[i] = b->initial[i].state;
    a->first = sort_edges(b);
    a->edges = b->edges;
    a->target = memory_get((b->edges + 1) * sizeof *a->target);
    for (uint32_t i = 0; i < b->edges; i++) a->target[i] = b->edge[i].target;
    free(b->initial);
    free(b->edge);
    *b = (struct ta_builder){0};
}

bool sba_deterministic(const struct sba *a) {
    for (uint32_t s = 0; s < a->states; s++)
        for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++)
            for (uint32_t k = i + 1; k < a->first[s + 1]; k++)
                if (a->value[a->target[i]] == a->value[a->target[k]]) return false;
    return true;
}

bool sba_one_start(const struct sba *a) {
    for (uint32_t i = 0; i < a->initials; i++)
        for (uint32_t k = i + 1; k < a->initials; k++)
            if (a->value[a->initial[i]] == a->value[a->initial[k]]) return false;
    return true;
}

bool ta_deterministic(const struct ta *a) {
    for (uint32_t s = 0; s < a->states; s++)
        for (uint32_t i = a->first[s] + 1; i < a->first[s + 1]; i++)
            if (a->edge[i].change == a->edge[i - 1].change) return false;
    return true;
}

bool ta_one_start(const struct ta *a) {
    for (uint32_t i = 1; i < a->initials; i++)
        if (a->initial[i].value == a->initial[i - 1].value) return false;
    return true;
}

const struct ta_edge *ta_next(const struct ta *a, uint32_t s, uint64_t change, const struct ta_edge **end) {
    uint32_t low = a->first[s], high = a->first[s + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (a->edge[middle].change < change) low = middle + 1;
        else high = middle;
    }
    for (high = low; high < a->first[s + 1] && a->edge[high].change == change;) high++;
    *end = a->edge + high;
    return a->edge + low;
}

const struct ta_initial *ta_start(const struct ta *a, uint64_t value, const struct ta_initial **end) {
    uint32_t low = 0, high;
    while (low < a->initials && a->initial[low].value < value) low++;
    for (high = low; high < a->initials && a->initial[high].value == value;) high++;
    *end = a->initial + high;
    return a->initial + low;
}
