#include "check/lts/build_lts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "explore/bfs.h"
#include "graph/sweep.h"
#include "check/lts/edge_list.h"
#include "check/lts/frozen_sets.h"
#include "check/audit/sample.h"
#include "ts/stubborn_units.h"

/* A construction that is going on. */
struct build {
    struct ts *ts;
    struct ts_worker *w;
    struct space s;
    struct stop stop;
    struct edge_list edges;
    struct region numbers; /* uint32_t by slot: of the state there */
    struct ts_batch batch; /* one state */
    uint64_t *to;          /* numbers of successors of one state */
    uint64_t to_room;
    bool *widened; /* by state; as long as edges.state_room was when it was made */
    uint64_t widened_room;
    struct widening {
        uint32_t state, count;
        word *successors;
        uint32_t *labels;
    } * widenings; /* of this round: the edges are yet to be listed */
    uint64_t widening_count;
    struct frozen_sets frozen;
    struct build_report *report;
    struct build_inspection *inspection; /* or NULL */
    struct problem *why;
};

static bool give_up(struct build *b) {
    const struct stop *stop = &b->stop;
    if (stop->kind == STOP_FAULT)
        return problem_set(b->why, EXIT_BAD_INPUT, "%s: %s: %s", b->ts->path, stop->fault.where, stop->fault.text);
    return problem_set(b->why, EXIT_INCONCLUSIVE, "the LTS was not completed: %s",
                       stop->reason ? stop->reason : "the search was given up");
}

static bool model_failed(struct build *b, const struct ts_fault *fault) {
    b->stop = (struct stop){.kind = STOP_FAULT, .fault = *fault};
    return false;
}

static bool cannot_read(struct build *b) {
    return problem_set(b->why, EXIT_INCONCLUSIVE, "the file of states could not be read back");
}

/* ---- Edges ---- */

static bool few_enough(struct build *b) {
    return b->s.states < UINT32_MAX ||
           problem_set(b->why, EXIT_INCONCLUSIVE, "there are more than %u states, too many for an LTS", UINT32_MAX - 1);
}

/* Slots change when states are added: so all are looked up again. */
static bool number_slots(struct build *b) {
    region_fini(&b->numbers);
    return sweep_number_slots(&b->s, &b->numbers, "listing edges", &b->stop) || give_up(b);
}

/* The edges of one state, by the transitions and the numbers of where they lead. False: b->stop says why. */
static bool list_edges(struct build *b, const word *source, uint32_t state, const uint32_t *labels, const uint64_t *to,
                       uint32_t count) {
    edge_list_begin(&b->edges, state);
    for (uint32_t e = 0; e < count; e++) {
        struct ts_fault fault;
        uint32_t action = b->ts->ops->action(b->w, source, labels[e], &fault);
        if (action == TS_NONE) return model_failed(b, &fault);
        assert(to[e] < b->s.states && action < b->ts->actions);
        edge_list_add(&b->edges, state, action, (uint32_t)to[e]);
    }
    return true;
}

/* In the order of states, since actions get their numbers in the order in which they are first told. */
static bool list_batch(void *context, const struct sweep_batch *x) {
    struct build *b = context;
    for (uint32_t i = 0; i < x->count; i++) {
        uint32_t begin = sweep_begin(x, i), count = sweep_end(x, i) - begin;
        const word *state = x->states + (size_t)i * b->ts->words;
        if (!list_edges(b, state, (uint32_t)x->numbers[i], x->edges->labels + begin, x->to + begin, count))
            return false;
    }
    return true;
}

static void freeze_all(struct build *b, const bool *frozen) {
    for (unsigned k = 0; k < b->s.team.size; k++) b->ts->ops->freeze(b->s.members[k].worker, frozen);
}

/* The edges of all states from `at` on: one sweep for each run of states where the same is frozen. */
static bool list_all_edges(struct build *b, uint64_t at) {
    struct sweep w = {.s = &b->s,
                      .phase = "listing edges",
                      .context = b,
                      .need = SWEEP_STATES | SWEEP_EDGES | SWEEP_LABELS,
                      .to = SWEEP_TO_NUMBERS,
                      .numbers = &b->numbers,
                      .put = list_batch};
    bool good = true;
    sweep_init(&w);
    for (uint64_t end; good && at < b->s.states; at = end) {
        const bool *frozen = frozen_sets_of(&b->frozen, at, &end);
        if (end > b->s.states) end = b->s.states;
        sweep_again(&w, at, end);
        if (frozen) freeze_all(b, frozen);
        good = sweep_all(&w, &b->stop);
        if (frozen) freeze_all(b, NULL);
    }
    sweep_fini(&w);
    return good || give_up(b);
}

