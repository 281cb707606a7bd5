#include "cli/ltl_equality.h"

#include <stdlib.h>
#include <string.h>

#include "omega/complement.h"
#include "omega/convert.h"
#include "omega/difference.h"
#include "omega/intersection.h"
#include "omega/simplify.h"
#include "base/memory.h"
#include "report/report.h"
#include "omega/automaton_word.h"
#include "omega/ltl/ltl_word.h"

/* One of the two, as an automaton over the propositions of both. */
struct side {
    struct subject *s;
    struct ba ba, complement;
    bool has_complement;
    uint32_t own[MOST_PROPOSITIONS]; /* of each of its propositions, the number among all */
};

struct pair {
    struct side side[2];
    struct names propositions;
    bool finite; /* finite sequences count */
    bool first;  /* which of them accepts the sequence that was found */
};

static const struct names *propositions_of(const struct subject *s) { return &s->ba.propositions; }

/* ---- Finite sequences ---- */

/* Does it say which finite sequences it accepts? Büchi automata of other programs do not. */
static bool knows_finite(const struct subject *s) {
    if (s->from_formula || s->given.testing) return true;
    return accept_kinds(s->given.ba.accept, s->given.ba.states) & (ACCEPT_FINITE | ACCEPT_DEADLOCK);
}

/* Of two formulas, finite sequences follow the infinite ones that repeat the last valuation. */
static bool finite_counts(const struct subject *a, const struct subject *b) {
    return !a->o->infinite_only && !(a->from_formula && b->from_formula) && knows_finite(a) && knows_finite(b);
}

/* ---- Automata ---- */

static void read_as(struct ba *a, const struct names *propositions, struct ba *out) {
    struct ba infinite;
    ba_remove_finite(a, &infinite);
    ba_read_as(&infinite, propositions, out);
    ba_fini(&infinite);
}

/* Of a deterministic testing automaton, the Büchi automaton is often not deterministic; so this is done before. */
static bool complement_testing(const struct subject *s, struct ba *out) {
    struct problem ignored = {0};
    struct ta other;
    if (!ta_complement(&s->ta, &other)) return false;
    bool good = ba_from_ta(&other, out, &ignored);
    ta_fini(&other);
    problem_fini(&ignored);
    return good;
}

static bool find_complement(struct side *x, const struct names *propositions, struct problem *why) {
    struct ba made;
    if (x->s->from_formula) {
        if (!subject_find_complement(x->s, why)) return false;
        read_as(&x->s->complement, propositions, &x->complement);
        return x->has_complement = true;
    }
    x->has_complement = x->s->given.testing && complement_testing(x->s, &made);
    if (x->has_complement) {
        read_as(&made, propositions, &x->complement);
        ba_fini(&made);
    }
    return true;
}

static bool side_init(struct side *x, struct pair *p, struct problem *why) {
    struct ba extended;
    const struct names *own = propositions_of(x->s);
    for (uint32_t i = 0; i < own->count; i++) x->own[i] = names_find(&p->propositions, own->text[i]);
    if (p->finite && x->s->from_formula) {
        ba_extend_deadlocks(&x->s->ba, &extended);
        read_as(&extended, &p->propositions, &x->ba);
        ba_fini(&extended);
    } else {
        read_as(&x->s->ba, &p->propositions, &x->ba);
    }
    return find_complement(x, &p->propositions, why);
}

static void side_fini(struct side *x) {
    ba_fini(&x->ba);
    if (x->has_complement) ba_fini(&x->complement);
}

/* ---- A second opinion ---- */

/* By the definitions, of the formula or of the automaton as it is in the file. */
static bool accepts(const struct side *x, const struct sequence *w) {
    uint32_t n = w->count, count = propositions_of(x->s)->count;
    bool last_again = x->s->from_formula && w->cycle == n, result;
    uint64_t *at = memory_get_zeroed((n + UINT64_C(1)) * sizeof *at);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t p = 0; p < count; p++) at[i] |= (w->at[i] >> x->own[p] & 1) << p;
    if (last_again) at[n] = at[n - 1];
    if (x->s->from_formula) result = ltl_word_satisfies(&x->s->ltl, x->s->formula, at, n + last_again, w->cycle);
    else if (x->s->given.testing) result = automaton_word_ta(&x->s->given.ta, at, n, w->cycle);
    else result = automaton_word_ba(&x->s->given.ba, at, n, w->cycle);
    free(at);
    return result;
}

static bool tells_apart(const void *context, const struct sequence *w) {
    const struct pair *p = context;
    return accepts(&p->side[!p->first], w) && !accepts(&p->side[p->first], w);
}

/* ---- What is said ---- */

