/* Composition of random small networks, against one that follows the definition in network.h word by word, with texts
 * for states. */
#include "unit.h"

#include "base/text.h"
#include "net/network.h"

enum { PARTS = 4, STATES = 4, LABELS = 5 };

static const char *const label_names[LABELS] = {"tau", "a", "b", "c", "d"};

/* ---- Random networks ---- */

static void random_lts(struct lts *l) {
    struct lts_builder b;
    uint32_t states = 1 + random_below(STATES), number[LABELS] = {0};
    lts_build(&b);
    for (uint32_t a = 1; a < LABELS; a++)
        if (random_chance(45)) number[a] = names_add(&b.labels, label_names[a]);
    b.states = states;
    b.initial = random_below(states);
    if (random_chance(30)) b.end = random_below(states);
    if (random_chance(15)) b.error = random_below(states);
    if (b.end == b.initial) b.end = LTS_NONE;
    if (b.error == b.initial || b.error == b.end) b.error = LTS_NONE;
    for (uint32_t i = random_below(14); i > 0; i--) {
        uint32_t source = random_below(states), a = random_below(LABELS), target = random_below(states);
        if (source == b.end || source == b.error || (a && !number[a])) continue;
        lts_build_edge(&b, source, number[a], target);
    }
    lts_build_finish(&b, l);
}

static void random_network(struct network *n) {
    *n = (struct network){.count = 1 + random_below(PARTS)};
    n->component = calloc(n->count, sizeof *n->component);
    names_init(&n->labels);
    names_add(&n->labels, "tau");
    for (uint32_t i = 0; i < n->count; i++) {
        random_lts(&n->component[i].lts);
        n->component[i].name = text_format("part %u", i);
        for (uint32_t a = 1; a < n->component[i].lts.labels.count; a++)
            names_add(&n->labels, n->component[i].lts.labels.text[a]);
    }
    n->sight = calloc(n->labels.count, sizeof *n->sight);
    for (uint32_t a = 1; a < n->labels.count; a++) n->sight[a] = random_below(3);
    if (random_chance(60)) return;
    n->low = calloc(n->labels.count, sizeof *n->low);
    for (uint32_t a = 0; a < n->labels.count; a++) n->low[a] = random_chance(50);
    for (uint32_t a = 1; a < n->labels.count; a++)
        if (n->sight[a] == SIGHT_INNER) n->low[a] = n->low[0];
}

/* ---- The definition ---- */

struct naive {
    const struct network *n;
    bool hide;
    struct names states; /* "1.0.2.", "END", "ERROR" */
    uint32_t tuple[1000][PARTS], depth[1000];
    struct names edges; /* "source label target" */
    uint64_t moves, deadlocks;
    bool dry, any_high, any; /* dry: only look whether a move of high priority, or any, is there */
};

static bool takes_part(const struct lts *l, const char *label) { return names_find(&l->labels, label) != NAMES_NONE; }

static bool has_tau(const struct lts *l, uint32_t s) {
    for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++)
        if (e->label == LTS_TAU) return true;
    return false;
}

static bool is_end(const struct network *n, const uint32_t *tuple) {
    bool some = false;
    for (uint32_t i = 0; i < n->count; i++) {
        const struct lts *l = &n->component[i].lts;
        some |= l->end != LTS_NONE;
        if (l->end != LTS_NONE && tuple[i] != l->end) return false;
        if (l->end == LTS_NONE && has_tau(l, tuple[i])) return false;
        for (uint32_t a = 1; l->end == LTS_NONE && a < l->labels.count; a++) {
            bool found = false;
            for (uint32_t k = 0; k < n->count; k++)
                found |= n->component[k].lts.end != LTS_NONE && takes_part(&n->component[k].lts, l->labels.text[a]);
            if (!found) return false;
        }
    }
    return some;
}

static char *state_text(const struct network *n, const uint32_t *tuple) {
    char *text = strdup("");
    for (uint32_t i = 0; i < n->count; i++) {
        if (tuple[i] == n->component[i].lts.error) return free(text), strdup("ERROR");
        char *longer = text_format("%s%u.", text, tuple[i]);
        free(text);
        text = longer;
    }
    return is_end(n, tuple) ? free(text), strdup("END") : text;
}

static uint32_t state_number(struct naive *x, const uint32_t *tuple, uint32_t depth) {
    char *text = state_text(x->n, tuple);
    uint32_t known = x->states.count, number = names_add(&x->states, text);
    free(text);
    assert_true(number < 1000);
    if (number < known) return number;
    memcpy(x->tuple[number], tuple, sizeof x->tuple[number]);
    x->depth[number] = depth;
    return number;
}

static void occur(struct naive *x, uint32_t source, uint32_t label, const uint32_t *next) {
    if (x->dry) {
        x->any = true;
        x->any_high |= x->n->low && !x->n->low[label];
        return;
    }
    if (x->any_high && x->n->low[label]) return;
    x->moves++;
    uint32_t target = state_number(x, next, x->depth[source] + 1);
    bool seen = label && (x->n->sight[label] == SIGHT_VISIBLE || (x->n->sight[label] == SIGHT_HIDDEN && !x->hide));
    char *edge = text_format("%s %u %u", seen ? x->n->labels.text[label] : "tau", source, target);
    names_add(&x->edges, edge);
    free(edge);
}

