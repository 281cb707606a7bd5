#include "reduce/audit.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reduce/closure.h"
#include "reduce/likeness.h"

/* The states x that outside words lead to, in breadth-first order, in parallel with y, where t leads from them. */
struct outside {
    word *x, *y;                /* y[i] is undefined if t is disabled in s */
    uint32_t *parent;           /* index of the state before it */
    uint32_t *label;            /* the outside transition between them */
    uint32_t count, most, room; /* at most `most` now, and ever `room` */
    uint32_t *heads, *chain;    /* hash table of x by index; UINT32_MAX ends a chain */
    uint32_t buckets;
};

struct audit {
    struct ts *ts;
    struct ts_worker *w;
    struct ts_batch from_x, from_y; /* one state each */
    struct outside o;
    uint32_t *list, *stack; /* obligations, and transitions whose obligations are not yet followed */
    bool *set, *enabled;
    unsigned asked; /* checks that must be symmetric */
    struct audit_effort effort;
    bool bad;          /* s is a bad state: a search ends there */
    uint32_t *word_of; /* an outside word */
    word *one, *two, *images, *other_images;
};

const char *audit_text(enum audit_fault fault) {
    switch (fault) {
    case AUDIT_FINE: return "no fault";
    case AUDIT_D1_ENABLED: return "D1 is violated: transitions outside the set enable a disabled member";
    case AUDIT_D2: return "D2 is violated: transitions outside the set disable an enabled member";
    case AUDIT_D1_DISABLES: return "D1 is violated: an enabled member disables a transition outside the set";
    case AUDIT_D1_DIFFERS: return "D1 is violated: a member and a transition outside the set do not commute";
    case AUDIT_CHECK_LOST:
        return "check_state is not accounted for: a member of the set leads away from a bad state that "
               "transitions outside the set lead to";
    case AUDIT_SUCCESSORS: return "symmetry: a state and its representative have different successors";
    case AUDIT_CHECK_DIFFERS: return "symmetry: a check answers differently on a state and on its representative";
    case AUDIT_NOT_IDEMPOTENT: return "the representative of a representative is another state: reduction is lost";
    case AUDIT_CHANGES: return "CHANGES: a transition changes a proposition that it is said not to change";
    case AUDIT_SEEN: return "observable: a transition is visible, and .observable says that it is not";
    case AUDIT_SEEN_OF_OTHER:
        return "observable: a transition changes what is visible of another one, and .observable says "
               "that it is not visible";
    case AUDIT_MODEL: return "the model's code failed";
    }
    return "?";
}

struct audit *audit_new(struct ts *ts, struct ts_worker *w, uint32_t most) {
    struct audit *a = memory_get_zeroed(sizeof *a);
    size_t state = ts->words * sizeof(word), n = ts->transitions;
    a->ts = ts;
    a->w = w;
    ts_batch_init(&a->from_x, ts, 1);
    ts_batch_init(&a->from_y, ts, 1);
    a->o.most = a->o.room = most;
    a->asked = UINT_MAX;
    for (a->o.buckets = 64; a->o.buckets < 2 * most;) a->o.buckets *= 2;
    a->o.x = memory_get(most * state);
    a->o.y = memory_get(most * state);
    a->o.parent = memory_get(most * sizeof(uint32_t));
    a->o.label = memory_get(most * sizeof(uint32_t));
    a->o.chain = memory_get(most * sizeof(uint32_t));
    a->o.heads = memory_get(a->o.buckets * sizeof(uint32_t));
    memset(a->o.heads, 0xff, a->o.buckets * sizeof(uint32_t));
    a->list = memory_get(n * sizeof(uint32_t));
    a->stack = memory_get(n * sizeof(uint32_t));
    a->set = memory_get(n);
    a->enabled = memory_get(n);
    a->word_of = memory_get(most * sizeof(uint32_t));
    a->one = memory_get(state);
    a->two = memory_get(state);
    a->images = memory_get(n * state);
    a->other_images = memory_get(n * state);
    return a;
}

void audit_free(struct audit *a) {
    if (!a) return;
    ts_batch_fini(&a->from_x);
    ts_batch_fini(&a->from_y);
    void *all[] = {a->o.x, a->o.y,     a->o.parent, a->o.label, a->o.chain, a->o.heads,      a->list,    a->stack,
                   a->set, a->word_of, a->one,      a->two,     a->images,  a->other_images, a->enabled, a};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
}

