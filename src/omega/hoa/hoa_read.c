#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "omega/hoa/hoa.h"
#include "omega/hoa/hoa_expression.h"
#include "base/memory.h"
#include "base/text.h"

enum { MOST_STATES = 1 << 20, MOST_IMPLICIT = 16, MOST_CHANGES = 12, MOST_FILE_SETS = 64, NONE = UINT32_MAX };

struct reader {
    struct hoa_lexer x;
    struct names propositions;
    struct hoa_aliases aliases;
    char *name;
    bool testing, tester, has_aps, has_acceptance, has_states;
    uint32_t states; /* promised, if has_states */
    uint32_t sets;   /* of the file */
    struct hoa_acceptance acceptance;
    uint32_t finite, deadlock, livelock; /* sets, or NONE */
    uint32_t *start;
    struct ta_initial *initial; /* Start-Value */
    uint32_t starts, start_room, initials, initial_room;
    /* The body. */
    struct state {
        bool defined, labelled;
        uint64_t marks; /* of the file */
        uint32_t first_cube, cubes;
        char *name; /* or NULL */
    } * state;
    uint32_t count, room; /* states that were mentioned */
    struct edge {
        uint32_t source, target;
        uint64_t marks;
        uint32_t first_cube, cubes;
        unsigned line, column;
    } * edge;
    uint32_t edges, edge_room;
    struct cubes cube; /* labels of states and edges */
    bool marks_on_edges, labels_on_states;
};

/* ---- Header ---- */

static bool read_propositions(struct reader *r) {
    uint32_t n = 0;
    if (r->has_aps) return hoa_complain(&r->x, "AP: is there twice");
    if (!hoa_next(&r->x) || !hoa_take_int(&r->x, MOST_PROPOSITIONS + 1, "the number of propositions", &n)) return false;
    for (uint32_t i = 0; i < n; i++) {
        if (r->x.token != HOA_STRING)
            return hoa_complain(&r->x, "AP: promises %u proposition%s, but only %u name%s", n, text_s(n), i,
                                i == 1 ? " follows" : "s follow");
        if (names_find(&r->propositions, r->x.text) != NAMES_NONE)
            return hoa_complain(&r->x, "two propositions are called \"%.40s\"", r->x.text);
        names_add(&r->propositions, r->x.text);
        if (!hoa_next(&r->x)) return false;
    }
    if (r->x.token == HOA_STRING) return hoa_complain(&r->x, "AP: promises only %u proposition%s", n, text_s(n));
    r->has_aps = true;
    return true;
}

static bool read_start(struct reader *r) {
    uint32_t state = 0;
    if (!hoa_next(&r->x) || !hoa_take_int(&r->x, MOST_STATES, "the initial state", &state)) return false;
    if (hoa_is_sign(&r->x, '&'))
        return hoa_complain(&r->x, "a conjunction of initial states (alternation) is not supported");
    MAKE_ROOM(r->start, r->starts, r->start_room);
    r->start[r->starts++] = state;
    return true;
}

/* Start-Value: S P1 P2 ... */
static bool read_start_value(struct reader *r) {
    uint32_t state = 0, p = 0;
    uint64_t value = 0;
    if (!r->has_aps) return hoa_complain(&r->x, "AP: must come before Start-Value:");
    if (!hoa_next(&r->x) || !hoa_take_int(&r->x, MOST_STATES, "the initial state", &state)) return false;
    while (r->x.token == HOA_INT) {
        if (!hoa_take_int(&r->x, r->propositions.count, "the proposition", &p)) return false;
        value |= UINT64_C(1) << p;
    }
    MAKE_ROOM(r->initial, r->initials, r->initial_room);
    r->initial[r->initials++] = (struct ta_initial){value, state};
    return true;
}

static bool read_acceptance(struct reader *r) {
    if (r->has_acceptance) return hoa_complain(&r->x, "Acceptance: is there twice");
    r->has_acceptance = true;
    return hoa_next(&r->x) && hoa_take_int(&r->x, MOST_FILE_SETS + 1, "the number of acceptance sets", &r->sets) &&
           hoa_acceptance(&r->x, r->sets, &r->acceptance);
}

