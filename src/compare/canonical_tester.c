#include "compare/canonical_tester.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "minimize/trace_sets.h"
#include "minimize/minimize.h"
#include "compare/transversal.h"

enum {
    NONE = UINT32_MAX,
    MOST_NEEDS = 4096,      /* of one set of states */
    MOST_STATES = 20000000, /* of the tester */
    MOST_SHOWN = 12,        /* labels in the name of a state */
};

bool canonical_relation(const char *name, enum lts_relation *relation, struct problem *why) {
    if (!relation_parse("preorder", name, CANONICAL_NAMES, relation, why)) return false;
    return relation_has_testers(*relation) ||
           problem_set(why, EXIT_BAD_INPUT,
                       "--preorder %s: testers cannot tell; they can tell " CANONICAL_NAMES
                       ". onager compare A B --preorder %s builds the LTSs of both, and tells",
                       name, name);
}

struct making {
    const struct canonical_question *q;
    struct linear_aims aims;
    struct joint small; /* the specification, with equivalent states merged */
    struct after after;
    struct lts_builder build;
    uint32_t end, error, other; /* labels */
    uint32_t *state_of, known;  /* by set, for the first `known` ones: its state, or NONE */
    uint32_t *set_of;           /* by state: the set, or NONE */
    uint8_t *kinds;
    char **names;
    uint32_t states, room;
    uint32_t pass; /* or NONE */
    bool too_many; /* needs of one set */
};

/* ---- States ---- */

static uint32_t add_state(struct making *m, uint32_t set, unsigned kinds, char *name) {
    if (m->states == m->room) {
        m->room = 2 * m->room + 64;
        m->set_of = memory_resize(m->set_of, m->room * sizeof *m->set_of);
        m->kinds = memory_resize(m->kinds, m->room);
        m->names = memory_resize(m->names, m->room * sizeof *m->names);
    }
    m->set_of[m->states] = set;
    m->kinds[m->states] = (uint8_t)kinds;
    m->names[m->states] = name;
    return m->states++;
}

static uint32_t state_of(struct making *m, uint32_t set) {
    if (set >= m->known) {
        uint32_t more = 2 * m->after.sets + 64;
        m->state_of = memory_resize(m->state_of, more * sizeof *m->state_of);
        while (m->known < more) m->state_of[m->known++] = NONE;
    }
    if (m->state_of[set] == NONE) {
        bool rejects = set == AFTER_EMPTY && m->aims.traces;
        char *name = set == AFTER_EMPTY ? memory_copy_string(rejects ? "REJECT" : "LOST") : NULL;
        m->state_of[set] = add_state(m, set, rejects ? TESTER_REJECT : 0, name);
    }
    return m->state_of[set];
}

static uint32_t pass_state(struct making *m) {
    if (m->pass == NONE) m->pass = add_state(m, NONE, 0, memory_copy_string("PASS"));
    return m->pass;
}

/* "needs {a, b}" */
static char *needs_name(const struct making *m, const uint64_t *labels) {
    char *list = memory_copy_string("");
    uint32_t count = 0;
    for (uint32_t l = 1; l < m->build.labels.count && count <= MOST_SHOWN; l++) {
        if (!set_has(labels, l)) continue;
        char *longer =
            text_format("%s%s%s", list, count ? ", " : "", count == MOST_SHOWN ? "..." : m->build.labels.text[l]);
        free(list);
        list = longer;
        count++;
    }
    char *name = text_format("needs {%s}", list);
    free(list);
    return name;
}

/* ---- What the specification may refuse after a trace ---- */

/* The labels of each stable state of a set. */
static void collect_offers(const struct making *m, uint32_t set, struct family *offers) {
    const struct lts *l = &m->small.lts;
    for (uint32_t i = 0; i < after_count(&m->after, set); i++) {
        uint32_t s = after_members(&m->after, set)[i];
        if (!joint_stable(&m->small, s)) continue;
        uint64_t *offer = family_add(offers);
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) set_put(offer, e->label);
    }
    family_minimise(offers);
}

