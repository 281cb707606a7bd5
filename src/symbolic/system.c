#include "symbolic/system.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "symbolic/support.h"

enum { MOST_RELATIONS = 1 << 23 };

/* ---- Diagrams ---- */

static uint32_t view(struct symbolic *s, uint32_t unit, enum diagram_view view) {
    return diagram_make(&s->diagram, &s->readings, unit, view);
}

static void view_function(struct symbolic *s, uint32_t unit) {
    const struct source_unit *u = &s->source->units[unit];
    switch (u->kind) {
    case UNIT_CHECK_STATE: s->views.bad = view(s, unit, VIEW_BAD); break;
    case UNIT_CHECK_DEADLOCK: s->views.bad_deadlock = view(s, unit, VIEW_BAD); break;
    case UNIT_MAY_PROGRESS: s->views.may = view(s, unit, VIEW_VALUE); break;
    case UNIT_MUST_PROGRESS: s->views.must = view(s, unit, VIEW_VALUE); break;
    case UNIT_PROPOSITION: s->views.proposition[u->of] = view(s, unit, VIEW_VALUE); break;
    default: break;
    }
}

static void make_views(struct symbolic *s) {
    const struct source *source = s->source;
    s->transitions = s->ts->transitions;
    s->root = memory_get((s->transitions + 1) * sizeof *s->root);
    s->error = memory_get((s->transitions + 1) * sizeof *s->error);
    s->views = (struct symbolic_views){NODE_NONE, NODE_NONE, NODE_NONE, NODE_NONE,
                                       memory_get((s->ts->propositions + 1) * sizeof(uint32_t))};
    for (uint32_t p = 0; p < s->ts->propositions; p++) s->views.proposition[p] = NODE_NONE;
    for (uint32_t u = 0; u < source->unit_count; u++) {
        view_function(s, u);
        if (source->units[u].kind != UNIT_TRANSITION) continue;
        s->root[source->units[u].of] = view(s, u, VIEW_TRANSITION);
        s->error[source->units[u].of] = view(s, u, VIEW_ERROR);
    }
    diagram_arcs(&s->diagram);
}

/* ---- Levels ---- */

static void number_values(struct symbolic *s, uint32_t x) {
    const struct slot_range *range = &s->readings.slots.of[x];
    uint32_t level = s->level_of[x], count = 0;
    s->index_of[x] = memory_get((range->count + 1) * sizeof *s->index_of[x]);
    s->value_of[level] = memory_get((range->count + 1) * sizeof *s->value_of[level]);
    for (uint32_t v = 0; v < range->count; v++) {
        bool possible = slot_in(s->readings.pairs.possible, range->first + v);
        s->index_of[x][v] = possible ? count : NODE_NONE;
        if (possible) s->value_of[level][count++] = v;
    }
    s->size[level] = count ? count : 1; /* of a wide variable, nothing is known: it must not matter */
}

static void make_levels(struct symbolic *s, const struct symbolic_options *o) {
    struct supports supports;
    uint32_t n = s->levels = s->source->variable_count;
    const char **names = memory_get((n + 1) * sizeof *names);
    for (uint32_t x = 0; x < n; x++) names[x] = s->source->variables[x].name;
    s->variable_of = memory_get((n + 1) * sizeof *s->variable_of);
    s->level_of = memory_get((n + 1) * sizeof *s->level_of);
    s->size = memory_get((n + 1) * sizeof *s->size);
    s->value_of = memory_get_zeroed((n + 1) * sizeof *s->value_of);
    s->index_of = memory_get_zeroed((n + 1) * sizeof *s->index_of);
    supports_init(&supports, &s->diagram, s->root, s->transitions);
    s->order = order_levels(&supports, names, o->order, o->seed, s->variable_of);
    supports_fini(&supports);
    free(names);
    for (uint32_t k = 0; k < n; k++) s->level_of[s->variable_of[k]] = k;
    for (uint32_t x = 0; x < n; x++) number_values(s, x);
}

/* ---- Relations ---- */

struct relating {
    struct symbolic *s;
    relation *made; /* by node of the diagram; */
    bool *done;
};