static bool read_kind(struct reader *r, uint32_t *set) {
    if (*set != NONE) return hoa_complain(&r->x, "%s: is there twice", r->x.text);
    return hoa_next(&r->x) && hoa_take_int(&r->x, MOST_FILE_SETS, "the acceptance set", set);
}

static bool read_version(struct reader *r, bool *is) {
    if (!hoa_next(&r->x)) return false;
    if (r->x.token != HOA_IDENTIFIER || strcmp(r->x.text, "v1") != 0)
        return hoa_expected(&r->x, "'v1', the version of the extension");
    *is = true;
    return hoa_next(&r->x);
}

static bool read_states(struct reader *r) {
    if (r->has_states) return hoa_complain(&r->x, "States: is there twice");
    r->has_states = true;
    return hoa_next(&r->x) && hoa_take_int(&r->x, MOST_STATES + 1, "the number of states", &r->states);
}

static bool read_name(struct reader *r) {
    if (!hoa_next(&r->x)) return false;
    if (r->x.token != HOA_STRING) return hoa_expected(&r->x, "a name in quotes");
    free(r->name);
    r->name = memory_copy_string(r->x.text);
    return hoa_next(&r->x);
}

static bool read_alias(struct reader *r) {
    return hoa_next(&r->x) && hoa_add_alias(&r->x, &r->aliases, r->has_aps ? r->propositions.count : UINT32_MAX);
}

/* Items without a meaning for us go unread, unless a capital letter says that they have one. */
static bool skip_item(struct reader *r) {
    if (isupper((unsigned char)r->x.text[0]))
        return hoa_complain(&r->x,
                            "the header item %.40s: is not supported, and its capital letter tells that it must "
                            "not be ignored",
                            r->x.text);
    do
        if (!hoa_next(&r->x)) return false;
    while (r->x.token == HOA_STRING || r->x.token == HOA_INT || r->x.token == HOA_IDENTIFIER);
    return true;
}

static bool read_item(struct reader *r) {
    const char *item = r->x.text;
    if (strcmp(item, "States") == 0) return read_states(r);
    if (strcmp(item, "Start") == 0) return read_start(r);
    if (strcmp(item, "AP") == 0) return read_propositions(r);
    if (strcmp(item, "Alias") == 0) return read_alias(r);
    if (strcmp(item, "Acceptance") == 0) return read_acceptance(r);
    if (strcmp(item, "name") == 0) return read_name(r);
    if (strcmp(item, "Testing") == 0) return read_version(r, &r->testing);
    if (strcmp(item, "Tester") == 0) return read_version(r, &r->tester);
    if (strcmp(item, "Start-Value") == 0) return read_start_value(r);
    if (strcmp(item, "Finite-Acceptance") == 0) return read_kind(r, &r->finite);
    if (strcmp(item, "Deadlock-Acceptance") == 0) return read_kind(r, &r->deadlock);
    if (strcmp(item, "Livelock-Acceptance") == 0) return read_kind(r, &r->livelock);
    return skip_item(r);
}

/* A set that is for another kind of acceptance is there, and the condition does not mention it. */
static bool check_kind(struct reader *r, uint32_t set, uint64_t *taken) {
    if (set == NONE) return true;
    if (set >= r->sets)
        return hoa_complain(&r->x, "acceptance set %u is named in the header, but there are only %u", set, r->sets);
    uint64_t bit = UINT64_C(1) << set;
    for (uint32_t i = 0; i < r->acceptance.count; i++)
        if ((r->acceptance.clause[i].in | r->acceptance.clause[i].out) & bit) *taken |= bit;
    if (*taken & bit)
        return hoa_complain(&r->x,
                            "acceptance set %u has two meanings: in Acceptance:, or for different kinds of "
                            "acceptance",
                            set);
    *taken |= bit;
    return true;
}