static bool may_diverge(const struct making *m, uint32_t set) {
    for (uint32_t i = 0; i < after_count(&m->after, set); i++)
        if (m->small.diverges[after_members(&m->after, set)[i]]) return true;
    return false;
}

/* Are these all the labels that a set can do? */
static bool is_all(const struct making *m, uint32_t set, const uint64_t *labels) {
    for (uint32_t i = 0; i < after_step_count(&m->after, set); i++)
        if (!set_has(labels, after_steps(&m->after, set)[i].label)) return false;
    return true;
}

static void add_need(struct making *m, uint32_t from, const uint64_t *labels) {
    uint32_t state = add_state(m, NONE, TESTER_DEADLOCK, needs_name(m, labels));
    lts_build_edge(&m->build, from, LTS_TAU, state);
    for (uint32_t l = 1; l < m->build.labels.count; l++)
        if (set_has(labels, l)) lts_build_edge(&m->build, state, l, pass_state(m));
}

static void add_needs(struct making *m, uint32_t set, uint32_t state) {
    struct family offers, needs;
    family_init(&offers, m->build.labels.count);
    collect_offers(m, set, &offers);
    if (!family_transversals(&offers, MOST_NEEDS, m->q->effort, &needs)) m->too_many = true;
    else if (m->aims.traces && needs.count == 1 && is_all(m, set, family_set(&needs, 0)))
        m->kinds[state] |= TESTER_DEADLOCK;
    else
        for (uint32_t i = 0; i < needs.count; i++) add_need(m, state, family_set(&needs, i));
    family_fini(&offers);
    family_fini(&needs);
}

/* ---- All sets ---- */

static void add_set(struct making *m, uint32_t set) {
    const struct linear_aims *aims = &m->aims;
    uint32_t state = state_of(m, set);
    if (m->kinds[state] & TESTER_REJECT) return;
    assert(m->set_of[state] == set);
    bool diverges = may_diverge(m, set);
    if (aims->catastrophic && diverges) return; /* like PASS */
    after_expand(&m->after, set);
    for (uint32_t l = 1; l < m->build.labels.count; l++)
        lts_build_edge(&m->build, state, l, state_of(m, after_by(&m->after, set, l)));
    if (aims->divergences && !diverges) m->kinds[state] |= TESTER_LIVELOCK;
    if (aims->failures && !(aims->hiding && diverges)) add_needs(m, set, state);
    effort_take(m->q->effort, (m->build.labels.count + UINT64_C(4)) * sizeof *m->build.triples);
}

/* joint_init adds the marks last, and only those that are needed. */
static void name_labels(struct making *m) {
    const struct lts *spec = m->q->spec;
    struct names *labels = &m->build.labels;
    lts_build_with(&m->build, &m->small.lts.labels);
    uint32_t next = spec->labels.count;
    if (m->q->whole) {
        m->end = spec->end != LTS_NONE ? next++ : names_add_new(labels, "END");
        m->error = spec->error != LTS_NONE ? next : names_add_new(labels, "ERROR");
        m->other = names_add_new(labels, "OTHER");
    }
    for (uint32_t i = 1; m->q->more && i < m->q->more->count; i++) names_add(labels, m->q->more->text[i]);
}

static void merge_states(struct making *m) {
    struct lts spec = *m->q->spec, nothing;
    struct lts_builder b;
    struct joint given;
    bool sees_tau = m->aims.failures || m->aims.divergences;
    if (!m->q->whole) spec.end = spec.error = LTS_NONE;
    lts_build(&b);
    lts_build_finish(&b, &nothing);
    joint_init(&given, &spec, &nothing, m->q->effort);
    joint_reduce(&m->small, &given, sees_tau ? RELATION_BRANCHING_DIV : RELATION_BRANCHING, m->q->effort);
    joint_fini(&given);
    lts_fini(&nothing);
}

static void making_init(struct making *m, const struct canonical_question *q) {
    *m = (struct making){.q = q, .aims = relation_row(q->relation)->aims, .pass = NONE};
    merge_states(m);
    after_init(&m->after, &m->small, q->effort);
    name_labels(m);
    m->build.effort = q->effort;
}

