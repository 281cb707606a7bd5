/* Inclusion of languages. For infinite sequences: all that a word does to the two automata is a pair (arc, box). The
 * arc tells from where to where a can go on reading the word, and whether it passes all its acceptance; the box tells
 * the same of b, for all pairs of states. There are finitely many; they are found by appending letters to words. a
 * accepts some sequence u v v v ... that b does not if there are two such pairs, one for u and one for v, for which
 * that can be seen in a finite graph; and if two languages differ at all, they differ in such a sequence. Words are
 * found shortest first, and each remembers the word that it prolongs, so that u and v can be told. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "omega/convert.h"
#include "omega/automaton_graph.h"
#include "omega/intersection.h"
#include "omega/sequence.h"
#include "algo/table.h"
#include "base/memory.h"

#define NONE UINT32_MAX

enum { MOST_STATES = 64, MOST_LETTERS = 1024, MOST_EFFECTS = 60000, MOST_BOXES = 40000, MOST_CHOICES = 100000 };

/* Bit t of reach[s]: the word leads from s to t; of accept[s]: so that it passes an accepting state. */
struct box {
    uint64_t reach[MOST_STATES], accept[MOST_STATES];
};

/* What a word does. */
struct effect {
    uint32_t from, to; /* states of a */
    bool accept;
    uint32_t box;            /* its number */
    uint32_t before, letter; /* the word: that of another effect, or NONE, and one more letter */
};

struct inclusion {
    const struct ba *a, *b;
    uint64_t *letter; /* valuations that stand for all others */
    uint32_t letters;
    struct box *box;
    uint32_t boxes, box_room;
    struct table box_table;
    struct effect *effect;
    uint32_t effects, effect_room;
    struct table effect_table;
    uint32_t *letter_box; /* the boxes of single letters */
};

static uint64_t mix(uint64_t h, uint64_t x) {
    h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

/* ---- Letters ---- */

/* Splits valuations until no label of either automaton tells any two of a part apart. */
static bool find_letters(struct inclusion *x, struct cube c) {
    const struct ba *both[2] = {x->a, x->b};
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0; k < both[i]->edges; k++) {
            uint64_t open = both[i]->edge[k].label.care & ~c.care, p = open & (~open + 1);
            if (!open || !cube_meets(both[i]->edge[k].label, c)) continue;
            return find_letters(x, (struct cube){c.care | p, c.value | p}) &&
                   find_letters(x, (struct cube){c.care | p, c.value});
        }
    if (x->letters == MOST_LETTERS) return false;
    x->letter[x->letters++] = c.value;
    return true;
}

/* ---- Boxes ---- */

static uint32_t hash_box(const struct box *b, uint32_t states) {
    uint64_t h = 0;
    for (uint32_t s = 0; s < states; s++) h = mix(mix(h, b->reach[s]), b->accept[s]);
    return (uint32_t)(h >> 32);
}

static bool same_box(const void *inclusion, const void *wanted, uint32_t number) {
    return memcmp(&((const struct inclusion *)inclusion)->box[number], wanted, sizeof(struct box)) == 0;
}

static uint32_t hash_of_box(const void *inclusion, uint32_t number) {
    const struct inclusion *x = inclusion;
    return hash_box(&x->box[number], x->b->states);
}

static uint32_t box_number(struct inclusion *x, const struct box *b) {
    uint32_t *cell = table_find(&x->box_table, hash_box(b, x->b->states), same_box, x, b);
    if (*cell) return *cell - 1;
    MAKE_ROOM(x->box, x->boxes, x->box_room);
    x->box[x->boxes++] = *b;
    return table_put(&x->box_table, cell, hash_of_box, x);
}

static void letter_box(const struct inclusion *x, uint64_t letter, struct box *out) {
    memset(out, 0, sizeof *out);
    for (uint32_t s = 0; s < x->b->states; s++)
        for (const struct ba_edge *e = ba_next(x->b, s, letter, ba_begin(x->b, s)); e < ba_end(x->b, s);
             e = ba_next(x->b, s, letter, e + 1)) {
            out->reach[s] |= UINT64_C(1) << e->target;
            if (e->marks) out->accept[s] |= UINT64_C(1) << e->target;
        }
}

