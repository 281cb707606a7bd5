/* A network as one LTS, breadth first.
 *
 * A tuple of component states is packed into words. The tuples that were found stand in an array, in the order of
 * finding; a hash table holds their places + 1. END and ERROR are states without a tuple of their own. */
#include "net/network.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "algo/table.h"
#include "base/memory.h"

/* A component that takes part in a label of the network, and the label's number there. */
struct part {
    uint32_t component, label;
};

struct field {
    uint32_t word, shift;
    uint64_t mask;
};

/* What can occur now: a label, or the tau of one component. */
struct enabled {
    uint32_t label, component;
};

struct composer {
    const struct network *n;
    uint32_t max_states;
    struct effort *effort; /* or NULL */
    uint32_t *local;       /* by component and its label: the label of the network; the rows one after the other */
    uint32_t *local_first; /* where each component's row begins */
    uint32_t *part_first;  /* by label of the network: its first part */
    struct part *parts;
    uint32_t *outside; /* by label of the network: that of the result */
    bool can_end;

    struct field *field;
    uint32_t words;
    uint64_t *tuples;
    uint32_t *state_of; /* by place of the tuple */
    uint32_t tuple_count, tuple_room;
    struct table table; /* of the tuples */

    uint32_t *now, *next; /* a tuple, not packed */
    struct enabled *enabled;
    uint32_t enabled_count;
    const struct lts_edge **begin, **end, **at; /* by component: its edges with the label */

    struct lts_builder out;
    uint64_t moves;
};

static const struct lts *lts_of(const struct composer *x, uint32_t c) { return &x->n->component[c].lts; }

/* ---- Labels ---- */

static void number_labels(struct composer *x) {
    const struct network *n = x->n;
    uint64_t all = 0;
    x->local_first = memory_get((n->count + UINT64_C(1)) * sizeof *x->local_first);
    x->part_first = memory_get_zeroed((n->labels.count + UINT64_C(2)) * sizeof *x->part_first);
    for (uint32_t c = 0; c < n->count; c++) {
        x->local_first[c] = (uint32_t)all;
        all += lts_of(x, c)->labels.count;
    }
    x->local = memory_get((all + 1) * sizeof *x->local);
    x->parts = memory_get((all + 1) * sizeof *x->parts);
    for (uint32_t c = 0; c < n->count; c++) {
        for (uint32_t a = 0; a < lts_of(x, c)->labels.count; a++) {
            uint32_t label = a == LTS_TAU ? LTS_TAU : names_find(&n->labels, lts_of(x, c)->labels.text[a]);
            x->local[x->local_first[c] + a] = label;
            assert(label != NAMES_NONE); /* the network has the labels of all its components */
            if (label != LTS_TAU) x->part_first[label + 2]++;
        }
    }
    for (uint32_t a = 0; a < n->labels.count; a++) x->part_first[a + 2] += x->part_first[a + 1];
    for (uint32_t c = 0; c < n->count; c++)
        for (uint32_t a = 1; a < lts_of(x, c)->labels.count; a++)
            x->parts[x->part_first[x->local[x->local_first[c] + a] + 1]++] = (struct part){c, a};
}

static void name_labels(struct composer *x, bool hide) {
    const struct network *n = x->n;
    x->outside = memory_get((n->labels.count + UINT64_C(1)) * sizeof *x->outside);
    x->outside[LTS_TAU] = LTS_TAU;
    for (uint32_t a = 1; a < n->labels.count; a++) {
        bool seen = n->sight[a] == SIGHT_VISIBLE || (n->sight[a] == SIGHT_HIDDEN && !hide);
        x->outside[a] = seen ? names_add(&x->out.labels, n->labels.text[a]) : LTS_TAU;
    }
}

/* ---- Tuples ---- */

static void lay_out(struct composer *x) {
    uint32_t word = 0, shift = 0;
    x->field = memory_get((x->n->count + UINT64_C(1)) * sizeof *x->field);
    for (uint32_t c = 0; c < x->n->count; c++) {
        uint32_t bits = 1;
        while ((uint64_t)(lts_of(x, c)->states - 1) >> bits) bits++;
        if (shift + bits > 64) {
            word++;
            shift = 0;
        }
        x->field[c] = (struct field){word, shift, (UINT64_C(1) << bits) - 1};
        shift += bits;
    }
    x->words = word + 1;
}

static void pack(const struct composer *x, const uint32_t *tuple, uint64_t *to) {
    memset(to, 0, x->words * sizeof *to);
    for (uint32_t c = 0; c < x->n->count; c++) {
        assert(tuple[c] <= x->field[c].mask);
        to[x->field[c].word] |= (uint64_t)tuple[c] << x->field[c].shift;
    }
}

static void unpack(const struct composer *x, const uint64_t *from, uint32_t *tuple) {
    for (uint32_t c = 0; c < x->n->count; c++) {
        const struct field *f = &x->field[c];
        tuple[c] = (uint32_t)(from[f->word] >> f->shift & f->mask);
    }
}