static int by_level(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (x[0] < y[0]) - (x[0] > y[0]);
}

/* What is stored, the lowest level first. */
static relation relate_effect(struct symbolic *s, uint32_t effect) {
    uint32_t count;
    const uint32_t *list = diagram_effect(&s->diagram, effect, &count);
    uint32_t store[count + 1][2];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x = list[2 * i], slot = list[2 * i + 1];
        if (slot == SLOT_ANY) return RELATION_NONE;
        store[i][0] = s->level_of[x];
        store[i][1] = s->index_of[x][slot - s->readings.slots.of[x].first];
        if (store[i][1] == NODE_NONE) return RELATION_NONE; /* no possible state gets here */
    }
    qsort(store, count, sizeof *store, by_level);
    relation r = RELATION_SAME;
    for (uint32_t i = 0; i < count; i++) r = relation_store(&s->relations, r, store[i][0], store[i][1]);
    return r;
}

static relation relate(struct relating *r, uint32_t n) {
    const struct symbolic *s = r->s;
    const struct node *node = &s->diagram.node[n];
    if (r->done[n]) return r->made[n];
    relation made = RELATION_NONE;
    if (node->kind == NODE_ENABLED) made = relate_effect(r->s, node->effect);
    if (node->kind == NODE_READ)
        for (uint32_t i = s->diagram.arc_from[n]; i < s->diagram.arc_from[n + 1]; i++) {
            const struct arc *a = &s->diagram.arc[i];
            uint64_t values[SOURCE_SLOTS / 64];
            symbolic_values(s, node->variable, a, values);
            relation below = relate(r, a->child);
            below = relation_restrict(&r->s->relations, below, s->level_of[node->variable], values);
            made = relation_union(&r->s->relations, made, below);
        }
    r->done[n] = true;
    return r->made[n] = made;
}

static bool make_ways(struct symbolic *s) {
    struct relating r = {.s = s,
                         .made = memory_get((s->diagram.count + 1) * sizeof *r.made),
                         .done = memory_get_zeroed(s->diagram.count + 1)};
    relation *back = memory_get((s->transitions + 1) * sizeof *back);
    s->event = memory_get((s->transitions + 1) * sizeof *s->event);
    for (uint32_t t = 0; t < s->transitions; t++) {
        s->event[t] = s->root[t] == NODE_NONE ? RELATION_NONE : relate(&r, s->root[t]);
        back[t] = relation_inverse(&s->relations, s->event[t]);
    }
    bool room = way_init(&s->forward, &s->relations, 0, s->event, s->transitions) &&
                way_init(&s->backward, &s->relations, 1, back, s->transitions);
    free(back);
    free(r.made);
    free(r.done);
    return room;
}

/* ---- What is not known ---- */

/* A variable with too many values that the diagram reads or stores; NODE_NONE: none. */
static uint32_t wide_below(const struct symbolic *s, uint32_t n, bool *done) {
    const struct node *node = &s->diagram.node[n];
    if (done[n]) return NODE_NONE;
    done[n] = true;
    if (node->kind == NODE_CHOICE) return node->variable;
    if (node->kind == NODE_ENABLED) {
        uint32_t count;
        const uint32_t *list = diagram_effect(&s->diagram, node->effect, &count);
        for (uint32_t i = 0; i < count; i++)
            if (list[2 * i + 1] == SLOT_ANY) return list[2 * i];
    }
    uint32_t found = NODE_NONE;
    for (uint32_t i = 0; node->kind == NODE_READ && i < node->count && found == NODE_NONE; i++) {
        uint32_t child = s->diagram.child[node->first + i];
        if (child != NODE_NONE) found = wide_below(s, child, done);
    }
    return found;
}