static void compose(const struct inclusion *x, const struct box *f, const struct box *g, struct box *out) {
    memset(out, 0, sizeof *out);
    for (uint32_t s = 0; s < x->b->states; s++)
        for (uint64_t rest = f->reach[s]; rest; rest &= rest - 1) {
            uint32_t t = (uint32_t)__builtin_ctzll(rest);
            out->reach[s] |= g->reach[t];
            out->accept[s] |= f->accept[s] >> t & 1 ? g->reach[t] : g->accept[t];
        }
}

/* ---- Effects ---- */

static uint32_t hash_of_effect(const void *effects, uint32_t number) {
    const struct effect *e = (const struct effect *)effects + number;
    return (uint32_t)(mix(mix(mix(e->box, e->from), e->to), e->accept) >> 32);
}

static bool same_effect(const void *effects, const void *wanted, uint32_t number) {
    const struct effect *f = (const struct effect *)effects + number, *e = wanted;
    return f->from == e->from && f->to == e->to && f->accept == e->accept && f->box == e->box;
}

static bool add_effect(struct inclusion *x, struct effect e) {
    uint32_t *cell = table_find(&x->effect_table, hash_of_effect(&e, 0), same_effect, x->effect, &e);
    if (*cell) return true;
    if (x->effects == MOST_EFFECTS) return false;
    MAKE_ROOM(x->effect, x->effects, x->effect_room);
    x->effect[x->effects++] = e;
    table_put(&x->effect_table, cell, hash_of_effect, x->effect);
    return true;
}

/* All that a can do with one more letter after effect `before`, which e is. */
static bool append(struct inclusion *x, struct effect e, uint32_t before, uint32_t letter, uint32_t box) {
    uint64_t v = x->letter[letter];
    for (const struct ba_edge *f = ba_next(x->a, e.to, v, ba_begin(x->a, e.to)); f < ba_end(x->a, e.to);
         f = ba_next(x->a, e.to, v, f + 1))
        if (!add_effect(x, (struct effect){e.from, f->target, e.accept || f->marks, box, before, letter})) return false;
    return true;
}

static bool find_effects(struct inclusion *x) {
    for (uint32_t i = 0; i < x->letters; i++) {
        struct box b;
        letter_box(x, x->letter[i], &b);
        x->letter_box[i] = box_number(x, &b);
        for (uint32_t s = 0; s < x->a->states; s++)
            if (!append(x, (struct effect){.from = s, .to = s}, NONE, i, x->letter_box[i])) return false;
    }
    for (uint32_t i = 0; i < x->effects; i++)
        for (uint32_t k = 0; k < x->letters; k++) {
            struct box b;
            compose(x, &x->box[x->effect[i].box], &x->box[x->letter_box[k]], &b);
            if (!append(x, x->effect[i], i, k, box_number(x, &b)) || x->boxes > MOST_BOXES) return false;
        }
    return true;
}

/* The states of b from which the word of this box can be read for ever, so that b accepts. */
static uint64_t accepting_from(const struct inclusion *x, const struct box *v) {
    uint64_t good = 0, closure[MOST_STATES];
    uint32_t n = x->b->states;
    for (uint32_t s = 0; s < n; s++) closure[s] = v->reach[s];
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t s = 0; s < n; s++)
            if (closure[s] >> k & 1) closure[s] |= closure[k];
    for (uint32_t s = 0; s < n; s++)
        for (uint64_t rest = v->accept[s]; rest; rest &= rest - 1) {
            uint32_t t = (uint32_t)__builtin_ctzll(rest);
            if (t == s || closure[t] >> s & 1) good |= UINT64_C(1) << s;
        }
    uint64_t result = good;
    for (uint32_t s = 0; s < n; s++)
        if (closure[s] & good) result |= UINT64_C(1) << s;
    return result;
}

static bool has_initial(const struct ba *a, uint32_t s) {
    for (uint32_t i = 0; i < a->initials; i++)
        if (a->initial[i] == s) return true;
    return false;
}

/* Where b may be after the word of this box. */
static uint64_t after(const struct inclusion *x, const struct box *u) {
    uint64_t result = 0;
    for (uint32_t i = 0; i < x->b->initials; i++) result |= u->reach[x->b->initial[i]];
    return result;
}