/* ---- SV ---- */

static bool is_visible(const struct build *b, uint32_t action) {
    return action != 0 && !(b->ts->action_hidden && b->ts->action_hidden[action]);
}

/* By component: it cannot be left, it has edges, and none of them is visible. */
static bool *unproductive_components(const struct build *b, const uint32_t *component, uint32_t count) {
    bool *unproductive = memory_get_zeroed(count + UINT64_C(1)), *excused = memory_get_zeroed(count + UINT64_C(1));
    for (uint32_t s = 0; s < b->edges.states; s++) {
        const struct edge_run *run = &b->edges.runs[s];
        const struct listed_edge *e = b->edges.edges + run->begin;
        for (uint32_t k = 0; k < run->count; k++) {
            unproductive[component[s]] = true;
            if (component[e[k].target] != component[s] || is_visible(b, e[k].action)) excused[component[s]] = true;
        }
    }
    for (uint32_t c = 0; c < count; c++) unproductive[c] &= !excused[c];
    free(excused);
    return unproductive;
}

/* Adds the edges of the batch's only state to those of the last widening. */
static void keep_edges(struct build *b, const struct ts_batch *batch) {
    struct widening *v = &b->widenings[b->widening_count - 1];
    uint32_t n = batch->ends[0];
    size_t words = b->ts->words;
    v->successors = memory_resize(v->successors, (v->count + n) * words * sizeof(word) + 1);
    v->labels = memory_resize(v->labels, (v->count + n) * sizeof(uint32_t) + 1);
    memcpy(v->successors + v->count * words, batch->successors, n * words * sizeof(word));
    memcpy(v->labels + v->count, batch->labels, n * sizeof(uint32_t));
    v->count += n;
}

/* Adds the successors of the batch's only state to the space. */
static bool insert_successors(struct build *b) {
    uint32_t n = b->batch.ends[0], count, *fresh = memory_get((n + UINT64_C(1)) * sizeof *fresh);
    bool good = space_insert(&b->s, b->batch.successors, n, fresh, &count) == n ||
                problem_set(b->why, EXIT_INCONCLUSIVE, "the limit on memory (--max-memory) was reached");
    for (uint32_t k = 0; good && k < count; k++)
        space_add(&b->s, b->batch.successors + (size_t)fresh[k] * b->ts->words);
    b->s.states += good ? count : 0;
    free(fresh);
    return good;
}

/* The edges of a state as they are, where this is frozen. */
static bool keep_old_edges(struct build *b, uint64_t number, const bool *was) {
    struct sweep w = {.s = &b->s, .phase = "listing edges", .need = SWEEP_EDGES | SWEEP_LABELS};
    sweep_init(&w);
    b->ts->ops->freeze(b->w, was);
    const struct sweep_batch *x = sweep_one(&w, number, &b->stop);
    if (x) keep_edges(b, x->edges);
    sweep_fini(&w);
    return x || give_up(b);
}

/* Makes the edges of a state once more, as they are, and then those of what is wanted, where all that is frozen is
 * absent; goes on from what is new. */
static bool go_beyond(struct build *b, uint64_t number, const bool *was, const bool *wanted, const bool *frozen) {
    static const struct bfs_goals goals = {0};
    uint64_t known = b->s.states;
    word *state = memory_get(b->ts->words * sizeof(word));
    bool good = space_state(&b->s, number, state) || cannot_read(b);
    good = good && keep_old_edges(b, number, was);
    freeze_all(b, frozen);
    if (good) {
        b->batch.sources = state;
        b->batch.count = 1;
        b->ts->ops->widen(b->w, &b->batch, wanted);
        keep_edges(b, &b->batch);
        good = insert_successors(b);
    }
    free(state);
    if (good && b->s.states > known) {
        frozen_sets_from(&b->frozen, known, frozen);
        bfs_resume(&b->s, known, b->s.states, &goals, &b->stop);
        good = b->stop.kind == STOP_DONE || give_up(b);
        b->report->frozen += b->s.states - known;
    }
    freeze_all(b, NULL);
    return good;
}

static void inspect(struct build *b, uint32_t number, const bool *wanted, const bool *frozen) {
    struct build_inspection *i = b->inspection;
    if (!i || i->number != number) return;
    i->widened = true;
    memcpy(i->wanted, wanted, b->ts->actions);
    memcpy(i->beyond, frozen, b->frozen.units);
}

