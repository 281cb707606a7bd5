/* FSP against what LTSA says of small models: every row of tests/fsp/expected.tsv and primitives.tsv. The answers are
 * computed here from the composed LTS by plain reachability, so that they test the front end and the composition. */
#include "unit.h"

#include "base/text.h"
#include "fsp/fsp.h"

enum { COLUMNS = 13, MOST = 1000 };

struct table_row {
    char *line, *cell[COLUMNS];
};

/* The rows of a table, without its head. */
static uint32_t read_table(const char *path, struct table_row *rows) {
    FILE *in = fopen(path, "r");
    char line[4096];
    uint32_t count = 0;
    assert_non_null(in);
    assert_non_null(fgets(line, sizeof line, in));
    while (fgets(line, sizeof line, in)) {
        struct table_row *r = &rows[count++];
        assert_true(count < MOST);
        line[strcspn(line, "\n")] = 0;
        char *rest = r->line = strdup(line);
        for (int i = 0; i < COLUMNS; i++) r->cell[i] = rest ? strsep(&rest, "\t") : "";
    }
    fclose(in);
    return count;
}

static int differences;

__attribute__((format(printf, 2, 3))) static void differs(const struct table_row *r, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *text = text_vformat(fmt, args);
    va_end(args);
    print_message("%s %s: %s\n", r->cell[0], r->cell[1], text);
    free(text);
    differences++;
}

static void expect_number(const struct table_row *r, int column, const char *what, uint64_t found) {
    if (strtoull(r->cell[column], NULL, 10) != found)
        differs(r, "%s: %s expected, %llu found", what, r->cell[column], (unsigned long long)found);
}

static struct fsp_file *open_model(const char *name, struct problem *why) {
    char *path = text_format("tests/fsp/micro/%s", name);
    struct fsp_file *f = fsp_read(path, NULL, 0, why);
    free(path);
    return f;
}

/* ---- Distances ---- */

/* By state: the least number of edges from the initial state. */
static uint32_t *distances(const struct lts *l) {
    uint32_t *distance = malloc(l->states * sizeof *distance), *queue = malloc(l->states * sizeof *queue), found = 1;
    memset(distance, 0xff, l->states * sizeof *distance);
    distance[l->initial] = 0;
    queue[0] = l->initial;
    for (uint32_t i = 0; i < found; i++)
        for (const struct lts_edge *e = lts_begin(l, queue[i]); e < lts_end(l, queue[i]); e++)
            if (distance[e->target] == LTS_NONE) {
                distance[e->target] = distance[queue[i]] + 1;
                queue[found++] = e->target;
            }
    free(queue);
    return distance;
}

/* "no", or "yes:LENGTH:TRACE", or "yes:PROCESS:LENGTH:TRACE". */
static void expect_distance(const struct table_row *r, int column, const char *what, uint32_t found) {
    const char *cell = r->cell[column];
    if (strncmp(cell, "yes:", 4) != 0) {
        if (found != LTS_NONE) differs(r, "%s: none expected, one at %u found", what, found);
        return;
    }
    cell += 4;
    if (*cell < '0' || *cell > '9') cell = strchr(cell, ':') + 1;
    if (strtoul(cell, NULL, 10) != found) differs(r, "%s: %s expected, %d found", what, r->cell[column], (int)found);
}

static void expect_distances(const struct table_row *r, const struct lts *l) {
    uint32_t *distance = distances(l), deadlock = LTS_NONE;
    for (uint32_t s = 0; s < l->states; s++)
        if (lts_deadlocks(l, s) && distance[s] < deadlock) deadlock = distance[s];
    expect_distance(r, 5, "deadlock", deadlock);
    expect_distance(r, 6, "error", l->error == LTS_NONE ? LTS_NONE : distance[l->error]);
    free(distance);
}

/* ---- Progress ---- */