static bool check_header(struct reader *r) {
    uint64_t taken = 0;
    if (!r->has_acceptance) return hoa_complain(&r->x, "the header has no Acceptance:");
    if (!check_kind(r, r->finite, &taken) || !check_kind(r, r->deadlock, &taken) || !check_kind(r, r->livelock, &taken))
        return false;
    if (r->livelock != NONE && !r->testing && !r->tester)
        return hoa_complain(&r->x, "livelock acceptance is for testing automata: the header has no 'Testing: v1'");
    if (r->tester && (r->testing || r->starts != 1 || r->acceptance.count > 1))
        return hoa_complain(&r->x,
                            "a tester has one initial state, one acceptance set for infinite acceptance at most, "
                            "and is no testing automaton");
    if (r->initials && !r->testing)
        return hoa_complain(&r->x, "Start-Value: is for testing automata: the header has no 'Testing: v1'");
    if (r->testing && r->acceptance.count > 1)
        return hoa_complain(&r->x, "a testing automaton has one acceptance set for infinite acceptance, not %u",
                            r->acceptance.count);
    if (r->testing && r->propositions.count > MOST_CHANGES)
        return hoa_complain(&r->x, "a testing automaton can have at most %d propositions", MOST_CHANGES);
    return true;
}

static bool read_header(struct reader *r) {
    if (!hoa_next(&r->x)) return false;
    if (r->x.token != HOA_HEADER || strcmp(r->x.text, "HOA") != 0) return hoa_expected(&r->x, "'HOA: v1'");
    if (!hoa_next(&r->x)) return false;
    if (r->x.token != HOA_IDENTIFIER || strcmp(r->x.text, "v1") != 0)
        return hoa_complain(&r->x, "only version v1 of the format is supported");
    if (!hoa_next(&r->x)) return false;
    while (r->x.token == HOA_HEADER)
        if (!read_item(r)) return false;
    if (r->x.token != HOA_BODY) return hoa_expected(&r->x, "a header item or --BODY--");
    return check_header(r) && hoa_next(&r->x);
}

/* ---- Body ---- */

static bool mention(struct reader *r, uint32_t state) {
    if (r->has_states && state >= r->states)
        return hoa_complain(&r->x, "there is no state %u: States: promises %u, from 0 on", state, r->states);
    while (r->count <= state) {
        MAKE_ROOM(r->state, r->count, r->room);
        r->state[r->count++] = (struct state){0};
    }
    return true;
}

/* { 0 1 } */
static bool read_marks(struct reader *r, uint64_t *marks) {
    uint32_t set = 0;
    *marks = 0;
    if (!hoa_is_sign(&r->x, '{')) return true;
    if (!hoa_next(&r->x)) return false;
    while (!hoa_is_sign(&r->x, '}')) {
        if (!hoa_take_int(&r->x, r->sets, "the acceptance set", &set)) return false;
        assert(set < MOST_FILE_SETS);
        *marks |= UINT64_C(1) << set;
    }
    return hoa_next(&r->x);
}

/* [label]; *cubes is NONE if there is none. */
static bool read_label(struct reader *r, uint32_t *first, uint32_t *cubes) {
    *first = r->cube.count;
    *cubes = NONE;
    if (!hoa_is_sign(&r->x, '[')) return true;
    if (!hoa_next(&r->x) || !hoa_label(&r->x, &r->aliases, r->propositions.count, &r->cube) ||
        !hoa_take_sign(&r->x, ']', "']', '&' or '|' in a label"))
        return false;
    *cubes = r->cube.count - *first;
    return true;
}

static uint64_t special_sets(const struct reader *r) {
    uint64_t sets = 0;
    if (r->finite != NONE) sets |= UINT64_C(1) << r->finite;
    if (r->deadlock != NONE) sets |= UINT64_C(1) << r->deadlock;
    if (r->livelock != NONE) sets |= UINT64_C(1) << r->livelock;
    return sets;
}