/* Widens the stubborn set of a state by what all visible actions oblige that are not covered. */
static bool widen(struct build *b, uint32_t number, const bool *covered, const bool *members) {
    assert(!b->widened[number]); /* once: then its component is whole */
    bool *wanted = memory_get_zeroed(b->ts->actions);
    uint64_t end;
    const bool *was = frozen_sets_of(&b->frozen, number, &end), *frozen = frozen_sets_keep(&b->frozen, members);
    for (uint32_t a = 0; a < b->ts->actions; a++) wanted[a] = (a == 0 || is_visible(b, a)) && !covered[a];
    inspect(b, number, wanted, frozen);
    b->widenings = memory_resize(b->widenings, (b->widening_count + 1) * sizeof *b->widenings);
    b->widenings[b->widening_count++] = (struct widening){.state = number};
    b->widened[number] = true;
    b->report->expansions++;
    bool good = go_beyond(b, number, was, wanted, frozen);
    free(wanted);
    return good;
}

/* The edges of a widened state. */
static bool list_widening(struct build *b, const struct widening *v, word *state) {
    if (v->count > b->to_room) b->to = memory_resize(b->to, (b->to_room = v->count) * sizeof *b->to);
    if (!space_state(&b->s, v->state, state)) return cannot_read(b);
    space_find(&b->s, v->successors, v->count, b->to);
    for (uint32_t e = 0; e < v->count; e++) b->to[e] = ((const uint32_t *)(const void *)b->numbers.base)[b->to[e]];
    return list_edges(b, state, v->state, v->labels, b->to, v->count) || give_up(b);
}

static bool list_widenings(struct build *b) {
    word *state = memory_get(b->ts->words * sizeof(word));
    bool good = true;
    for (uint64_t k = 0; k < b->widening_count; k++) {
        struct widening *v = &b->widenings[k];
        good = good && list_widening(b, v, state);
        free(v->successors);
        free(v->labels);
    }
    b->widening_count = 0;
    free(state);
    return good;
}

/* Which visible actions are in the stubborn sets of an unproductive component. */
struct coverage {
    uint32_t first; /* state of it */
    bool whole;     /* a state of it was widened before: all are */
    bool *covered;  /* by action; NULL: none of its states was seen yet */
    bool *members;  /* by unit: of the sets, and frozen in one of the states */
};

static bool cover(struct build *b, struct coverage *c, uint32_t state, word *room) {
    uint64_t end;
    if (!c->covered) {
        c->covered = memory_get_zeroed(b->ts->actions);
        c->members = memory_get_zeroed(b->frozen.units + UINT64_C(1));
        c->first = state;
    }
    c->whole |= b->widened[state];
    if (c->whole) return true;
    if (!space_state(&b->s, state, room)) return cannot_read(b);
    const bool *frozen = frozen_sets_of(&b->frozen, state, &end);
    b->ts->ops->freeze(b->w, frozen);
    b->ts->ops->covers(b->w, room, c->covered, c->members);
    b->ts->ops->freeze(b->w, NULL);
    for (uint32_t u = 0; frozen && u < b->frozen.units; u++) c->members[u] |= frozen[u];
    return true;
}

static bool is_whole(const struct build *b, const struct coverage *c) {
    bool whole = c->covered[0];
    for (uint32_t a = 1; a < b->ts->actions; a++) whole &= c->covered[a] || !is_visible(b, a);
    return whole || c->whole;
}

static void make_room_for_marks(struct build *b) {
    if (b->edges.states <= b->widened_room) return;
    b->widened = memory_resize(b->widened, b->edges.states);
    memset(b->widened + b->widened_room, 0, b->edges.states - b->widened_room);
    b->widened_room = b->edges.states;
}

/* Widens one state of each unproductive component that needs it. `index`: of the component of each state among
 * these. */
static bool widen_components(struct build *b, const uint32_t *component, const uint32_t *index, uint32_t many) {
    struct coverage *coverage = memory_get_zeroed((many + UINT64_C(1)) * sizeof *coverage);
    word *room = memory_get(b->ts->words * sizeof(word));
    bool good = true;
    for (uint32_t s = 0; good && s < b->edges.states; s++)
        if (index[component[s]] != UINT32_MAX) good = cover(b, &coverage[index[component[s]]], s, room);
    for (uint32_t k = 0; k < many; k++) {
        assert(!good || coverage[k].covered); /* a component has a state */
        if (good && !is_whole(b, &coverage[k]))
            good = widen(b, coverage[k].first, coverage[k].covered, coverage[k].members);
        free(coverage[k].covered);
        free(coverage[k].members);
    }
    free(coverage);
    free(room);
    return good;
}