void audit_bound(struct audit *a, uint32_t most) { a->o.most = most < a->o.room ? most : a->o.room; }
void audit_ask(struct audit *a, unsigned checks) { a->asked = checks; }
struct audit_effort audit_effort(const struct audit *a) {
    return a->effort;
}

static bool same(const struct audit *a, const word *x, const word *y) {
    return memcmp(x, y, a->ts->words * sizeof(word)) == 0;
}

/* ---- Outside states ---- */

static uint32_t bucket(const struct audit *a, const word *x) {
    uint64_t h = 0;
    for (uint32_t i = 0; i < a->ts->words; i++) h = (h ^ x[i]) * UINT64_C(0x9e3779b97f4a7c15), h ^= h >> 29;
    return (uint32_t)(h >> 32) & (a->o.buckets - 1);
}

static const word *outside_x(const struct audit *a, uint32_t i) { return a->o.x + (size_t)i * a->ts->words; }
static word *outside_y(const struct audit *a, uint32_t i) { return a->o.y + (size_t)i * a->ts->words; }

/* Forgets all; what is not in use is not touched, for most states have little beside them. */
static void outside_clear(struct audit *a) {
    for (uint32_t i = 0; i < a->o.count; i++) a->o.heads[bucket(a, outside_x(a, i))] = UINT32_MAX;
    a->o.count = 0;
}

/* The index of x, or UINT32_MAX. */
static uint32_t outside_find(const struct audit *a, const word *x) {
    for (uint32_t i = a->o.heads[bucket(a, x)]; i != UINT32_MAX; i = a->o.chain[i])
        if (same(a, outside_x(a, i), x)) return i;
    return UINT32_MAX;
}

static void outside_add(struct audit *a, const word *x, const word *y, uint32_t parent, uint32_t label) {
    uint32_t i = a->o.count++, b = bucket(a, x);
    size_t size = a->ts->words * sizeof(word);
    memcpy(a->o.x + (size_t)i * a->ts->words, x, size);
    if (y) memcpy(outside_y(a, i), y, size);
    assert(i < a->o.room && parent <= i);
    a->o.parent[i] = parent;
    a->o.label[i] = label;
    a->o.chain[i] = a->o.heads[b];
    a->o.heads[b] = i;
}

/* ---- Findings ---- */

static bool found(struct audit *a, struct audit_finding *f, enum audit_fault fault, uint32_t t, uint32_t other,
                  uint32_t at) {
    *f = (struct audit_finding){.fault = fault, .transition = t, .other = other, .set = a->set, .outside = a->word_of};
    assert(at < a->o.count);
    for (uint32_t i = at; i != 0; i = a->o.parent[i]) f->outside_count++;
    for (uint32_t i = at, k = f->outside_count; i != 0; i = a->o.parent[i]) a->word_of[--k] = a->o.label[i];
    return false;
}

static bool model_failed(struct audit_finding *f, const struct ts_fault *fault) {
    *f = (struct audit_finding){
        .fault = AUDIT_MODEL, .transition = fault->transition, .other = TS_NONE, .model = *fault};
    return false;
}

/* Model code failed at the end of a word from s, which is told: to outside state `at`, and t before it unless that is
 * TS_NONE. */
static bool failed_at(struct audit *a, struct audit_finding *f, uint32_t t, uint32_t at) {
    uint32_t count = t != TS_NONE;
    for (uint32_t i = at; i != 0; i = a->o.parent[i]) count++;
    f->outside = a->word_of;
    f->outside_count = count;
    for (uint32_t i = at; i != 0; i = a->o.parent[i]) a->word_of[--count] = a->o.label[i];
    if (t != TS_NONE) a->word_of[0] = t;
    return false;
}

/* ---- Obligations ---- */

/* The same as the system's expand, had it been opened without reductions. */
static bool expand_plainly(struct audit *a, struct ts_batch *b, const word *s) {
    uint32_t edges = 0;
    for (uint32_t t = 0; t < a->ts->transitions; t++) {
        int fired = a->ts->ops->fire(a->w, s, t, b->successors + (size_t)edges * a->ts->words, &b->fault);
        if (fired < 0) return false;
        if (fired) b->labels[edges++] = t;
    }
    b->ends[0] = edges;
    return true;
}

