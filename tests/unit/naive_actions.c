#include "naive_actions.h"

#include "unit.h"

#include "base/memory.h"

static const char *const only_a[] = {"a", NULL}, *const only_b[] = {"b", NULL}, *const a_or_c[] = {"a", "c", NULL};

void meaning_set(struct meaning *m, bool p2, bool p3) {
    *m = (struct meaning){{{"p0", only_a, NULL, false},
                           {"p1", only_b, NULL, false},
                           {"p2", only_a, only_b, p2},
                           {"p3", only_b, a_or_c, p3}},
                          0};
}

static void find_named(struct meaning *m, const struct tree *t) {
    static const uint32_t named[] = {1, 2, 3, 7};
    if (!t) return;
    if (t->op == 'p') m->named |= named[t->p];
    find_named(m, t->left);
    find_named(m, t->right);
}

static uint64_t has_occurred(uint64_t values, const char *action) {
    char name = action[1] ? 0 : action[0];
    values &= 12;
    if (name == 'a') values = (values & ~UINT64_C(8)) | 1 | 4;
    if (name == 'b') values = (values & ~UINT64_C(4)) | 2 | 8;
    if (name == 'c') values &= ~UINT64_C(8);
    return values;
}

enum { MOST_ORACLE = 80 };

/* The graph of the states together with what has occurred; state 0 is before all. */
struct oracle {
    struct ts *ts;
    struct ts_worker *w;
    word states[MOST_ORACLE];
    uint64_t values[MOST_ORACLE];
    uint32_t count;
    uint32_t next[MOST_ORACLE][40], degree[MOST_ORACLE];
    bool too_large;
};

static void oracle_edge(struct oracle *o, uint32_t from, word state, uint64_t values) {
    uint32_t to = 1;
    while (to < o->count && (o->states[to] != state || o->values[to] != values)) to++;
    o->too_large |= to == MOST_ORACLE || o->degree[from] == COUNT(o->next[0]);
    if (o->too_large) return;
    if (to == o->count) {
        o->states[o->count] = state;
        o->values[o->count++] = values;
    }
    o->next[from][o->degree[from]++] = to;
}

static bool has_action(const struct ts *ts, const char *name) {
    for (uint32_t i = 1; i < ts->actions; i++)
        if (strcmp(ts->action_names[i], name) == 0) return true;
    return false;
}

static void oracle_moves(struct oracle *o, uint32_t from, const struct meaning *m, struct ts_batch *b) {
    static const char *const names[] = {"a", "b", "c"};
    struct ts_fault fault;
    bool free = false;
    word state = o->states[from];
    b->sources = &state;
    b->count = 1;
    assert_int_equal(o->ts->ops->expand(o->w, b), 1);
    for (uint32_t e = 0; e < b->ends[0]; e++) {
        uint32_t action = o->ts->ops->action(o->w, &state, b->labels[e], &fault);
        oracle_edge(o, from, b->successors[e], has_occurred(o->values[from], o->ts->action_names[action]));
    }
    for (int k = 0; k < 3; k++) {
        if (!(m->named >> k & 1) || has_action(o->ts, names[k])) continue;
        free = true;
        oracle_edge(o, from, state, has_occurred(o->values[from], names[k]));
    }
    if (b->ends[0] == 0 && !free) oracle_edge(o, from, state, o->values[from] & 12);
}

bool naive_actions_violated(struct ts *ts, struct ts_worker *w, struct meaning *m, const struct tree *t,
                            bool *violated) {
    struct oracle *o = memory_get_zeroed(sizeof *o);
    struct ts_batch batch;
    struct ts_fault fault;
    struct graph g;
    ts_batch_init(&batch, ts, 1);
    o->ts = ts;
    o->w = w;
    assert_int_equal(ts->words, 1);
    assert_true(ts->ops->initial(w, o->states, &fault));
    o->values[0] = m->fluents[2].initially * UINT64_C(4) | m->fluents[3].initially * UINT64_C(8);
    o->count = 1;
    m->named = 0;
    find_named(m, t);
    for (uint32_t i = 0; i < o->count && !o->too_large; i++) oracle_moves(o, i, m, &batch);
    bool fine = !o->too_large;
    if (fine) {
        struct tree *later = tree_new('X', tree_copy(t), NULL);
        graph_init(&g, o->count, COUNT(o->next[0]), 1);
        for (uint32_t i = 0; i < o->count; i++) {
            g.values[i] = o->values[i];
            for (uint32_t e = 0; e < o->degree[i]; e++) *graph_next(&g, i, e) = o->next[i][e];
        }
        *violated = naive_violated(&g, later);
        tree_free(later);
        graph_fini(&g);
    }
    ts_batch_fini(&batch);
    free(o);
    return fine;
}