/* For each terminal strong component: calls judge with the labels that occur in it. */
static void terminal_components(const struct lts *l, void (*judge)(void *context, const bool *occurs), void *context) {
    uint32_t n = l->states;
    bool *reach = calloc((size_t)n * n, 1), *occurs = calloc(l->labels.count, 1);
    for (uint32_t s = 0; s < n; s++) {
        reach[s * n + s] = true;
        for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) reach[s * n + e->target] = true;
    }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t s = 0; s < n; s++)
            for (uint32_t u = 0; reach[s * n + k] && u < n; u++) reach[s * n + u] |= reach[k * n + u];
    for (uint32_t s = 0; s < n; s++) {
        bool first = reach[l->initial * n + s], terminal = true;
        for (uint32_t u = 0; u < n; u++) {
            if (!reach[s * n + u]) continue;
            if (!reach[u * n + s]) terminal = false;
            if (u < s) first = false;
        }
        if (!first || !terminal) continue;
        memset(occurs, 0, l->labels.count);
        for (uint32_t u = 0; u < n; u++)
            for (const struct lts_edge *e = lts_begin(l, u); reach[s * n + u] && e < lts_end(l, u); e++)
                occurs[e->label] = true;
        judge(context, occurs);
    }
    free(reach);
    free(occurs);
}

struct judgement {
    const struct network *n;
    const struct lts *l;
    bool *missing;  /* by label of the LTS */
    bool *violated; /* by progress property */
};

static bool any_occurs(const struct judgement *j, const bool *set, const bool *occurs) {
    for (uint32_t a = 1; a < j->l->labels.count; a++)
        if (occurs[a] && set[names_find(&j->n->labels, j->l->labels.text[a])]) return true;
    return false;
}

static void judge(void *context, const bool *occurs) {
    struct judgement *j = context;
    for (uint32_t a = 1; a < j->l->labels.count; a++)
        if (!occurs[a]) j->missing[a] = true;
    for (uint32_t p = 0; p < j->n->progress_count; p++) {
        const struct network_progress *q = &j->n->progress[p];
        if (!any_occurs(j, q->then, occurs) && (!q->when || any_occurs(j, q->when, occurs))) j->violated[p] = true;
    }
}

/* As the table writes it. */
static char *describe_progress(const struct judgement *j) {
    char *named = strdup("");
    uint32_t missing = 0;
    for (uint32_t p = 0; p < j->n->progress_count; p++) {
        char *longer = text_format("%s%s%s", named, *named ? "," : "", j->violated[p] ? j->n->progress[p].name : "");
        free(named);
        named = longer;
        if (!j->violated[p] && *named && named[strlen(named) - 1] == ',') named[strlen(named) - 1] = 0;
    }
    for (uint32_t a = 1; a < j->l->labels.count; a++) missing += j->missing[a];
    char *usual = missing ? text_format("default:violated(%u)", missing) : text_format("default:ok");
    char *all = j->n->progress_count ? text_format("named:%s %s", named, usual) : text_format("%s", usual);
    free(named);
    free(usual);
    return all;
}

static void expect_progress(const struct table_row *r, const struct network *n, const struct lts *l) {
    struct judgement j = {n, l, calloc(l->labels.count, 1), calloc(n->progress_count + 1, 1)};
    if (l->error != LTS_NONE) {
        if (strncmp(r->cell[7], "n/a", 3) != 0) differs(r, "progress: there is an error");
    } else {
        terminal_components(l, judge, &j);
        char *found = describe_progress(&j);
        if (strcmp(found, r->cell[7]) != 0) differs(r, "progress: %s expected, %s found", r->cell[7], found);
        free(found);
    }
    free(j.missing);
    free(j.violated);
}

/* ---- Composites ---- */

static void expect_network(const struct table_row *r, const struct network *n) {
    struct problem why = {0};
    struct lts l;
    uint64_t moves;
    uint32_t visible = 0;
    assert_true(network_compose_counting(n, false, 100000, &l, &moves, &why));
    for (uint32_t a = 1; a < n->labels.count; a++) visible += n->sight[a] == SIGHT_VISIBLE;
    expect_number(r, 2, "states", l.states - (l.error != LTS_NONE));
    expect_number(r, 3, "transitions", moves);
    expect_number(r, 4, "alphabet", visible);
    expect_distances(r, &l);
    expect_progress(r, n, &l);
    lts_fini(&l);
}