static const char *unsaid(const struct pair *p) {
    const struct subject *a = p->side[0].s, *b = p->side[1].s;
    if (p->finite || a->o->infinite_only || knows_finite(a) == knows_finite(b)) return NULL;
    return knows_finite(a) ? "the second has neither finite nor deadlock acceptance"
                           : "the first has neither finite nor deadlock acceptance";
}

static void show_subject(const char *which, const struct subject *s, const char *path) {
    if (s->from_formula) printf("%s: %s\n", which, s->name);
    else if (s->name) printf("%s: %s (%s)\n", which, path, s->name);
    else printf("%s: %s\n", which, path);
}

static void show(const struct pair *p, bool same, const struct sequence *word) {
    const struct subject *s = p->side[0].s;
    show_subject("first", s, s->o->hoa ? s->o->hoa : s->o->model);
    show_subject("second", p->side[1].s, s->o->equals);
    printf("the same language: %s\n", same ? "yes" : "no");
    if (!same) {
        printf("accepted by the %s only: ", p->first ? "first" : "second");
        sequence_write(word, &p->propositions, stdout);
        printf("%s\n", word->cycle == word->count ? " (finite)" : "");
    } else if (unsaid(p)) {
        printf("of infinite sequences; finite ones were not compared: %s\n", unsaid(p));
    }
}

static json_t *part_json(const struct pair *p, const struct sequence *w, uint32_t from, uint32_t to) {
    json_t *list = json_array();
    for (uint32_t i = from; i < to; i++) {
        json_t *set = json_array();
        for (uint32_t k = 0; k < p->propositions.count; k++)
            if (w->at[i] >> k & 1) json_array_append_new(set, json_string(p->propositions.text[k]));
        json_array_append_new(list, set);
    }
    return list;
}

static bool write_json(const struct pair *p, bool same, const struct sequence *w, struct problem *why) {
    json_t *d = json_pack("{s:b, s:b}", "same", (int)same, "finite_compared", (int)p->finite);
    if (!same) {
        bool ends = w->cycle == w->count;
        json_object_set_new(d, "accepted_by", json_string(p->first ? "first" : "second"));
        json_object_set_new(d, "prefix", part_json(p, w, 0, w->cycle));
        json_object_set_new(d, "cycle", ends ? json_null() : part_json(p, w, w->cycle, w->count));
    }
    bool good = report_write_json(d, p->side[0].s->o->json, why);
    json_decref(d);
    return good;
}

static bool tell(const struct pair *p, bool same, const struct sequence *word, struct problem *why) {
    const char *json = p->side[0].s->o->json;
    if (json && !write_json(p, same, word, why)) return false;
    if (!json || strcmp(json, "-") != 0) show(p, same, word);
    return true;
}

/* ---- The question ---- */

static int compare(struct pair *p, struct problem *why) {
    struct language a = {&p->side[0].ba, p->side[0].has_complement ? &p->side[0].complement : NULL};
    struct language b = {&p->side[1].ba, p->side[1].has_complement ? &p->side[1].complement : NULL};
    struct sequence word = {0};
    enum outcome found = language_difference(&a, &b, p->finite, &word, &p->first, why);
    int status = found == OUTCOME_FOUND ? EXIT_VIOLATED : EXIT_HOLDS;
    if (found == OUTCOME_FOUND && tells_apart(p, &word)) sequence_shorten(&word, p->propositions.count, tells_apart, p);
    else if (found == OUTCOME_FOUND)
        problem_set(why, EXIT_INTERNAL, "internal error: the sequence that was found does not tell them apart");
    if (found == OUTCOME_GIVEN_UP || why->status || !tell(p, found == OUTCOME_NONE, &word, why))
        status = why->status ? (int)why->status : EXIT_INTERNAL;
    sequence_fini(&word);
    return status;
}

int ltl_equals(struct subject *first, struct subject *second, struct problem *why) {
    struct pair p = {.side = {{.s = first}, {.s = second}}, .finite = finite_counts(first, second)};
    names_copy(&p.propositions, propositions_of(first));
    for (uint32_t i = 0; i < propositions_of(second)->count; i++)
        names_add(&p.propositions, propositions_of(second)->text[i]);
    int status = EXIT_BAD_INPUT;
    if (p.propositions.count > MOST_PROPOSITIONS)
        problem_set(why, EXIT_BAD_INPUT, "the two have %u propositions together; at most %d are possible",
                    p.propositions.count, MOST_PROPOSITIONS);
    else if (side_init(&p.side[0], &p, why) && side_init(&p.side[1], &p, why)) status = compare(&p, why);
    else status = (int)why->status;
    side_fini(&p.side[0]);
    side_fini(&p.side[1]);
    names_fini(&p.propositions);
    return status;
}