struct stem {
    uint32_t to;
    uint64_t after;
    uint32_t effect; /* NONE: nothing was read */
};

/* What matters of a stem is where it leads a and b; there may be few of these. */
static uint32_t find_stems(const struct inclusion *x, struct stem *stem) {
    uint32_t stems = 0;
    uint64_t start = 0;
    for (uint32_t i = 0; i < x->b->initials; i++) start |= UINT64_C(1) << x->b->initial[i];
    for (uint32_t i = 0; i < x->a->initials; i++) stem[stems++] = (struct stem){x->a->initial[i], start, NONE};
    for (uint32_t i = 0; i < x->effects; i++) {
        struct stem s = {x->effect[i].to, after(x, &x->box[x->effect[i].box]), i};
        bool known = !has_initial(x->a, x->effect[i].from);
        for (uint32_t k = 0; k < stems && !known; k++) known = stem[k].to == s.to && stem[k].after == s.after;
        if (!known) stem[stems++] = s;
    }
    return stems;
}

/* The word of an effect, added to a sequence. */
static void take_word(const struct inclusion *x, uint32_t effect, struct sequence *out) {
    if (effect == NONE) return;
    assert(x->effect[effect].before == NONE || x->effect[effect].before < effect); /* shorter words are found first */
    take_word(x, x->effect[effect].before, out);
    sequence_add(out, x->letter[x->effect[effect].letter]);
}

/* Is there a stem u and a cycle v, such that a accepts u v v v ... and b does not? */
static bool refuted(const struct inclusion *x, struct sequence *word) {
    struct stem *stem = memory_get((x->effects + x->a->initials + 1) * sizeof *stem);
    uint32_t stems = find_stems(x, stem);
    bool found = false;
    for (uint32_t i = 0; i < x->effects && !found; i++) {
        const struct effect *e = &x->effect[i];
        if (e->from != e->to || !e->accept) continue;
        uint64_t good = accepting_from(x, &x->box[e->box]);
        for (uint32_t k = 0; k < stems && !found; k++) {
            found = stem[k].to == e->from && (stem[k].after & good) == 0;
            if (!found || !word) continue;
            take_word(x, stem[k].effect, word);
            word->cycle = word->count;
            take_word(x, i, word);
        }
    }
    free(stem);
    return found;
}

static bool too_large(struct problem *why) {
    return problem_set(why, EXIT_INCONCLUSIVE, "the automata are too large to be compared");
}

static bool same_propositions(const struct ba *a, const struct ba *b) {
    if (a->propositions.count != b->propositions.count) return false;
    for (uint32_t i = 0; i < a->propositions.count; i++)
        if (strcmp(a->propositions.text[i], b->propositions.text[i]) != 0) return false;
    return true;
}

bool ba_included(const struct ba *a, const struct ba *b, bool *answer, struct sequence *word, struct problem *why) {
    struct ba x_a, x_b;
    struct inclusion x = {0};
    if (!same_propositions(a, b))
        return problem_set(why, EXIT_BAD_INPUT, "only automata with the same propositions can be compared");
    ba_degeneralise(a, NULL, &x_a);
    ba_degeneralise(b, NULL, &x_b);
    x.a = &x_a;
    x.b = &x_b;
    x.letter = memory_get(MOST_LETTERS * sizeof *x.letter);
    x.letter_box = memory_get(MOST_LETTERS * sizeof *x.letter_box);
    table_init(&x.box_table, 64);
    table_init(&x.effect_table, 256);
    bool fine = x_b.states <= MOST_STATES && find_letters(&x, (struct cube){0, 0}) && find_effects(&x);
    if (fine) *answer = !refuted(&x, word);
    free(x.letter);
    free(x.letter_box);
    free(x.box);
    table_fini(&x.box_table);
    free(x.effect);
    table_fini(&x.effect_table);
    ba_fini(&x_a);
    ba_fini(&x_b);
    return fine || too_large(why);
}

/* ---- Finite sequences: pairs of a state of a, and all states where b can be ---- */

struct choice {
    uint32_t state;
    uint64_t set;
    uint32_t before; /* the choice that it was found from; NONE: it is initial */
    uint32_t letter;
};