static void making_fini(struct making *m) {
    for (uint32_t s = 0; s < m->states; s++) free(m->names[s]);
    free(m->names);
    free(m->kinds);
    free(m->set_of);
    free(m->state_of);
    after_fini(&m->after);
    joint_fini(&m->small);
}

/* ---- The least tester ---- */

/* The same LTS with an edge for each kind of a state, so that bisimilar states have the same kinds. */
static void mark_kinds(const struct making *m, const struct lts *l, struct lts *out) {
    struct lts_builder b;
    lts_build_with(&b, &l->labels);
    b.states = l->states;
    b.effort = m->q->effort;
    for (int k = 0; k < 4; k++) {
        char name[] = {'\n', (char)('0' + k), 0};
        uint32_t mark = names_add(&b.labels, name);
        for (uint32_t s = 0; s < l->states; s++)
            if (m->kinds[s] >> k & 1) lts_build_edge(&b, s, mark, s);
    }
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            lts_build_edge(&b, s, e->label, e->target);
    lts_build_finish(&b, out);
}

/* Merges strongly bisimilar states with the same kinds: they find the same. Kinds and names become those of classes. */
static void merge_alike(struct making *m, struct lts *l) {
    struct lts_builder b;
    struct lts marked;
    uint32_t classes;
    mark_kinds(m, l, &marked);
    uint32_t *class_of = lts_partition(&marked, RELATION_STRONG, m->q->effort, &classes);
    lts_fini(&marked);
    if (!class_of) return; /* too many edges: it stays as it is */
    lts_build_with(&b, &l->labels);
    b.states = classes;
    b.initial = class_of[l->initial];
    b.effort = m->q->effort;
    uint8_t *kinds = memory_get_zeroed(classes);
    char **names = memory_get_zeroed(classes * sizeof *names);
    for (uint32_t s = 0; s < l->states; s++) {
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
            lts_build_edge(&b, class_of[s], e->label, class_of[e->target]);
        assert(!names[class_of[s]] || kinds[class_of[s]] == m->kinds[s] || (m->q->effort && m->q->effort->over));
        kinds[class_of[s]] = m->kinds[s];
        if (names[class_of[s]]) free(m->names[s]);
        else names[class_of[s]] = m->names[s];
    }
    free(m->kinds);
    free(m->names);
    free(class_of);
    m->kinds = kinds;
    m->names = names;
    m->states = classes;
    lts_fini(l);
    lts_build_finish(&b, l);
}

static bool too_large(const struct making *m, struct problem *why) {
    if (m->q->effort && m->q->effort->over) return effort_problem(m->q->effort, "making the tester", why);
    return problem_set(
        why, EXIT_INCONCLUSIVE,
        "the tester of %s becomes too large: %u states so far%s. Build the LTSs, and ask onager compare", m->q->name,
        m->states, m->too_many ? ", and more than 4096 ways in which something can be refused after one trace" : "");
}

bool canonical_tester(const struct canonical_question *q, struct tester *out, struct problem *why) {
    struct making m;
    struct lts lts;
    making_init(&m, q);
    state_of(&m, after_start(&m.after, m.small.root[0]));
    for (uint32_t s = 0; s < m.states && !m.too_many && m.states < MOST_STATES && !effort_over(q->effort); s++)
        if (m.set_of[s] != NONE) add_set(&m, m.set_of[s]);
    m.build.states = m.states;
    lts_build_finish(&m.build, &lts);
    bool good = !effort_look(q->effort) && !m.too_many && m.states < MOST_STATES;
    if (good) merge_alike(&m, &lts);
    good = good && !effort_look(q->effort);
    if (good) {
        tester_init(out, q->name, &lts, m.kinds, m.names);
        out->end = m.end;
        out->error = m.error;
        out->other = m.other;
        out->refines = relation_name(q->relation);
    } else {
        lts_fini(&lts);
        too_large(&m, why);
    }
    making_fini(&m);
    return good;
}