/* Looks for unproductive components, and widens: b->widenings says whether there is more to do. */
static bool repair(struct build *b) {
    assert(b->edges.states == b->s.states && b->widening_count == 0); /* all edges are listed */
    uint32_t count, many = 0, *component = edge_list_components(&b->edges, &count);
    bool *unproductive = unproductive_components(b, component, count), good = true;
    uint32_t *index = memory_get((count + UINT64_C(1)) * sizeof *index);
    for (uint32_t c = 0; c < count; c++) index[c] = unproductive[c] ? many++ : UINT32_MAX;
    make_room_for_marks(b);
    if (b->report->rounds++ == 0) b->report->progressing = many == 0;
    if (many > 0) good = widen_components(b, component, index, many);
    free(component);
    free(unproductive);
    free(index);
    return good;
}

/* ---- Exploring ---- */

/* Lists the edges of what is new since `from`. */
static bool list_new(struct build *b, uint64_t from) {
    return few_enough(b) && number_slots(b) && list_widenings(b) && list_all_edges(b, from);
}

/* Hand-written rules, on a sample of the states. False: they are wrong. */
static bool audit_rules(struct build *b) {
    bool seeing = b->ts->reduction.preserve >= PRESERVE_DEADLOCK_TRACES && b->ts->observable_known;
    struct sample_question q = {.obligations = true, .observable = seeing, .edges = b->s.edges};
    struct sample sample;
    b->report->by_hand = sample_has_obligations(b->ts);
    if (!b->report->by_hand || b->report->trusted) return true;
    sample_take(&sample, &b->s, &q);
    b->report->audited = sample.states;
    b->report->checks = sample.checks;
    bool good = true;
    if (sample.result == SAMPLE_MODEL || sample.result == SAMPLE_RAISED)
        good = model_failed(b, &sample.finding.model) || give_up(b);
    if (sample.result == SAMPLE_WRONG) {
        char *text = sample_describe(&sample, b->ts, b->w);
        good = problem_set(b->why, EXIT_BAD_INPUT, "%s", text);
        free(text);
    }
    if (sample.result == SAMPLE_STOPPED)
        good = problem_set(b->why, EXIT_INCONCLUSIVE, "the LTS was not completed: its rules were not audited: %s",
                           sample.stopped);
    sample_fini(&sample);
    return good;
}

static bool explore(struct build *b) {
    static const struct bfs_goals goals = {0};
    struct ts_fault fault = {.kind = TS_FINE};
    word *start = memory_get(b->ts->words * sizeof(word));
    bool good = b->ts->ops->initial(b->w, start, &fault);
    if (good) bfs_run(&b->s, start, &goals, &b->stop);
    else b->stop = (struct stop){.kind = STOP_FAULT, .fault = fault};
    free(start);
    if (b->stop.kind != STOP_DONE) return give_up(b);
    if (!audit_rules(b) || !list_new(b, 0)) return false;
    bool seeing = b->ts->reduction.stubborn && b->ts->reduction.preserve >= PRESERVE_TRACES;
    for (uint64_t known = b->s.states; seeing; known = b->s.states) {
        if (!repair(b)) return false;
        if (b->widening_count == 0) break;
        if (!list_new(b, known)) return false;
    }
    return true;
}

/* ---- The LTS ---- */

/* Which states are ERROR, of which there may be several, and which is END. */
struct kinds {
    struct build *b;
    bool *bad;
    uint32_t end;
};

static void take_kinds(void *context, unsigned member, const struct sweep_batch *x) {
    struct kinds *k = context;
    (void)member;
    for (uint32_t i = 0; i < x->count; i++) k->bad[x->numbers[i]] = x->classes[i] != 0;
}

static bool put_kinds(void *context, const struct sweep_batch *x) {
    struct kinds *k = context;
    struct build *b = k->b;
    for (uint32_t i = 0; i < x->count; i++) {
        const char *message = "";
        struct ts_fault fault;
        if (b->edges.runs[x->numbers[i]].count > 0 || k->bad[x->numbers[i]]) continue;
        const word *state = x->states + (size_t)i * b->ts->words;
        if (!b->ts->ops->check(b->w, state, TS_CHECK_DEADLOCK, &message, &fault)) return model_failed(b, &fault);
        if (!message) k->end = (uint32_t)x->numbers[i];
    }
    return true;
}

static bool classify(struct build *b, struct kinds *k) {
    struct sweep w = {.s = &b->s,
                      .phase = "listing edges",
                      .context = k,
                      .need = SWEEP_STATES,
                      .classes = TS_BAD,
                      .take = take_kinds,
                      .put = put_kinds};
    sweep_init(&w);
    bool good = sweep_all(&w, &b->stop);
    sweep_fini(&w);
    return good || give_up(b);
}