struct choices {
    struct choice *at;
    uint32_t count, room;
    struct table table;
};

static uint64_t step(const struct ba *b, uint64_t set, uint64_t letter) {
    uint64_t result = 0;
    for (uint64_t rest = set; rest; rest &= rest - 1) {
        uint32_t s = (uint32_t)__builtin_ctzll(rest);
        for (const struct ba_edge *e = ba_next(b, s, letter, ba_begin(b, s)); e < ba_end(b, s);
             e = ba_next(b, s, letter, e + 1))
            result |= UINT64_C(1) << e->target;
    }
    return result;
}

static bool ends_well(const struct ba *b, uint64_t set) {
    for (; set; set &= set - 1)
        if (b->accept[__builtin_ctzll(set)] & ACCEPT_DEADLOCK) return true;
    return false;
}

static uint32_t hash_of_choice(const void *choices, uint32_t number) {
    const struct choice *c = (const struct choice *)choices + number;
    return (uint32_t)(mix(mix(0, c->state), c->set) >> 32);
}

static bool same_choice(const void *choices, const void *wanted, uint32_t number) {
    const struct choice *d = (const struct choice *)choices + number, *c = wanted;
    return d->state == c->state && d->set == c->set;
}

static bool add_choice(struct choices *l, struct choice c) {
    uint32_t *cell = table_find(&l->table, hash_of_choice(&c, 0), same_choice, l->at, &c);
    if (*cell) return true;
    if (l->count == MOST_CHOICES) return false;
    MAKE_ROOM(l->at, l->count, l->room);
    l->at[l->count++] = c;
    table_put(&l->table, cell, hash_of_choice, l->at);
    return true;
}

static void take_choices(const struct choices *l, const struct inclusion *x, uint32_t last, struct sequence *out) {
    if (l->at[last].before == NONE) return;
    assert(l->at[last].before < last);
    take_choices(l, x, l->at[last].before, out);
    sequence_add(out, x->letter[l->at[last].letter]);
}

/* All that follows choice i. *wrong: a accepts there and b does not, after this letter, or NONE. False: too many. */
static bool spread(struct choices *l, const struct inclusion *x, uint32_t i, uint32_t *wrong) {
    for (uint32_t k = 0; k < x->letters; k++) {
        struct choice c = l->at[i];
        uint64_t set = step(x->b, c.set, x->letter[k]);
        bool fine = ends_well(x->b, set);
        for (const struct ba_edge *e = ba_next(x->a, c.state, x->letter[k], ba_begin(x->a, c.state));
             e < ba_end(x->a, c.state); e = ba_next(x->a, c.state, x->letter[k], e + 1)) {
            if (!fine && (x->a->accept[e->target] & ACCEPT_DEADLOCK)) return *wrong = k, true;
            if (!add_choice(l, (struct choice){e->target, set, i, k})) return false;
        }
    }
    return true;
}

bool ba_finite_included(const struct ba *a, const struct ba *b, bool *answer, struct sequence *word,
                        struct problem *why) {
    struct inclusion x = {.a = a, .b = b};
    struct choices l = {0};
    uint32_t wrong = NONE;
    uint64_t start = 0;
    if (!same_propositions(a, b))
        return problem_set(why, EXIT_BAD_INPUT, "only automata with the same propositions can be compared");
    if (b->states > MOST_STATES) return too_large(why);
    x.letter = memory_get(MOST_LETTERS * sizeof *x.letter);
    table_init(&l.table, 256);
    bool fine = find_letters(&x, (struct cube){0, 0});
    for (uint32_t i = 0; i < b->initials; i++) start |= UINT64_C(1) << b->initial[i];
    for (uint32_t i = 0; i < a->initials && fine; i++)
        fine = add_choice(&l, (struct choice){a->initial[i], start, NONE, 0});
    for (uint32_t i = 0; i < l.count && fine && wrong == NONE; i++) {
        fine = spread(&l, &x, i, &wrong);
        if (wrong == NONE || !word) continue;
        take_choices(&l, &x, i, word);
        sequence_add(word, x.letter[wrong]);
        word->cycle = word->count;
    }
    if (fine) *answer = wrong == NONE;
    free(l.at);
    table_fini(&l.table);
    free(x.letter);
    return fine || too_large(why);
}
