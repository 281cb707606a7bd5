#include "acted.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { UNKNOWN = UINT32_MAX, MOST_WORDS = 8 };

struct actor {
    const struct acted_model *model;
    uint32_t known[ACTED_VARIABLES], stored[ACTED_VARIABLES];
    uint64_t place, live;
    uint32_t wants;
    bool whole; /* everything is known */
    jmp_buf out;
};
enum { WANTS = 1, FAILED, HIDDEN };

const struct acted_model *acted_model(const struct actor *a) { return a->model; }

uint32_t acted_get(struct actor *a, uint32_t x) {
    if (x >= a->model->variables) longjmp(a->out, FAILED);
    if (a->stored[x] != UNKNOWN) return a->stored[x];
    if (a->known[x] != UNKNOWN) return a->known[x];
    a->wants = x;
    longjmp(a->out, WANTS);
}

void acted_set(struct actor *a, uint32_t x, uint32_t value) {
    if (x >= a->model->variables || value >= a->model->values[x]) longjmp(a->out, FAILED);
    a->stored[x] = value;
}

void acted_fail(struct actor *a) { longjmp(a->out, FAILED); }
void acted_hide(struct actor *a) {
    if (!a->whole) longjmp(a->out, HIDDEN);
}
void acted_at(struct actor *a, uint64_t place, uint64_t live) { a->place = place, a->live = live; }

static void start(struct actor *a, const struct acted_model *m) {
    a->model = m;
    memset(a->known, 0xff, sizeof a->known);
    memset(a->stored, 0xff, sizeof a->stored);
    a->place = 0;
    a->whole = false;
    a->live = UINT64_MAX;
}

/* ---- On whole states ---- */

int acted_fire(const struct acted_model *m, uint32_t unit, const uint32_t *state, uint32_t *to) {
    struct actor a;
    start(&a, m);
    memcpy(a.known, state, m->variables * sizeof *state);
    a.whole = true;
    if (setjmp(a.out)) return -1;
    if (!m->run(&a, unit)) return 0;
    for (uint32_t x = 0; x < m->variables; x++) to[x] = a.stored[x] == UNKNOWN ? state[x] : a.stored[x];
    return 1;
}

uint64_t acted_ask(const struct acted_model *m, uint32_t unit, const uint32_t *state) {
    struct actor a;
    start(&a, m);
    memcpy(a.known, state, m->variables * sizeof *state);
    if (setjmp(a.out)) return UINT64_MAX;
    return m->run(&a, unit);
}

/* ---- As a source ---- */

struct acted_point {
    uint32_t unit;
    bool merged;
    uint32_t known[ACTED_VARIABLES]; /* one of the ways to it */
    uint32_t key[ACTED_VARIABLES];   /* what is known and live */
    uint32_t stored[ACTED_VARIABLES];
    uint64_t place;
    struct source_store stores[ACTED_VARIABLES];
    struct point_view view;
};

struct acted_source {
    struct source source;
    const struct acted_model *model;
    struct source_variable variable[ACTED_VARIABLES];
    char names[ACTED_VARIABLES][12];
    uint64_t initial[MOST_WORDS];
    struct acted_point **at;
    uint32_t count, room;
};

static bool same(const struct acted_point *p, const struct acted_point *q) {
    return p->unit == q->unit && p->merged == q->merged && p->place == q->place && p->view.kind == q->view.kind &&
           p->view.variable == q->view.variable && p->view.value == q->view.value &&
           memcmp(p->key, q->key, sizeof p->key) == 0 && memcmp(p->stored, q->stored, sizeof p->stored) == 0;
}

static point add(struct acted_source *s, struct acted_point *p) {
    for (uint32_t i = s->count; p->merged && i-- > 0;)
        if (same(p, s->at[i])) {
            free(p);
            return i;
        }
    MAKE_ROOM(s->at, s->count, s->room);
    s->at[s->count] = p;
    return s->count++;
}

static void note_stores(struct acted_point *p, uint32_t variables) {
    p->view.stores = p->stores;
    for (uint32_t x = 0; x < variables; x++)
        if (p->stored[x] != UNKNOWN)
            p->stores[p->view.store_count++] = (struct source_store){.variable = x, .value = p->stored[x]};
}