/* All successors of one state; false on a fault. */
static bool expand(struct audit *a, struct ts_batch *b, const word *s, struct audit_finding *f) {
    const struct reduction *r = &a->ts->reduction;
    b->sources = s;
    b->count = 1;
    a->effort.tries += a->ts->transitions;
    if (r->stubborn || r->symmetry ? expand_plainly(a, b, s) : a->ts->ops->expand(a->w, b) == 1) return true;
    return model_failed(f, &b->fault);
}

/* The successor by transition t in the batch, or NULL. */
static const word *successor(const struct audit *a, const struct ts_batch *b, uint32_t t) {
    for (uint32_t e = 0; e < b->ends[0]; e++)
        if (b->labels[e] == t) return b->successors + (size_t)e * a->ts->words;
    return NULL;
}

/* U: everything that t obliges, directly or not. */
static bool close_set(struct audit *a, const word *s, uint32_t t, struct audit_finding *f) {
    struct ts_fault fault;
    memset(a->set, 0, a->ts->transitions);
    a->set[t] = true;
    return closure_add(a->ts, a->w, s, a->set, a->list, a->stack, &fault) || model_failed(f, &fault);
}

static bool is_bad(struct audit *a, const word *x, bool *bad, struct audit_finding *f) {
    const char *message = NULL;
    struct ts_fault fault;
    *bad = false;
    if (!ts_has(a->ts, TS_CHECK_STATE)) return true;
    if (!a->ts->ops->check(a->w, x, TS_CHECK_STATE, &message, &fault)) return model_failed(f, &fault);
    *bad = message != NULL;
    return true;
}

/* Looks at outside state number i, whose successors are in from_x, and puts the states after it in line. */
static bool look_at(struct audit *a, uint32_t t, bool enabled, uint32_t i, struct audit_finding *f, bool *cut) {
    const word *xt = successor(a, &a->from_x, t);
    a->effort.checks++;
    if (!enabled && xt) return found(a, f, AUDIT_D1_ENABLED, t, TS_NONE, i);
    if (enabled && !xt) return found(a, f, AUDIT_D2, t, TS_NONE, i);
    if (enabled && !same(a, xt, outside_y(a, i))) return found(a, f, AUDIT_D1_DIFFERS, t, TS_NONE, i);
    if (enabled && i > 0 && !a->bad) {
        bool bad, still_bad;
        if (!is_bad(a, outside_x(a, i), &bad, f)) return failed_at(a, f, TS_NONE, i);
        if (!is_bad(a, xt, &still_bad, f)) return failed_at(a, f, t, i);
        if (bad && !still_bad) return found(a, f, AUDIT_CHECK_LOST, t, TS_NONE, i);
    }
    for (uint32_t e = 0; e < a->from_x.ends[0]; e++) {
        uint32_t u = a->from_x.labels[e];
        if (a->set[u]) continue;
        const word *x = a->from_x.successors + (size_t)e * a->ts->words, *y = NULL;
        if (enabled) {
            struct ts_fault fault;
            int fired = a->ts->ops->fire(a->w, outside_y(a, i), u, a->one, &fault);
            a->effort.tries++;
            if (fired < 0) return model_failed(f, &fault), failed_at(a, f, t, i);
            if (!fired) return found(a, f, AUDIT_D1_DISABLES, t, u, i);
            y = a->one;
        }
        uint32_t known = outside_find(a, x);
        if (known == UINT32_MAX && a->o.count < a->o.most) outside_add(a, x, y, i, u);
        else if (known == UINT32_MAX) *cut = true;
        else if (enabled && !same(a, outside_y(a, known), y)) return found(a, f, AUDIT_D1_DIFFERS, t, u, i);
    }
    return true;
}

/* The member t of a->set, and all words outside the set. */
static bool audit_member(struct audit *a, const word *s, uint32_t t, struct audit_finding *f, bool *cut) {
    if (!expand(a, &a->from_x, s, f)) return false;
    const word *st = successor(a, &a->from_x, t);
    outside_clear(a);
    outside_add(a, s, st, 0, TS_NONE);
    for (uint32_t i = 0; i < a->o.count; i++) {
        if (i > 0 && !expand(a, &a->from_x, outside_x(a, i), f)) return failed_at(a, f, TS_NONE, i);
        if (!look_at(a, t, st != NULL, i, f, cut)) return false;
        /* `st` points into from_x, which is overwritten now; only whether it was there matters further on. */
    }
    return true;
}