static bool read_edge(struct reader *r, uint32_t source) {
    struct edge e = {.source = source, .line = r->x.token_line, .column = r->x.token_column};
    if (!read_label(r, &e.first_cube, &e.cubes)) return false;
    if (e.cubes != NONE && r->state[source].labelled)
        return hoa_complain(&r->x, "both state %u and its edge have a label", source);
    if (!hoa_take_int(&r->x, MOST_STATES, "the state that the edge leads to", &e.target)) return false;
    if (hoa_is_sign(&r->x, '&'))
        return hoa_complain(&r->x, "universal branching (a conjunction of states) is not supported");
    if (hoa_is_sign(&r->x, '{')) r->marks_on_edges = true;
    if (!mention(r, e.target) || !read_marks(r, &e.marks)) return false;
    if (e.marks & special_sets(r))
        return hoa_complain(&r->x, "finite, deadlock and livelock acceptance are for states, not for edges");
    if ((r->testing || r->tester) && e.marks)
        return hoa_complain(&r->x, "in a %s, states accept, and edges do not",
                            r->tester ? "tester" : "testing automaton");
    MAKE_ROOM(r->edge, r->edges, r->edge_room);
    r->edge[r->edges++] = e;
    return true;
}

/* Edges without labels are for the valuations 0, 1, 2, ... in order. */
static bool label_implicitly(struct reader *r, uint32_t source, uint32_t first_edge) {
    uint32_t n = r->edges - first_edge, unlabelled = 0, p = r->propositions.count;
    for (uint32_t i = first_edge; i < r->edges; i++) unlabelled += r->edge[i].cubes == NONE;
    if (unlabelled == 0) return true;
    if (unlabelled < n) return hoa_complain(&r->x, "some edges of state %u have labels, and some have not", source);
    if (p > MOST_IMPLICIT || n != 1u << p)
        return hoa_complain(&r->x,
                            "state %u has %u edge%s without labels; with %u proposition%s there must be 2^%u, one "
                            "for each valuation",
                            source, n, text_s(n), p, text_s(p), p);
    for (uint32_t i = 0; i < n; i++) {
        r->edge[first_edge + i].first_cube = r->cube.count;
        r->edge[first_edge + i].cubes = 1;
        cubes_add(&r->cube, cube_of(i, p));
    }
    return true;
}

/* All edges of a state with a label have this label. */
static void label_by_state(struct reader *r, uint32_t source, uint32_t first_edge) {
    for (uint32_t i = first_edge; i < r->edges; i++) {
        assert(r->edge[i].cubes == NONE); /* read_edge has complained of others */
        r->edge[i].first_cube = r->state[source].first_cube;
        r->edge[i].cubes = r->state[source].cubes;
    }
}

static bool read_state(struct reader *r) {
    uint32_t number = 0, first_cube, cubes, first_edge = r->edges;
    if (!hoa_next(&r->x) || !read_label(r, &first_cube, &cubes) ||
        !hoa_take_int(&r->x, MOST_STATES, "the number of the state", &number) || !mention(r, number))
        return false;
    struct state *s = &r->state[number];
    if (s->defined) return hoa_complain(&r->x, "state %u is defined twice", number);
    *s = (struct state){.defined = true, .labelled = cubes != NONE, .first_cube = first_cube, .cubes = cubes};
    if (s->labelled && r->tester)
        return hoa_complain(&r->x, "labels of a tester are on edges: they tell which actions occur");
    if (s->labelled && r->testing)
        return hoa_complain(&r->x, "labels of a testing automaton are on edges: they tell what changes");
    r->labels_on_states |= s->labelled;
    if (r->x.token == HOA_STRING && r->tester) s->name = memory_copy_string(r->x.text);
    if ((r->x.token == HOA_STRING && !hoa_next(&r->x)) || !read_marks(r, &s->marks)) return false;
    while (r->x.token == HOA_INT || hoa_is_sign(&r->x, '['))
        if (!read_edge(r, number)) return false;
    if (r->state[number].labelled) label_by_state(r, number, first_edge);
    else if (!label_implicitly(r, number, first_edge)) return false;
    return true;
}