static void expect_row(const struct table_row *r) {
    struct problem why = {0};
    struct fsp_system s;
    struct fsp_file *f = open_model(r->cell[0], &why);
    const char *process = strcmp(r->cell[1], "DEFAULT") == 0 || strcmp(r->cell[1], "-") == 0 ? NULL : r->cell[1];
    bool wanted = strcmp(r->cell[2], "-") != 0, good = f && fsp_target(f, process, &s, &why);
    if (good != wanted) differs(r, good ? "accepted" : "rejected: %s", why.text);
    if (!good && !strstr(why.text, r->cell[0])) differs(r, "the message does not name the file: %s", why.text);
    if (good && wanted) expect_network(r, &s.network);
    if (good && wanted && strstr(r->cell[9], "default=gui")) {
        struct fsp_system usual;
        assert_true(fsp_target(f, NULL, &usual, &why));
        if (strcmp(usual.network.process, s.network.process) != 0)
            differs(r, "%s is the default target", usual.network.process);
        fsp_system_fini(&usual);
    }
    if (good && (s.warning_count > 0) != (strstr(r->cell[9], "warnings=") != NULL)) differs(r, "warnings");
    if (good) fsp_system_fini(&s);
    fsp_free(f);
    problem_fini(&why);
}

static void composites(void **state) {
    static struct table_row rows[MOST];
    uint32_t count = read_table("tests/fsp/expected.tsv", rows);
    (void)state;
    differences = 0;
    assert_true(count > 100);
    for (uint32_t i = 0; i < count; i++) {
        expect_row(&rows[i]);
        free(rows[i].line);
    }
    assert_int_equal(differences, 0);
}

/* ---- Primitive processes ---- */

static bool is_nondeterministic(const struct lts *l) {
    for (uint32_t s = 0; s < l->states; s++)
        for (const struct lts_edge *e = lts_begin(l, s) + 1; e < lts_end(l, s); e++)
            if (e[-1].label == e->label) return true;
    return false;
}

static void expect_primitive(const struct table_row *r, const struct lts *l) {
    uint64_t to_error = 0, stopped = 0;
    bool tau = false;
    for (uint64_t e = 0; e < l->edges; e++) {
        to_error += l->edge[e].target == l->error;
        tau |= l->edge[e].label == LTS_TAU;
    }
    for (uint32_t s = 0; s < l->states; s++) stopped += lts_deadlocks(l, s);
    expect_number(r, 2, "states", l->states - (l->error != LTS_NONE));
    expect_number(r, 3, "transitions", l->edges);
    expect_number(r, 4, "alphabet", l->labels.count - 1);
    expect_number(r, 6, "nondeterministic", is_nondeterministic(l));
    expect_number(r, 7, "tau", tau);
    expect_number(r, 8, "END", l->end != LTS_NONE);
    expect_number(r, 9, "edges to ERROR", to_error);
    expect_number(r, 10, "stops", stopped);
}

static void expect_primitive_row(const struct table_row *r) {
    struct problem why = {0};
    struct fsp_file *f = open_model(r->cell[0], &why);
    struct lts l;
    bool wanted = strcmp(r->cell[2], "-") != 0, good = f && fsp_primitive(f, r->cell[1], &l, &why);
    if (good != wanted) differs(r, good ? "accepted" : "rejected: %s", why.text);
    if (good && wanted) expect_primitive(r, &l);
    if (good) lts_fini(&l);
    fsp_free(f);
    problem_fini(&why);
}

static void primitives(void **state) {
    static struct table_row rows[MOST];
    uint32_t count = read_table("tests/fsp/primitives.tsv", rows);
    (void)state;
    differences = 0;
    assert_true(count > 80);
    for (uint32_t i = 0; i < count; i++) {
        expect_primitive_row(&rows[i]);
        free(rows[i].line);
    }
    assert_int_equal(differences, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(composites), cmocka_unit_test(primitives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