/* The same for all members that are disabled in s, with the same words: none may become enabled. */
static bool audit_disabled(struct audit *a, const word *s, struct audit_finding *f, bool *cut) {
    if (!expand(a, &a->from_x, s, f)) return false;
    memset(a->enabled, 0, a->ts->transitions);
    for (uint32_t e = 0; e < a->from_x.ends[0]; e++) a->enabled[a->from_x.labels[e]] = true;
    outside_clear(a);
    outside_add(a, s, NULL, 0, TS_NONE);
    for (uint32_t i = 0; i < a->o.count; i++) {
        if (i > 0 && !expand(a, &a->from_x, outside_x(a, i), f)) return failed_at(a, f, TS_NONE, i);
        a->effort.checks++;
        for (uint32_t e = 0; e < a->from_x.ends[0]; e++) {
            uint32_t u = a->from_x.labels[e];
            const word *x = a->from_x.successors + (size_t)e * a->ts->words;
            if (a->set[u] && !a->enabled[u]) return found(a, f, AUDIT_D1_ENABLED, u, TS_NONE, i);
            if (a->set[u] || outside_find(a, x) != UINT32_MAX) continue;
            if (a->o.count < a->o.most) outside_add(a, x, NULL, i, u);
            else *cut = true;
        }
    }
    return true;
}

bool audit_obligations(struct audit *a, const word *s, struct audit_finding *finding, bool *cut) {
    finding->fault = AUDIT_FINE;
    if (!is_bad(a, s, &a->bad, finding)) return false;
    for (uint32_t t = 0; t < a->ts->transitions; t++)
        if (!close_set(a, s, t, finding) || !audit_member(a, s, t, finding, cut)) return false;
    return true;
}

bool audit_set(struct audit *a, const word *s, const bool *set, bool with_check, struct audit_finding *finding,
               bool *cut) {
    finding->fault = AUDIT_FINE;
    a->bad = true; /* then nothing is asked of the states after it */
    if (with_check && !is_bad(a, s, &a->bad, finding)) return false;
    memcpy(a->set, set, a->ts->transitions);
    if (!audit_disabled(a, s, finding, cut)) return false;
    for (uint32_t t = 0; t < a->ts->transitions; t++)
        if (set[t] && a->enabled[t] && !audit_member(a, s, t, finding, cut)) return false;
    return true;
}

/* ---- Symmetry ---- */

/* The representatives of the successors of s. */
static bool images_of(struct audit *a, struct ts_batch *b, const word *s, word *images, struct audit_finding *f) {
    struct ts_fault fault;
    if (!expand(a, b, s, f)) return false;
    a->effort.tries += b->ends[0];
    for (uint32_t e = 0; e < b->ends[0]; e++)
        if (!a->ts->ops->representative(a->w, b->successors + (size_t)e * a->ts->words,
                                        images + (size_t)e * a->ts->words, &fault))
            return model_failed(f, &fault);
    return true;
}

/* An image of the first batch that is none of the second; TS_NONE: there is none. */
static uint32_t missing(const struct audit *a, const struct ts_batch *b, const word *images, uint32_t count,
                        const word *others) {
    for (uint32_t e = 0; e < b->ends[0]; e++) {
        bool there = false;
        for (uint32_t i = 0; i < count && !there; i++)
            there = same(a, images + (size_t)e * a->ts->words, others + (size_t)i * a->ts->words);
        if (!there) return b->labels[e];
    }
    return TS_NONE;
}

/* Answers of all checks as a set of bits; what they say of terminal states counts only there. */
static bool answers(struct audit *a, const word *s, bool terminal, unsigned *bits, struct audit_finding *f) {
    struct ts_batch b = {.sources = s, .count = 1, .wanted = a->asked & (TS_BAD | TS_MAY | TS_MUST)};
    uint8_t class = 0;
    const char *message = NULL;
    struct ts_fault fault;
    b.classes = &class;
    if (b.wanted && a->ts->ops->classify(a->w, &b) < 1) return model_failed(f, &b.fault);
    if (terminal && (a->asked & AUDIT_DEADLOCK) && ts_has(a->ts, TS_CHECK_DEADLOCK) &&
        !a->ts->ops->check(a->w, s, TS_CHECK_DEADLOCK, &message, &fault))
        return model_failed(f, &fault);
    *bits = (class & b.wanted) | (message ? AUDIT_DEADLOCK : 0u);
    if (!ts_has(a->ts, TS_SYMMETRIC_PROGRESS)) *bits &= ~(unsigned)(TS_MAY | TS_MUST);
    return true;
}