static bool read_body(struct reader *r) {
    for (uint32_t i = 0; i < r->starts; i++)
        if (!mention(r, r->start[i])) return false;
    for (uint32_t i = 0; i < r->initials; i++)
        if (!mention(r, r->initial[i].state)) return false;
    if (r->states && !mention(r, r->states - 1)) return false;
    while (r->x.token == HOA_HEADER && strcmp(r->x.text, "State") == 0)
        if (!read_state(r)) return false;
    if (r->x.token == HOA_ABORT)
        return hoa_complain(&r->x, "the file ends with --ABORT--: the program that wrote it gave up");
    if (r->x.token != HOA_END) return hoa_expected(&r->x, "'State:', an edge or --END--");
    if (!hoa_next(&r->x)) return false;
    if (r->x.token != HOA_END_OF_FILE)
        return hoa_complain(&r->x, "something follows --END--: only one automaton can be read");
    return true;
}

/* ---- Automata ---- */

static unsigned kinds_of(const struct reader *r, uint64_t marks) {
    unsigned kinds = 0;
    if (r->finite != NONE && (marks >> r->finite & 1)) kinds |= ACCEPT_FINITE;
    if (r->deadlock != NONE && (marks >> r->deadlock & 1)) kinds |= ACCEPT_DEADLOCK;
    if (r->livelock != NONE && (marks >> r->livelock & 1)) kinds |= ACCEPT_LIVELOCK;
    return kinds;
}

/* With labels on states, finite and deadlock acceptance count after the label has been read. So the labels are moved to
 * the edges that lead to the states, and a new initial state gets edges to the old ones. Even where there is no such
 * acceptance, this makes automata that can be reduced better, as nothing must be guessed. */
static bool must_move_labels(const struct reader *r) {
    bool all = r->labels_on_states;
    for (uint32_t s = 0; s < r->count; s++) all &= r->state[s].labelled;
    return all || (r->labels_on_states && (r->finite != NONE || r->deadlock != NONE));
}

static void add_edges(const struct reader *r, struct ba_builder *b, uint32_t source, uint32_t target, uint64_t marks,
                      uint32_t first_cube, uint32_t cubes) {
    for (uint32_t i = 0; i < cubes; i++) ba_build_edge(b, source, r->cube.at[first_cube + i], marks, target);
}

static bool build_buchi(struct reader *r, struct ba *out) {
    struct ba_builder b;
    bool move = must_move_labels(r);
    for (uint32_t s = 0; s < r->count && move; s++)
        if (!r->state[s].labelled)
            return hoa_complain(&r->x,
                                "state %u has no label, but others have: with finite or deadlock acceptance, "
                                "either all states have labels or none has",
                                s);
    ba_build(&b, &r->propositions);
    b.sets = r->acceptance.count;
    b.by_state = r->acceptance.count == 1 && !r->marks_on_edges;
    for (uint32_t s = 0; s < r->count; s++) {
        bool infinite =
            (b.by_state && hoa_marks(&r->acceptance, r->state[s].marks)) || (r->tester && r->acceptance.count == 0);
        ba_build_state(&b, kinds_of(r, r->state[s].marks) | (infinite ? ACCEPT_INFINITE : 0u));
    }
    uint32_t start = move ? ba_build_state(&b, 0) : NONE;
    if (move) ba_build_initial(&b, start);
    for (uint32_t i = 0; i < r->starts; i++) {
        const struct state *s = &r->state[r->start[i]];
        if (move) add_edges(r, &b, start, r->start[i], 0, s->first_cube, s->cubes);
        else ba_build_initial(&b, r->start[i]);
    }
    for (uint32_t i = 0; i < r->edges; i++) {
        const struct edge *e = &r->edge[i];
        const struct state *t = &r->state[e->target];
        uint64_t marks = hoa_marks(&r->acceptance, e->marks | r->state[e->source].marks);
        add_edges(r, &b, e->source, e->target, marks, move ? t->first_cube : e->first_cube, move ? t->cubes : e->cubes);
    }
    ba_build_finish(&b, out);
    return true;
}