static uint32_t hash(const struct composer *x, const uint64_t *tuple) {
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t i = 0; i < x->words; i++) {
        h = (h ^ tuple[i]) * UINT64_C(0xd6e8feb86659fd93);
        h ^= h >> 32;
    }
    return (uint32_t)h;
}

static bool same(const void *composer, const void *tuple, uint32_t number) {
    const struct composer *x = composer;
    return memcmp(x->tuples + (uint64_t)number * x->words, tuple, x->words * sizeof *x->tuples) == 0;
}

static uint32_t hash_of(const void *composer, uint32_t number) {
    const struct composer *x = composer;
    return hash(x, x->tuples + (uint64_t)number * x->words);
}

static void grow_tuples(struct composer *x) {
    /* One more than the room: the tuple that is being looked up stands behind the others. */
    x->tuple_room = x->tuple_room ? x->tuple_room + x->tuple_room / 2 : 1024;
    x->tuples = memory_resize(x->tuples, (x->tuple_room + UINT64_C(1)) * x->words * sizeof *x->tuples);
    x->state_of = memory_resize(x->state_of, x->tuple_room * sizeof *x->state_of);
}

/* ---- Special tuples ---- */

static bool has_tau(const struct lts *l, uint32_t s) {
    return lts_begin(l, s) < lts_end(l, s) && lts_begin(l, s)->label == LTS_TAU;
}

static bool ended(const struct composer *x, const uint32_t *tuple) {
    if (!x->can_end) return false;
    for (uint32_t c = 0; c < x->n->count; c++) {
        const struct lts *l = lts_of(x, c);
        if (l->end == LTS_NONE ? has_tau(l, tuple[c]) : tuple[c] != l->end) return false;
    }
    return true;
}

static bool in_error(const struct composer *x, const uint32_t *tuple) {
    for (uint32_t c = 0; c < x->n->count; c++)
        if (tuple[c] == lts_of(x, c)->error) return true;
    return false;
}

/* The state for the tuple x->next. */
static uint32_t state_of_next(struct composer *x) {
    if (in_error(x, x->next)) return x->out.error == LTS_NONE ? x->out.error = x->out.states++ : x->out.error;
    bool end = ended(x, x->next);
    if (end && x->out.end != LTS_NONE) return x->out.end;
    if (x->tuple_count == x->tuple_room) grow_tuples(x);
    uint64_t *tuple = x->tuples + (uint64_t)x->tuple_count * x->words;
    pack(x, x->next, tuple);
    uint32_t *cell = table_find(&x->table, hash(x, tuple), same, x, tuple);
    if (*cell) return x->state_of[*cell - 1];
    uint32_t state = x->out.states++;
    x->state_of[x->tuple_count++] = state;
    table_put(&x->table, cell, hash_of, x);
    if (end) x->out.end = state;
    return state;
}

/* ---- Moves ---- */

static bool goes_on(struct composer *x) { return x->out.states <= x->max_states && !effort_over(x->effort); }

/* The edges of a component with one of its labels. */
static void find_edges(struct composer *x, uint32_t c, uint32_t label) {
    const struct lts_edge *low = lts_begin(lts_of(x, c), x->now[c]), *high = lts_end(lts_of(x, c), x->now[c]);
    const struct lts_edge *all = high;
    while (low < high) {
        const struct lts_edge *middle = low + (high - low) / 2;
        if (middle->label < label) low = middle + 1;
        else high = middle;
    }
    x->begin[c] = low;
    while (low < all && low->label == label) low++;
    x->end[c] = low;
}

static bool all_can(struct composer *x, uint32_t label) {
    for (uint32_t p = x->part_first[label]; p < x->part_first[label + 1]; p++) {
        find_edges(x, x->parts[p].component, x->parts[p].label);
        if (x->begin[x->parts[p].component] == x->end[x->parts[p].component]) return false;
    }
    return true;
}

/* A label is looked at by the first component that takes part in it. */
static void find_enabled_of(struct composer *x, uint32_t c) {
    const struct lts_edge *end = lts_end(lts_of(x, c), x->now[c]);
    for (const struct lts_edge *e = lts_begin(lts_of(x, c), x->now[c]); e < end; e++) {
        if (e > lts_begin(lts_of(x, c), x->now[c]) && e[-1].label == e->label) continue;
        uint32_t label = x->local[x->local_first[c] + e->label];
        if (label != LTS_TAU && x->parts[x->part_first[label]].component != c) continue;
        if (label != LTS_TAU && !all_can(x, label)) continue;
        x->enabled[x->enabled_count++] = (struct enabled){label, c};
    }
}

static bool is_low(const struct composer *x, uint32_t label) {
    return x->n->low[x->n->sight[label] == SIGHT_INNER ? LTS_TAU : label];
}

static void find_enabled(struct composer *x) {
    bool high = false;
    uint32_t kept = 0;
    x->enabled_count = 0;
    for (uint32_t c = 0; c < x->n->count; c++) find_enabled_of(x, c);
    if (!x->n->low) return;
    for (uint32_t i = 0; i < x->enabled_count; i++) high |= !is_low(x, x->enabled[i].label);
    for (uint32_t i = 0; i < x->enabled_count; i++)
        if (!high || !is_low(x, x->enabled[i].label)) x->enabled[kept++] = x->enabled[i];
    x->enabled_count = kept;
}