bool audit_symmetry(struct audit *a, const word *s, struct audit_finding *f, bool *advice) {
    struct ts_fault fault;
    unsigned of_s, of_r;
    f->fault = AUDIT_FINE;
    if (!a->ts->ops->representative(a->w, s, a->one, &fault)) return model_failed(f, &fault);
    if (!a->ts->ops->representative(a->w, a->one, a->two, &fault)) return model_failed(f, &fault);
    a->effort.checks++;
    if (same(a, s, a->one)) return true;
    if (!same(a, a->one, a->two)) *advice = true;
    if (!images_of(a, &a->from_x, s, a->images, f) || !images_of(a, &a->from_y, a->one, a->other_images, f))
        return false;
    uint32_t n = a->from_x.ends[0], m = a->from_y.ends[0], odd = missing(a, &a->from_x, a->images, m, a->other_images);
    if (odd == TS_NONE) odd = missing(a, &a->from_y, a->other_images, n, a->images);
    if (odd != TS_NONE) {
        *f = (struct audit_finding){.fault = AUDIT_SUCCESSORS, .transition = TS_NONE, .other = odd};
        return false;
    }
    if (!answers(a, s, n == 0, &of_s, f) || !answers(a, a->one, m == 0, &of_r, f)) return false;
    if (of_s == of_r) return true;
    unsigned differ = of_s ^ of_r;
    *f = (struct audit_finding){.fault = AUDIT_CHECK_DIFFERS, .transition = TS_NONE, .other = TS_NONE};
    f->what = differ & TS_BAD    ? "check_state"
              : differ & TS_MAY  ? "may_progress"
              : differ & TS_MUST ? "must_progress"
                                 : "check_deadlock";
    return false;
}

bool audit_symmetry_kindly(struct audit *a, const word *s, struct audit_finding *f, bool *advice) {
    struct ts_fault fault;
    if (audit_symmetry(a, s, f, advice) || f->fault != AUDIT_SUCCESSORS) return f->fault == AUDIT_FINE;
    if (!a->ts->ops->representative(a->w, s, a->one, &fault)) return model_failed(f, &fault);
    a->effort.tries += (uint64_t)a->ts->transitions * 100; /* a guess */
    if (likeness(a->ts, a->w, s, a->one, a->asked) == UNLIKE) return false;
    *advice = true;
    f->fault = AUDIT_FINE;
    return true;
}

/* ---- Changes ---- */

enum { AT_A_TIME = 64 }; /* propositions */

/* After the propositions, in this order (ts.h). */
static const struct implied {
    enum ts_feature feature;
    uint8_t class;
} implied[] = {{TS_MUST_PROGRESS, TS_MUST}, {TS_MAY_PROGRESS, TS_MAY}};
enum { IMPLIED = sizeof implied / sizeof implied[0] };

/* What holds in a state, a bit for each of `some`. */
static bool valuate(struct audit *a, const word *s, const uint32_t *some, uint32_t count, uint64_t *out,
                    struct audit_finding *f) {
    const struct ts *ts = a->ts;
    struct ts_fault fault;
    uint8_t class = 0;
    if (count > 0 && some[0] < ts->propositions)
        return ts->ops->valuate(a->w, s, 1, some, count, out, &fault) || model_failed(f, &fault);
    struct ts_batch one = {.sources = s, .count = 1, .capacity = 1, .classes = &class};
    for (uint32_t i = 0; i < count; i++) one.wanted |= implied[some[i] - ts->propositions].class;
    if (ts->ops->classify(a->w, &one) < 1) return model_failed(f, &one.fault);
    *out = 0;
    for (uint32_t i = 0; i < count; i++)
        if (class & implied[some[i] - ts->propositions].class) *out |= UINT64_C(1) << i;
    return true;
}

bool audit_knows_changes(const struct ts *ts) {
    for (uint32_t p = 0; p < ts->propositions + IMPLIED; p++)
        if (ts->changes_known && ts->changes_known[p]) return true;
    return false;
}