/* An edge for each change that the label has. */
static bool add_changes(struct reader *r, struct ta_builder *b, const struct edge *e) {
    uint64_t all = propositions_mask(r->propositions.count);
    for (uint32_t i = 0; i < e->cubes; i++) {
        struct cube c = r->cube.at[e->first_cube + i];
        uint64_t free_ones = all & ~c.care, some = 0;
        do {
            if (!(c.value | some)) {
                r->x.token_line = e->line;
                r->x.token_column = e->column;
                return hoa_complain(&r->x, "this label is satisfied when no proposition changes; a testing automaton "
                                           "does not move then");
            }
            ta_build_edge(b, e->source, c.value | some, e->target);
            some = (some - free_ones) & free_ones;
        } while (some);
    }
    return true;
}

static bool build_testing(struct reader *r, struct ta *out) {
    struct ta_builder b;
    uint64_t changes = 0;
    for (uint32_t i = 0; i < r->starts; i++) {
        bool valued = false;
        for (uint32_t k = 0; k < r->initials; k++) valued |= r->initial[k].state == r->start[i];
        if (!valued) return hoa_complain(&r->x, "initial state %u has no Start-Value:", r->start[i]);
    }
    for (uint32_t i = 0; i < r->cube.count; i++)
        changes += UINT64_C(1) << (r->propositions.count - (uint32_t)__builtin_popcountll(r->cube.at[i].care));
    if (changes > 1 << 22) return hoa_complain(&r->x, "the labels stand for more than four million changes");
    ta_build(&b, &r->propositions);
    for (uint32_t s = 0; s < r->count; s++) {
        bool infinite = r->acceptance.count == 0 || hoa_marks(&r->acceptance, r->state[s].marks);
        ta_build_state(&b, 0, kinds_of(r, r->state[s].marks) | (infinite ? ACCEPT_INFINITE : 0u));
    }
    for (uint32_t i = 0; i < r->initials; i++) ta_build_initial(&b, r->initial[i].state, r->initial[i].value);
    for (uint32_t i = 0; i < r->edges; i++)
        if (!add_changes(r, &b, &r->edge[i])) {
            ta_build_drop(&b);
            return false;
        }
    ta_build_finish(&b, out);
    return true;
}

static bool check_tester(struct reader *r, bool tester) {
    if (r->tester == tester) return true;
    return hoa_complain(&r->x, tester ? "this is no tester: the header has no 'Tester: v1'"
                                      : "this is a tester, which is for: onager check MODEL --tester FILE.hoa");
}

/* Names of states go to the caller, or away. */
static char **take_names(struct reader *r, bool wanted) {
    char **names = wanted ? memory_get_zeroed((r->count + UINT64_C(1)) * sizeof *names) : NULL;
    for (uint32_t s = 0; s < r->count; s++) {
        if (names) names[s] = r->state[s].name;
        else free(r->state[s].name);
    }
    return names;
}

bool hoa_parse_any(const char *text, size_t size, const char *name, bool tester, struct hoa *out, struct problem *why) {
    struct reader r = {.finite = NONE, .deadlock = NONE, .livelock = NONE};
    *out = (struct hoa){0};
    hoa_lex_start(&r.x, text, size, name, why);
    names_init(&r.propositions);
    bool fine = read_header(&r) && check_tester(&r, tester) && read_body(&r) &&
                (r.testing ? build_testing(&r, &out->ta) : build_buchi(&r, &out->ba));
    out->testing = r.testing;
    out->tester = r.tester;
    out->name = fine ? r.name : NULL;
    out->state_name = take_names(&r, fine && tester);
    if (!fine) free(r.name);
    names_fini(&r.propositions);
    hoa_aliases_fini(&r.aliases);
    cubes_fini(&r.cube);
    free(r.start);
    free(r.initial);
    free(r.state);
    free(r.edge);
    hoa_lex_fini(&r.x);
    return fine;
}