static point run(struct acted_source *s, uint32_t unit, bool merged, const uint32_t *known) {
    struct acted_point *p = memory_get_zeroed(sizeof *p);
    struct actor a;
    bool transition = s->model->unit[unit].kind == UNIT_TRANSITION;
    start(&a, s->model);
    if (known) memcpy(a.known, known, sizeof a.known);
    int how = setjmp(a.out);
    if (how == WANTS) p->view = (struct point_view){.kind = POINT_READ, .variable = a.wants};
    else if (how) p->view = (struct point_view){.kind = how == FAILED ? LEAF_ERROR : LEAF_UNKNOWN, .text = "it fails"};
    else {
        uint64_t value = s->model->run(&a, unit);
        p->view.kind = !transition ? LEAF_VALUE : value ? LEAF_ENABLED : LEAF_DISABLED;
        p->view.value = transition ? 0 : value;
    }
    p->unit = unit, p->merged = merged;
    memcpy(p->known, a.known, sizeof a.known);
    memset(p->key, 0xff, sizeof p->key);
    memset(p->stored, 0xff, sizeof p->stored);
    bool ends = p->view.kind != POINT_READ;
    p->place = ends ? 0 : a.place;
    if (p->view.kind == POINT_READ || p->view.kind == LEAF_ENABLED) memcpy(p->stored, a.stored, sizeof a.stored);
    for (uint32_t x = 0; x < s->model->variables && !ends; x++)
        if (a.live >> x & 1) p->key[x] = a.known[x];
    if (p->view.kind == LEAF_ENABLED) note_stores(p, s->model->variables);
    return add(s, p);
}

static point acted_begin(struct source *source, uint32_t unit, bool merged) {
    return run((struct acted_source *)source, unit, merged, NULL);
}

static point acted_next(struct source *source, point p, uint64_t value) {
    struct acted_source *s = (struct acted_source *)source;
    uint32_t known[ACTED_VARIABLES];
    memcpy(known, s->at[p]->known, sizeof known);
    known[s->at[p]->view.variable] = (uint32_t)value;
    return run(s, s->at[p]->unit, s->at[p]->merged, known);
}

static struct point_view acted_view(struct source *source, point p) {
    return ((struct acted_source *)source)->at[p]->view;
}

static void acted_close(struct source *source) {
    struct acted_source *s = (struct acted_source *)source;
    for (uint32_t i = 0; i < s->count; i++) free(s->at[i]);
    free(s->at);
    free(s);
}

struct source *acted_source(const struct acted_model *m) {
    static const struct source_ops ops = {
        .close = acted_close, .begin = acted_begin, .next = acted_next, .view = acted_view};
    struct acted_source *s = memory_get_zeroed(sizeof *s);
    uint32_t at = 1 + 61 * (m->variables % 2); /* some variables lie in two words */
    s->model = m;
    for (uint32_t x = 0; x < m->variables; x++) {
        uint32_t bits = 1;
        while (m->values[x] > 1u << bits) bits++;
        snprintf(s->names[x], sizeof s->names[x], "x%u", x);
        s->variable[x] = (struct source_variable){s->names[x], at, bits, m->wide[x] ? 0 : m->values[x]};
        at += bits;
    }
    s->source = (struct source){
        .ops = &ops,
        .variable_count = m->variables,
        .unit_count = m->units,
        .variables = s->variable,
        .units = m->unit,
        .initial = s->initial,
        .words = (at + 63) / 64,
    };
    acted_pack(&s->source, m->initial, s->initial);
    return &s->source;
}

void acted_pack(const struct source *s, const uint32_t *state, uint64_t *packed) {
    memset(packed, 0, s->words * sizeof *packed);
    packed[0] = 1;
    for (uint32_t x = 0; x < s->variable_count; x++)
        for (uint32_t b = 0, at = s->variables[x].first; b < s->variables[x].bits; b++, at++)
            packed[at / 64] |= (uint64_t)(state[x] >> b & 1) << (at % 64);
}

void acted_unpack(const struct source *s, const uint64_t *packed, uint32_t *state) {
    for (uint32_t x = 0; x < s->variable_count; x++) {
        state[x] = 0;
        for (uint32_t b = 0, at = s->variables[x].first; b < s->variables[x].bits; b++, at++)
            state[x] |= (uint32_t)(packed[at / 64] >> (at % 64) & 1) << b;
    }
}