/* Transition t has changed these propositions of `some`. Was it allowed to? */
static bool judge_changes(struct audit *a, uint32_t t, uint64_t changed, const uint32_t *some,
                          struct audit_finding *f) {
    struct ts_fault fault;
    for (; changed; changed &= changed - 1) {
        uint32_t p = some[__builtin_ctzll(changed)];
        int may = a->ts->ops->may_change(a->w, p, t, &fault);
        if (may < 0) return model_failed(f, &fault);
        if (may) continue;
        *f = (struct audit_finding){.fault = AUDIT_CHANGES, .transition = t, .other = TS_NONE};
        f->what = p < a->ts->propositions ? a->ts->proposition_names[p]
                                          : ts_feature_name(implied[p - a->ts->propositions].feature);
        return false;
    }
    return true;
}

/* The successors of s are in from_x. */
static bool audit_some(struct audit *a, const word *s, const uint32_t *some, uint32_t count, struct audit_finding *f) {
    uint64_t before, after;
    if (count == 0) return true;
    if (!valuate(a, s, some, count, &before, f)) return false;
    for (uint32_t e = 0; e < a->from_x.ends[0]; e++) {
        const word *to = a->from_x.successors + (size_t)e * a->ts->words;
        if (!valuate(a, to, some, count, &after, f)) return false;
        if (!judge_changes(a, a->from_x.labels[e], before ^ after, some, f)) return false;
    }
    return true;
}

bool audit_changes(struct audit *a, const word *s, struct audit_finding *f) {
    uint32_t some[AT_A_TIME], count = 0;
    assert(a->ts->changes_known); /* audit_knows_changes was asked */
    f->fault = AUDIT_FINE;
    if (!expand(a, &a->from_x, s, f)) return false;
    for (uint32_t p = 0; p < a->ts->propositions; p++) {
        if (a->ts->changes_known[p]) some[count++] = p;
        if (count < AT_A_TIME && p + 1 < a->ts->propositions) continue;
        if (!audit_some(a, s, some, count, f)) return false;
        count = 0;
    }
    for (uint32_t p = a->ts->propositions; p < a->ts->propositions + IMPLIED; p++)
        if (a->ts->changes_known[p]) some[count++] = p;
    return audit_some(a, s, some, count, f);
}

/* ---- Observable ---- */

/* Transition t, which should not be observable, leads from s, whose successors are in from_x, to `next`. */
static bool judge_seen(struct audit *a, const word *s, uint32_t t, const word *next, struct audit_finding *f) {
    const struct ts_ops *ops = a->ts->ops;
    struct ts_fault fault;
    uint32_t seen = ops->action(a->w, s, t, &fault);
    if (seen == TS_NONE) return model_failed(f, &fault);
    *f = (struct audit_finding){.fault = AUDIT_SEEN, .transition = t, .other = TS_NONE};
    if (seen != 0) return false;
    for (uint32_t e = 0; e < a->from_x.ends[0]; e++) {
        uint32_t u = a->from_x.labels[e], before, after;
        a->effort.tries++;
        int fired = ops->fire(a->w, next, u, a->one, &fault);
        if (fired < 0) return model_failed(f, &fault);
        if (!fired) continue;
        if ((before = ops->action(a->w, s, u, &fault)) == TS_NONE ||
            (after = ops->action(a->w, next, u, &fault)) == TS_NONE)
            return model_failed(f, &fault);
        *f = (struct audit_finding){.fault = AUDIT_SEEN_OF_OTHER, .transition = t, .other = u};
        if (before != after) return false;
    }
    f->fault = AUDIT_FINE;
    return true;
}

bool audit_observable(struct audit *a, const word *s, struct audit_finding *f) {
    f->fault = AUDIT_FINE;
    if (!expand(a, &a->from_x, s, f)) return false;
    for (uint32_t e = 0; e < a->from_x.ends[0]; e++) {
        struct ts_fault fault;
        uint32_t t = a->from_x.labels[e];
        int observable = a->ts->ops->observable(a->w, t, &fault);
        if (observable < 0) return model_failed(f, &fault);
        if (!observable && !judge_seen(a, s, t, a->from_x.successors + (size_t)e * a->ts->words, f)) return false;
    }
    return true;
}