/* Labels of the LTS by action: all that are not hidden. */
static uint32_t *name_labels(const struct build *b, struct names *labels) {
    uint32_t *label = memory_get_zeroed((b->ts->actions + UINT64_C(1)) * sizeof *label);
    for (uint32_t a = 1; a < b->ts->actions; a++)
        if (is_visible(b, a)) label[a] = names_add(labels, b->ts->action_names[a]);
    return label;
}

/* Numbers of the states of the LTS: those of the space, but all ERRORs are the first one. */
static uint32_t *number_states(const struct build *b, const bool *bad, struct lts_builder *out) {
    uint32_t *number = memory_get((b->edges.states + UINT64_C(1)) * sizeof *number);
    for (uint32_t s = 0; s < b->edges.states; s++) {
        if (bad[s] && out->error != LTS_NONE) number[s] = out->error;
        else number[s] = out->states++;
        if (bad[s]) out->error = number[s];
    }
    return number;
}

static bool finish(struct build *b, struct lts *lts) {
    struct lts_builder out;
    bool *bad = memory_get_zeroed(b->edges.states + UINT64_C(1));
    struct kinds kinds = {b, bad, LTS_NONE};
    if (b->ts->whole_counts && !classify(b, &kinds)) return free(bad), false;
    lts_build(&out);
    uint32_t *label = name_labels(b, &out.labels), *number = number_states(b, bad, &out);
    if (kinds.end != LTS_NONE) out.end = number[kinds.end];
    for (uint32_t s = 0; s < b->edges.states; s++) {
        const struct edge_run *run = &b->edges.runs[s];
        const struct listed_edge *e = b->edges.edges + run->begin;
        b->report->edges += run->count;
        b->report->terminals += run->count == 0;
        for (uint32_t k = 0; k < run->count; k++)
            lts_build_edge(&out, number[s], label[e[k].action], number[e[k].target]);
    }
    b->report->states = b->s.states;
    edge_list_fini(&b->edges);
    lts_build_finish(&out, lts);
    free(bad);
    free(label);
    free(number);
    return true;
}

static void build_fini(struct build *b) {
    for (uint64_t k = 0; k < b->widening_count; k++) {
        free(b->widenings[k].successors);
        free(b->widenings[k].labels);
    }
    free(b->widenings);
    edge_list_fini(&b->edges);
    region_fini(&b->numbers);
    ts_batch_fini(&b->batch);
    free(b->to);
    free(b->widened);
    frozen_sets_fini(&b->frozen);
    space_fini(&b->s);
}

static bool build_init(struct build *b, const struct limits *limits, const struct means *means,
                       const struct ticker *ticker) {
    struct ts *ts = b->ts;
    *b->report = (struct build_report){.trusted = means && means->no_audit};
    if (ts->actions == 0)
        return problem_set(b->why, EXIT_BAD_INPUT, "%s has no actions, so the edges would have no labels; %s", ts->path,
                           ts->asset ? "ASSET's language knows none: write the model in C, with an .action function"
                                     : "let MODEL(...) name an .action function");
    if (!space_init(&b->s, ts, b->w, limits, means, b->why)) return false;
    if (ticker) b->s.ticker = *ticker;
    ts_batch_init(&b->batch, ts, 1);
    frozen_sets_init(&b->frozen, ts->ops->explain ? ts->ops->explain->units(ts) : 0);
    return true;
}

bool build_lts(struct ts *ts, struct ts_worker *w, const struct limits *limits, const struct means *means,
               const struct ticker *ticker, struct lts *out, struct build_report *report, struct problem *why) {
    struct build b = {.ts = ts, .w = w, .report = report, .why = why};
    if (!build_init(&b, limits, means, ticker)) return false;
    bool good = explore(&b) && finish(&b, out);
    build_fini(&b);
    return good;
}

bool build_inspect(struct ts *ts, struct ts_worker *w, const struct limits *limits, const struct means *means,
                   const struct ticker *ticker, struct build_inspection *inspection, struct problem *why) {
    struct build_report report;
    struct build b = {.ts = ts, .w = w, .report = &report, .inspection = inspection, .why = why};
    inspection->widened = false;
    if (!build_init(&b, limits, means, ticker)) return false;
    bool good = explore(&b);
    inspection->states = b.s.states;
    if (good && inspection->number < b.s.states) {
        uint64_t end;
        const bool *frozen = frozen_sets_of(&b.frozen, inspection->number, &end);
        good = space_state(&b.s, inspection->number, inspection->state) || cannot_read(&b);
        if (frozen) memcpy(inspection->frozen, frozen, b.frozen.units);
    }
    build_fini(&b);
    return good;
}