static bool refuse(const struct symbolic *s, uint32_t unit, uint32_t root, struct problem *why) {
    const struct source_unit *u = &s->source->units[unit];
    bool *done = memory_get_zeroed(s->diagram.count + 1);
    uint32_t x = wide_below(s, root, done);
    free(done);
    char *what =
        u->kind == UNIT_TRANSITION ? text_format("transition %u (%s)", u->of, u->name) : memory_copy_string(u->name);
    if (x != NODE_NONE)
        problem_set(why, EXIT_INCONCLUSIVE,
                    "decision diagrams need to know what the model does: %s uses %s, which has more than %d values",
                    what, s->source->variables[x].name, (int)SOURCE_SLOTS);
    else
        problem_set(
            why, EXIT_INCONCLUSIVE,
            "decision diagrams need to know what the model does: what %s does could not be derived from its code "
            "in some state that is reached (onager facts tells more)",
            what);
    free(what);
    return false;
}

/* Is it known what transitions and check_state do in all reached states? */
static bool is_known(struct symbolic *s, struct problem *why) {
    for (uint32_t u = 0; u < s->source->unit_count; u++) {
        const struct source_unit *unit = &s->source->units[u];
        uint32_t root = unit->kind == UNIT_TRANSITION    ? s->root[unit->of]
                        : unit->kind == UNIT_CHECK_STATE ? s->views.bad
                                                         : NODE_NONE;
        /* Where it does not matter for what it stores what a variable has, it may for whether it fails. */
        uint32_t error = unit->kind == UNIT_TRANSITION ? s->error[unit->of] : NODE_NONE;
        if (symbolic_where(s, root, s->reached, LEAVES_UNKNOWN) != MDD_EMPTY) return refuse(s, u, root, why);
        if (symbolic_where(s, error, s->reached, LEAVES_UNKNOWN) != MDD_EMPTY) return refuse(s, u, error, why);
    }
    return true;
}

/* ---- All of it ---- */

const char *symbolic_stopped(const struct symbolic *s) {
    switch (s->pool.stopped) {
    case MDD_NO_MEMORY: return "no memory was left for decision diagrams";
    case MDD_NO_WORK: return "decision diagrams took more work than they were given";
    case MDD_OVER: return "the time was over, or it was interrupted, while decision diagrams were made";
    default: return s->relations.full ? "the relations of the transitions are too large for decision diagrams" : NULL;
    }
}

static bool explore(struct symbolic *s, struct problem *why) {
    assert(s->pool.roots == 0);
    bool room = make_ways(s);
    mdd_root(&s->pool, &s->initial);
    mdd_root(&s->pool, &s->reached);
    if (room) {
        s->initial = symbolic_one(s, s->source->initial);
        s->reached = way_closure(&s->pool, &s->forward, s->initial);
    }
    bool known = !symbolic_stopped(s) && is_known(s, why);
    if (symbolic_stopped(s)) return problem_set(why, EXIT_INCONCLUSIVE, "%s", symbolic_stopped(s));
    return known;
}

struct symbolic *symbolic_new(struct ts *ts, struct source *source, const struct symbolic_options *o,
                              struct problem *why) {
    struct symbolic *s = memory_get_zeroed(sizeof *s);
    s->ts = ts;
    s->source = source;
    readings_init(&s->readings, source, READINGS_BUDGET);
    diagram_init(&s->diagram, &s->readings.slots);
    make_views(s);
    make_levels(s, o);
    relations_init(&s->relations, s->levels, s->size, MOST_RELATIONS);
    if (!mdd_init(&s->pool, s->levels, s->size, &o->limits))
        problem_set(why, EXIT_INCONCLUSIVE, "no memory was left for decision diagrams");
    else if (explore(s, why)) return s;
    symbolic_free(s);
    return NULL;
}

void symbolic_free(struct symbolic *s) {
    if (!s) return;
    mdd_fini(&s->pool);
    way_fini(&s->forward);
    way_fini(&s->backward);
    relations_fini(&s->relations);
    for (uint32_t k = 0; k < s->levels; k++) {
        free(s->value_of[k]);
        free(s->index_of[k]);
    }
    free(s->value_of);
    free(s->index_of);
    free(s->size);
    free(s->variable_of);
    free(s->level_of);
    free(s->event);
    free(s->root);
    free(s->error);
    free(s->views.proposition);
    diagram_fini(&s->diagram);
    readings_fini(&s->readings);
    s->source->ops->close(s->source);
    free(s);
}