/* Component i and those after it choose their edges. */
static void choose(struct naive *x, uint32_t source, uint32_t label, uint32_t i, uint32_t *next) {
    if (i == x->n->count) {
        occur(x, source, label, next);
        return;
    }
    const struct lts *l = &x->n->component[i].lts;
    if (!takes_part(l, x->n->labels.text[label])) {
        choose(x, source, label, i + 1, next);
        return;
    }
    uint32_t now = next[i];
    for (const struct lts_edge *e = lts_begin(l, now); e < lts_end(l, now); e++) {
        if (strcmp(l->labels.text[e->label], x->n->labels.text[label]) != 0) continue;
        next[i] = e->target;
        choose(x, source, label, i + 1, next);
    }
    next[i] = now;
}

static void all_moves(struct naive *x, uint32_t source) {
    uint32_t next[PARTS];
    memcpy(next, x->tuple[source], sizeof next);
    for (uint32_t i = 0; i < x->n->count; i++) {
        const struct lts *l = &x->n->component[i].lts;
        for (const struct lts_edge *e = lts_begin(l, next[i]); e < lts_end(l, next[i]); e++) {
            uint32_t now = next[i], target = e->target;
            if (e->label != LTS_TAU) continue;
            next[i] = target;
            occur(x, source, LTS_TAU, next);
            next[i] = now;
        }
    }
    for (uint32_t a = 1; a < x->n->labels.count; a++) choose(x, source, a, 0, next);
}

static void explore(struct naive *x) {
    uint32_t first[PARTS] = {0};
    names_init(&x->states);
    names_init(&x->edges);
    for (uint32_t i = 0; i < x->n->count; i++) first[i] = x->n->component[i].lts.initial;
    state_number(x, first, 0);
    for (uint32_t s = 0; s < x->states.count; s++) {
        if (strcmp(x->states.text[s], "END") == 0 || strcmp(x->states.text[s], "ERROR") == 0) continue;
        x->any = x->any_high = false;
        x->dry = true;
        all_moves(x, s);
        x->dry = false;
        if (!x->any) x->deadlocks++;
        all_moves(x, s);
    }
}

/* ---- Comparison ---- */

static void compare_depths(const struct naive *x, const struct lts *l) {
    uint32_t *depth = malloc(l->states * sizeof *depth), *queue = malloc(l->states * sizeof *queue), found = 1;
    int64_t difference[1000] = {0};
    memset(depth, 0xff, l->states * sizeof *depth);
    depth[queue[0] = l->initial] = 0;
    for (uint32_t i = 0; i < found; i++)
        for (const struct lts_edge *e = lts_begin(l, queue[i]); e < lts_end(l, queue[i]); e++)
            if (depth[e->target] == LTS_NONE) depth[queue[found++] = e->target] = depth[queue[i]] + 1;
    assert_int_equal(found, l->states);
    for (uint32_t s = 0; s < l->states; s++) difference[depth[s]]++;
    for (uint32_t s = 0; s < x->states.count; s++) difference[x->depth[s]]--;
    for (uint32_t d = 0; d < 1000; d++) assert_int_equal(difference[d], 0);
    free(depth);
    free(queue);
}

static void compare_labels(const struct naive *x, const struct lts *l) {
    for (uint32_t a = 0; a < l->labels.count; a++) {
        uint64_t edges = 0, expected = 0;
        size_t length = strlen(l->labels.text[a]);
        for (uint64_t e = 0; e < l->edges; e++) edges += l->edge[e].label == a;
        for (uint32_t i = 0; i < x->edges.count; i++)
            expected += strncmp(x->edges.text[i], l->labels.text[a], length) == 0 && x->edges.text[i][length] == ' ';
        assert_int_equal(edges, expected);
    }
}

static void compare(const struct network *n, bool hide, uint32_t *seen) {
    static struct naive x;
    struct problem why = {0};
    struct lts l;
    uint64_t moves, deadlocks = 0;
    x = (struct naive){.n = n, .hide = hide};
    explore(&x);
    assert_true(network_compose_counting(n, hide, 1000, &l, &moves, &why));
    assert_int_equal(l.states, x.states.count);
    assert_int_equal(moves, x.moves);
    assert_int_equal(l.edges, x.edges.count);
    assert_int_equal(l.end != LTS_NONE, names_find(&x.states, "END") != NAMES_NONE);
    assert_int_equal(l.error != LTS_NONE, names_find(&x.states, "ERROR") != NAMES_NONE);
    for (uint32_t s = 0; s < l.states; s++) deadlocks += lts_deadlocks(&l, s);
    assert_int_equal(deadlocks, x.deadlocks);
    compare_depths(&x, &l);
    compare_labels(&x, &l);
    *seen |= (l.end != LTS_NONE) | (l.error != LTS_NONE) << 1 | (deadlocks > 0) << 2 | (moves > l.edges) << 3 |
             (n->low != NULL) << 4 | (l.states > 30) << 5;
    if (l.states > 1) assert_false(network_compose(n, hide, l.states - 1, &(struct lts){0}, &why));
    problem_fini(&why);
    lts_fini(&l);
    names_fini(&x.states);
    names_fini(&x.edges);
}

static void random_networks(void **state) {
    uint32_t seen = 0;
    (void)state;
    for (uint32_t i = 0; i < (FEWER ? 7000 : 20000); i++) { /* short ones; all of `seen` must come up */
        struct network n;
        random_start(i);
        random_network(&n);
        compare(&n, i % 2, &seen);
        network_fini(&n);
    }
    assert_int_equal(seen, 63); /* everything has occurred */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_networks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