static void move(struct composer *x, uint32_t source, uint32_t label) {
    x->moves++;
    uint32_t target = state_of_next(x);
    lts_build_edge(&x->out, source, x->outside[label], target);
}

static void move_alone(struct composer *x, uint32_t source, uint32_t c) {
    find_edges(x, c, LTS_TAU);
    for (const struct lts_edge *e = x->begin[c]; e < x->end[c] && goes_on(x); e++) {
        x->next[c] = e->target;
        move(x, source, LTS_TAU);
    }
    x->next[c] = x->now[c];
}

/* Every combination of the edges, counted up as the digits of a number are. */
static void move_together(struct composer *x, uint32_t source, uint32_t label) {
    uint32_t first = x->part_first[label], last = x->part_first[label + 1], p;
    all_can(x, label);
    for (p = first; p < last; p++) {
        uint32_t c = x->parts[p].component;
        assert(x->begin[c] < x->end[c]); /* the label is enabled */
        x->at[c] = x->begin[c];
        x->next[c] = x->at[c]->target;
    }
    do {
        move(x, source, label);
        for (p = first; p < last; p++) {
            uint32_t c = x->parts[p].component;
            bool carry = ++x->at[c] == x->end[c];
            if (carry) x->at[c] = x->begin[c];
            x->next[c] = x->at[c]->target;
            if (!carry) break;
        }
    } while (p < last && goes_on(x));
    for (p = first; p < last; p++) x->next[x->parts[p].component] = x->now[x->parts[p].component];
}

static void expand(struct composer *x, uint32_t place) {
    uint32_t source = x->state_of[place];
    if (source == x->out.end) return;
    unpack(x, x->tuples + (uint64_t)place * x->words, x->now);
    memcpy(x->next, x->now, x->n->count * sizeof *x->now);
    find_enabled(x);
    for (uint32_t i = 0; i < x->enabled_count && goes_on(x); i++) {
        if (x->enabled[i].label == LTS_TAU) move_alone(x, source, x->enabled[i].component);
        else move_together(x, source, x->enabled[i].label);
    }
}

/* ---- The whole ---- */

static void composer_init(struct composer *x, const struct network *n, bool hide, uint32_t max_states) {
    uint64_t count = n->count + UINT64_C(1);
    *x = (struct composer){.n = n, .max_states = max_states, .can_end = network_can_end(n)};
    lts_build(&x->out);
    number_labels(x);
    name_labels(x, hide);
    lay_out(x);
    table_init(&x->table, 1024);
    x->now = memory_get(count * sizeof *x->now);
    x->next = memory_get(count * sizeof *x->next);
    x->enabled = memory_get((count + n->labels.count) * sizeof *x->enabled);
    x->begin = memory_get(count * sizeof(const struct lts_edge *));
    x->end = memory_get(count * sizeof(const struct lts_edge *));
    x->at = memory_get(count * sizeof(const struct lts_edge *));
}

static void composer_fini(struct composer *x) {
    free(x->local);
    free(x->local_first);
    free(x->part_first);
    free(x->parts);
    free(x->outside);
    free(x->field);
    free(x->tuples);
    free(x->state_of);
    table_fini(&x->table);
    free(x->now);
    free(x->next);
    free(x->enabled);
    free(x->begin);
    free(x->end);
    free(x->at);
}

static bool compose(struct composer *x, struct lts *out, struct problem *why) {
    for (uint32_t c = 0; c < x->n->count; c++) x->next[c] = x->n->component[c].lts.initial;
    x->out.initial = state_of_next(x);
    for (uint32_t i = 0; i < x->tuple_count && goes_on(x); i++) expand(x, i);
    bool fits = x->out.states <= x->max_states;
    if (x->effort && x->effort->over) fits = effort_problem(x->effort, "the composition", why);
    else if (!fits) problem_set(why, EXIT_INCONCLUSIVE, "the composition has more than %u states", x->max_states);
    lts_build_finish(&x->out, out);
    if (!fits) lts_fini(out);
    return fits;
}

bool network_compose_counting(const struct network *n, bool hide, uint32_t max_states, struct lts *out, uint64_t *moves,
                              struct problem *why) {
    struct composer x;
    composer_init(&x, n, hide, max_states);
    bool good = compose(&x, out, why);
    *moves = x.moves;
    composer_fini(&x);
    return good;
}

bool network_compose_within(const struct network *n, bool hide, uint32_t max_states, struct effort *effort,
                            struct lts *out, struct problem *why) {
    struct composer x;
    composer_init(&x, n, hide, max_states);
    x.effort = effort;
    bool good = compose(&x, out, why);
    composer_fini(&x);
    return good;
}

bool network_compose(const struct network *n, bool hide, uint32_t max_states, struct lts *out, struct problem *why) {
    return network_compose_within(n, hide, max_states, NULL, out, why);
}
