#include "picture.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "unit.h"

/* ---- Tables ---- */

static uint32_t number_of(struct picture *p, word state) {
    for (uint32_t i = 0; i < p->states; i++)
        if (p->state[i] == state) return i;
    if (p->states == PICTURE_STATES) return PICTURE_STATES;
    p->state[p->states] = state;
    return p->states++;
}

static bool add_edge(struct picture *p, uint32_t from, uint32_t action, word to) {
    uint32_t target = number_of(p, to);
    if (target == PICTURE_STATES || p->edges == PICTURE_EDGES) return false;
    p->edge[p->edges++] = (struct picture_edge){from, action, target};
    return true;
}

static bool take_state(struct picture *p, struct ts *ts, struct ts_worker *w, uint32_t s, struct ts_batch *batch) {
    struct ts_fault fault;
    word from = p->state[s], to;
    uint32_t before = p->edges;
    if (batch) {
        batch->sources = &from;
        batch->count = 1;
        assert_int_equal(ts->ops->expand(w, batch), 1);
        for (uint32_t e = 0; e < batch->ends[0]; e++)
            if (!add_edge(p, s, ts->ops->action(w, &from, batch->labels[e], &fault), batch->successors[e]))
                return false;
    }
    for (uint32_t t = 0; t < ts->transitions && !batch; t++)
        if (ts->ops->fire(w, &from, t, &to, &fault) == 1 && !add_edge(p, s, ts->ops->action(w, &from, t, &fault), to))
            return false;
    p->terminal[s] = p->edges == before;
    return true;
}

static void close_over(struct picture *p) {
    memset(p->reaches, 0, sizeof p->reaches);
    for (uint32_t e = 0; e < p->edges; e++) p->reaches[p->edge[e].from][p->edge[e].to] = true;
    for (uint32_t k = 0; k < p->states; k++)
        for (uint32_t i = 0; i < p->states; i++)
            for (uint32_t j = 0; j < p->states && p->reaches[i][k]; j++) p->reaches[i][j] |= p->reaches[k][j];
}

bool picture_take(struct picture *p, struct ts *ts, struct ts_worker *w, bool reduced) {
    struct ts_batch batch;
    struct ts_fault fault;
    bool fits = true;
    assert_int_equal(ts->words, 1);
    p->states = p->edges = 0;
    assert_true(ts->ops->initial(w, p->state, &fault));
    p->states = 1;
    ts_batch_init(&batch, ts, 1);
    for (uint32_t s = 0; s < p->states && fits; s++) fits = take_state(p, ts, w, s, reduced ? &batch : NULL);
    ts_batch_fini(&batch);
    if (fits) close_over(p);
    return fits;
}

/* ---- Terminal states, and the traces that lead to them ---- */

enum { MOST_PAIRS = 400 };

/* Where a trace leads in both. */
struct pair {
    bool in[2][PICTURE_STATES];
};

struct ends {
    const struct picture *p[2];
    const struct ts *ts;
    struct pair *pairs;
    uint32_t count;
};

static bool is_seen(const struct ts *ts, uint32_t action) {
    return action != 0 && !(ts->action_hidden && ts->action_hidden[action]);
}

static void add_unseen(const struct ends *x, struct pair *q) {
    for (int side = 0; side < 2; side++)
        for (bool more = true; more;) {
            const struct picture *p = x->p[side];
            more = false;
            for (uint32_t e = 0; e < p->edges; e++) {
                const struct picture_edge *at = &p->edge[e];
                if (is_seen(x->ts, at->action) || !q->in[side][at->from] || q->in[side][at->to]) continue;
                q->in[side][at->to] = more = true;
            }
        }
}

/* The terminal states of one side that are not among those of the other. */
static bool lacks_end(const struct ends *x, const struct pair *q, int side) {
    for (uint32_t s = 0; s < x->p[side]->states; s++) {
        bool found = false;
        if (!q->in[side][s] || !x->p[side]->terminal[s]) continue;
        for (uint32_t r = 0; r < x->p[!side]->states; r++)
            found |= q->in[!side][r] && x->p[!side]->terminal[r] && x->p[!side]->state[r] == x->p[side]->state[s];
        if (!found) return true;
    }
    return false;
}

static void add_pair(struct ends *x, const struct pair *q) {
    for (uint32_t i = 0; i < x->count; i++)
        if (memcmp(&x->pairs[i], q, sizeof *q) == 0) return;
    x->pairs[x->count++] = *q;
}

static void follow(struct ends *x, uint32_t from) {
    for (uint32_t action = 1; action < x->ts->actions && x->count < MOST_PAIRS; action++) {
        struct pair q = {0};
        bool any = false;
        if (!is_seen(x->ts, action)) continue;
        for (int side = 0; side < 2; side++)
            for (uint32_t e = 0; e < x->p[side]->edges; e++) {
                const struct picture_edge *at = &x->p[side]->edge[e];
                if (at->action == action && x->pairs[from].in[side][at->from]) any = q.in[side][at->to] = true;
            }
        if (!any) continue;
        add_unseen(x, &q);
        add_pair(x, &q);
    }
}

enum picture_ends picture_compare_ends(const struct picture *a, const struct picture *b, const struct ts *ts) {
    struct ends x = {.p = {a, b}, .ts = ts, .pairs = memory_get((MOST_PAIRS + 1) * sizeof *x.pairs)};
    struct pair q = {0};
    enum picture_ends result = ENDS_SAME;
    q.in[0][0] = q.in[1][0] = true;
    add_unseen(&x, &q);
    add_pair(&x, &q);
    for (uint32_t i = 0; i < x.count && result == ENDS_SAME; i++) {
        if (lacks_end(&x, &x.pairs[i], 0) || lacks_end(&x, &x.pairs[i], 1)) result = ENDS_DIFFERENT;
        else follow(&x, i);
        if (x.count >= MOST_PAIRS && result == ENDS_SAME) result = ENDS_GIVEN_UP;
    }
    free(x.pairs);
    return result;
}

/* ---- Progress ---- */

/* Can everything that s leads to lead back? */
static bool is_final(const struct picture *p, uint32_t s) {
    for (uint32_t t = 0; t < p->states; t++)
        if (p->reaches[s][t] && !p->reaches[t][s]) return false;
    return true;
}

bool picture_fails(const struct picture *p, const struct ts_progress *test) {
    for (uint32_t s = 0; s < p->states; s++) {
        bool when = !test->when, then = false;
        if (!is_final(p, s)) continue;
        for (uint32_t e = 0; e < p->edges; e++) {
            if (p->edge[e].from != s && !p->reaches[s][p->edge[e].from]) continue;
            when |= test->when && test->when[p->edge[e].action];
            then |= test->then[p->edge[e].action];
        }
        if (when && !then) return true;
    }
    return false;
}
