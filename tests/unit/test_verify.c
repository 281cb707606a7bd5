/* Certificates, right ones and bent ones: the verdict is that of the definitions, naively applied to the graph. The
 * certificates are made here, not by the code that makes them in earnest. */
#include "unit.h"

#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "graph.h"
#include "verify/verify.h"

enum { MOST_STATES = 40, MOST_TRANSITIONS = 6, MAY = 0, MUST = 1, INFINITE = 2, TERMINATION = 3 };

static char path[64];

struct cert {
    struct graph *g;
    uint32_t ids[MOST_STATES + 2], n;
    bool sets[MOST_STATES + 2][MOST_TRANSITIONS];
    uint32_t ranks[4][MOST_STATES + 2];
    unsigned checks;
    bool stubborn, symmetry, terminal_not_may, terminal_not_must;
    uint32_t infinitely;
    bool finitely[MOST_TRANSITIONS];
    uint64_t states, edges, terminals;
};

/* ---- The file ---- */

static void write_run(const struct cert *c, struct archive_writer *w) {
    struct identity run = {0};
    char list[64] = "";
    identity_add_flag(&run, "option --stubborn", c->stubborn);
    identity_add_flag(&run, "option --symmetry", c->symmetry);
    identity_add_flag(&run, "option --terminal-not-may", c->terminal_not_may);
    identity_add_flag(&run, "option --terminal-not-must", c->terminal_not_must);
    static const char *const names[] = {
        "safety",      "deadlock", "model_error", "may_progress", "must_progress", "infinite_occurrence",
        "termination", "progress", "ltl",         "automaton"};
    for (unsigned i = 0; i < COUNT(names); i++) {
        char label[64];
        snprintf(label, sizeof label, "check %s", names[i]);
        identity_add_flag(&run, label, c->checks >> i & 1);
    }
    for (uint32_t t = 0; t < c->g->ts.transitions; t++)
        if (c->finitely[t]) snprintf(list + strlen(list), sizeof list - strlen(list), "%s%u", *list ? "," : "", t);
    identity_add_number(&run, "option --infinitely", c->infinitely);
    identity_add(&run, "option --finitely", *list ? list : "none");
    identity_write(&run, w, "run");
    identity_fini(&run);
}

static void write_cert(const struct cert *c) {
    struct problem why = {0};
    struct identity model = {0};
    struct archive_writer *w = archive_create(path, ARCHIVE_CERTIFICATE, &why);
    uint32_t words = c->g->ts.words, transitions = c->g->ts.transitions;
    assert_non_null(w);
    identity_of_model(&model, &c->g->ts);
    identity_write(&model, w, "model");
    identity_fini(&model);
    write_run(c, w);
    archive_section(w, "claim");
    archive_write_number(w, c->states);
    archive_write_number(w, c->edges);
    archive_write_number(w, c->terminals);
    archive_section(w, "states");
    for (uint32_t i = 0; i < c->n; i++) {
        word state[16];
        graph_encode(c->g, c->ids[i], state);
        archive_write(w, state, words * sizeof(word));
    }
    if (c->stubborn) {
        archive_section(w, "sets");
        for (uint32_t i = 0; i < c->n; i++) {
            unsigned char byte = 0;
            for (uint32_t t = 0; t < transitions; t++) byte |= (unsigned char)(c->sets[i][t] << t);
            archive_write(w, &byte, 1);
        }
    }
    static const char *const names[] = {"may_progress", "must_progress", "infinite_occurrence",
                                        "termination",  "progress",      "ltl"};
    static const unsigned bits[] = {8, 16, 32, 64};
    for (int k = 0; k < 4; k++) {
        if (!(c->checks & bits[k])) continue;
        archive_section(w, names[k]);
        archive_write(w, c->ranks[k], c->n * sizeof(uint32_t));
    }
    assert_true(archive_commit(w, NULL, &why));
}

static enum verify_end judge_file(struct graph *g, struct verification *v, uint32_t outside) {
    struct problem why = {0};
    struct claim claim;
    struct ts_worker *w = graph_worker(g);
    struct verify_limits limits = {.outside = outside};
    if (!claim_open(&claim, path, &why) || !verify_run(v, &claim, &g->ts, w, &limits, &why)) fail_msg("%s", why.text);
    claim_fini(&claim);
    free(w);
    return v->end;
}

/* ---- What is right, by the definitions ---- */

static uint32_t place(const struct cert *c, uint32_t id) {
    for (uint32_t i = 0; i < c->n; i++)
        if (c->ids[i] == id) return i;
    return NO_STATE;
}

static uint32_t lead(const struct cert *c, uint32_t id, uint32_t t) {
    uint32_t to = *graph_next(c->g, id, t);
    return to == NO_STATE ? NO_STATE : c->symmetry ? c->g->image[to] : to;
}

/* D1, D2 and the bad states, for a member t of the set in s; x and y as in audit.h. */
static bool member_is_right(const struct cert *c, uint32_t s, uint32_t t, const bool *set, uint32_t x, uint32_t y,
                            bool *seen) {
    struct graph *g = c->g;
    uint32_t n = g->count, xt = *graph_next(g, x, t);
    bool enabled = *graph_next(g, s, t) != NO_STATE;
    uint32_t pair = x * (n + 1) + (enabled ? y : n);
    if (seen[pair]) return true;
    seen[pair] = true;
    if (enabled ? xt == NO_STATE || xt != y : xt != NO_STATE) return false;
    if (enabled && (c->checks & PROP_SAFETY) && (g->classes[x] & TS_BAD) && !(g->classes[s] & TS_BAD) &&
        !(g->classes[xt] & TS_BAD))
        return false;
    for (uint32_t u = 0; u < g->ts.transitions; u++) {
        uint32_t to = *graph_next(g, x, u), after = enabled ? *graph_next(g, y, u) : n;
        if (set[u] || to == NO_STATE) continue;
        if (enabled && after == NO_STATE) return false;
        if (!member_is_right(c, s, t, set, to, after, seen)) return false;
    }
    return true;
}

static bool set_is_right(const struct cert *c, uint32_t i) {
    struct graph *g = c->g;
    uint32_t id = c->ids[i], enabled = 0, members = 0;
    const bool *set = c->sets[i];
    bool seen[MOST_STATES * (MOST_STATES + 1)];
    for (uint32_t t = 0; t < g->ts.transitions; t++) {
        bool can = *graph_next(g, id, t) != NO_STATE;
        enabled += can;
        members += can && set[t];
        for (uint32_t u = 0; set[t] && u < g->ts.transitions; u++)
            if (graph_obliges(g, id, t)[u] && !set[u]) return false;
        memset(seen, 0, sizeof seen);
        if (set[t] && !member_is_right(c, id, t, set, id, *graph_next(g, id, t), seen)) return false;
    }
    return members > 0 || enabled == 0;
}

static bool claim_is_allowed(const struct cert *c) {
    bool progress = c->checks & (PROP_MAY | PROP_MUST), symmetric = c->g->ts.features & TS_SYMMETRIC_PROGRESS;
    if (c->stubborn && (c->checks & PROP_MUST)) return false;
    if (c->stubborn && (c->checks & (PROP_SAFETY | PROP_MAY | PROP_INFINITE)) && !(c->checks & PROP_TERMINATION))
        return false;
    return !(c->symmetry && ((progress && !symmetric) || (c->checks & PROP_INFINITE)));
}

static bool state_is_right(const struct cert *c, uint32_t i, uint64_t *edges, uint64_t *terminals) {
    struct graph *g = c->g;
    uint32_t id = c->ids[i], count = 0, less[4] = {0};
    bool finite = true;
    if ((c->checks & PROP_SAFETY) && (g->classes[id] & TS_BAD)) return false;
    for (uint32_t t = 0; t < g->ts.transitions; t++) {
        uint32_t to = lead(c, id, t), at = place(c, to);
        if (to == NO_STATE || (c->stubborn && !c->sets[i][t])) continue;
        if (at == NO_STATE) return false;
        count++;
        for (int k = 0; k < 4; k++) less[k] += c->ranks[k][at] < c->ranks[k][i];
        if (!c->finitely[t] && c->ranks[INFINITE][at] > c->ranks[INFINITE][i]) finite = false;
        if (t == c->infinitely && c->ranks[INFINITE][at] >= c->ranks[INFINITE][i]) finite = false;
    }
    *edges += count;
    *terminals += count == 0;
    if (c->stubborn && !set_is_right(c, i)) return false;
    if ((c->checks & PROP_DEADLOCK) && count == 0 && g->illegal[id]) return false;
    bool may = (g->classes[id] & TS_MAY) || (!count && !c->terminal_not_may);
    bool must = (g->classes[id] & TS_MUST) || (!count && !c->terminal_not_must);
    if ((c->checks & PROP_MAY) && !may && !less[MAY]) return false;
    if ((c->checks & PROP_MUST) && !must && !(count && less[MUST] == count)) return false;
    if ((c->checks & PROP_TERMINATION) && count && !less[TERMINATION]) return false;
    return finite || !(c->checks & PROP_INFINITE);
}

static bool is_right(const struct cert *c) {
    uint64_t edges = 0, terminals = 0;
    uint32_t start = c->symmetry ? c->g->image[0] : 0;
    if (c->n == 0 || c->n != c->states || !claim_is_allowed(c) || place(c, start) == NO_STATE) return false;
    for (uint32_t i = 0; i < c->n; i++)
        if (place(c, c->ids[i]) != i || !state_is_right(c, i, &edges, &terminals)) return false;
    return edges == c->edges && terminals == c->terminals;
}

/* ---- Certificates as they should be, as far as that is possible ---- */

/* What a random transition forces into the set, and then others until one is enabled. */
static void choose_set(struct cert *c, uint32_t i) {
    struct graph *g = c->g;
    uint32_t n = g->ts.transitions, enabled = 0, members = 0;
    bool *set = c->sets[i];
    memset(set, 0, MOST_TRANSITIONS);
    for (uint32_t t = 0; t < n; t++) enabled += *graph_next(g, c->ids[i], t) != NO_STATE;
    while (enabled && !members) {
        set[random_below(n)] = true;
        for (uint32_t round = 0; round < n; round++)
            for (uint32_t t = 0; t < n; t++)
                for (uint32_t u = 0; set[t] && u < n; u++) set[u] |= graph_obliges(g, c->ids[i], t)[u];
        for (uint32_t t = 0; t < n; t++) members += set[t] && *graph_next(g, c->ids[i], t) != NO_STATE;
    }
}

static void explore(struct cert *c) {
    c->ids[0] = c->symmetry ? c->g->image[0] : 0;
    c->n = 1;
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t count = 0;
        if (c->stubborn) choose_set(c, i);
        for (uint32_t t = 0; t < c->g->ts.transitions; t++) {
            uint32_t to = lead(c, c->ids[i], t);
            if (to == NO_STATE || (c->stubborn && !c->sets[i][t])) continue;
            count++;
            if (place(c, to) == NO_STATE) c->ids[c->n++] = to;
        }
        c->edges += count;
        c->terminals += count == 0;
    }
    c->states = c->n;
}

/* Ranks by rounds: what can be ranked after k rounds has rank k. What cannot keeps a large one. */
static void choose_ranks(struct cert *c, int k) {
    uint32_t *rank = c->ranks[k], big = 1000;
    for (uint32_t i = 0; i < c->n; i++) rank[i] = big;
    for (uint32_t round = 0; round <= c->n; round++)
        for (uint32_t i = 0; i < c->n; i++) {
            uint32_t id = c->ids[i], count = 0, ranked = 0;
            if (rank[i] != big) continue;
            for (uint32_t t = 0; t < c->g->ts.transitions; t++) {
                uint32_t to = lead(c, id, t);
                if (to == NO_STATE || (c->stubborn && !c->sets[i][t])) continue;
                count++;
                ranked += rank[place(c, to)] < round;
            }
            uint8_t class = c->g->classes[id];
            bool target = k == MAY    ? (class & TS_MAY) || (!count && !c->terminal_not_may)
                          : k == MUST ? (class & TS_MUST) || (!count && !c->terminal_not_must)
                                      : !count;
            if (target || (round && (k == MUST ? count && ranked == count : ranked > 0))) rank[i] = round;
        }
}

/* For infinite occurrence: the length of the longest way from each state, in steps of the transition, by relaxation. */
static void choose_heights(struct cert *c) {
    uint32_t *rank = c->ranks[INFINITE];
    memset(rank, 0, sizeof c->ranks[INFINITE]);
    for (uint32_t round = 0; round < 2 * c->n; round++)
        for (uint32_t i = 0; i < c->n; i++)
            for (uint32_t t = 0; t < c->g->ts.transitions; t++) {
                uint32_t to = lead(c, c->ids[i], t);
                if (to == NO_STATE || c->finitely[t] || (c->stubborn && !c->sets[i][t])) continue;
                uint32_t least = rank[place(c, to)] + (t == c->infinitely);
                if (rank[i] < least) rank[i] = least;
            }
}

/* Counters that count up, as in test_audit.c, with holes; or anything at all. */
static void random_graph(struct graph *g, uint64_t i) {
    random_start(i);
    if (i % 2) {
        graph_init(g, 27, 3, 1);
        for (uint32_t s = 0; s < 27; s++)
            for (uint32_t t = 0, weight = 1; t < 3; t++, weight *= 3)
                if (s / weight % 3 < 2) *graph_next(g, s, t) = s + weight;
        for (uint32_t k = random_below(3); k > 0; k--) *graph_next(g, random_below(27), random_below(3)) = NO_STATE;
        if (random_chance(30)) *graph_next(g, 26, random_below(3)) = random_below(27);
    } else {
        graph_init(g, 2 + random_below(14), 1 + random_below(4), i % 3 ? 1 : 2);
        graph_randomise(g, 30 + random_below(50), 0, i);
    }
    uint32_t dense = random_below(3) * 30, rare = 2 + random_below(20);
    for (uint32_t s = 0; s < g->count; s++) {
        g->classes[s] = (random_below(rare * 3) == 0 ? TS_BAD : 0) | (random_below(3) == 0 ? TS_MAY : 0) |
                        (random_below(2) == 0 ? TS_MUST : 0);
        g->illegal[s] = random_below(rare) == 0;
        if (random_below(4) == 0) g->image[s] = random_below(g->count);
        for (uint32_t t = 0; t < g->ts.transitions; t++)
            for (uint32_t u = 0; u < g->ts.transitions; u++) graph_obliges(g, s, t)[u] = u == t || random_chance(dense);
    }
    g->ts.features = TS_CHECK_STATE | TS_CHECK_DEADLOCK | TS_MAY_PROGRESS | TS_MUST_PROGRESS | TS_OBLIGATIONS |
                     TS_SYMMETRY | (random_chance(50) ? TS_SYMMETRIC_PROGRESS : 0u);
    g->ts.identity = "0123";
}

static void random_cert(struct cert *c, struct graph *g) {
    static const unsigned claims[] = {PROP_SAFETY, PROP_DEADLOCK, PROP_MAY, PROP_MUST, PROP_INFINITE, PROP_TERMINATION};
    *c = (struct cert){.g = g, .stubborn = random_chance(50), .symmetry = random_chance(20)};
    for (size_t k = 0; k < COUNT(claims); k++)
        if (random_chance(claims[k] == PROP_MUST ? 10 : 40)) c->checks |= claims[k];
    if (c->stubborn && random_chance(80)) c->checks |= PROP_TERMINATION;
    c->terminal_not_may = random_chance(20);
    c->terminal_not_must = random_chance(20);
    c->infinitely = random_below(g->ts.transitions);
    for (uint32_t t = 0; t < g->ts.transitions; t++) c->finitely[t] = t != c->infinitely && random_chance(30);
    explore(c);
    for (int k = 0; k < 4; k++)
        if (k != INFINITE) choose_ranks(c, k);
    choose_heights(c);
}

/* ---- Bending ---- */

enum { BENDS = 12 };

static void drop(struct cert *c, uint32_t i) {
    c->n--;
    memmove(c->ids + i, c->ids + i + 1, (c->n - i) * sizeof c->ids[0]);
    memmove(c->sets + i, c->sets + i + 1, (c->n - i) * sizeof c->sets[0]);
    for (int k = 0; k < 4; k++) memmove(c->ranks[k] + i, c->ranks[k] + i + 1, (c->n - i) * sizeof c->ranks[0][0]);
}

static void bend(struct cert *c, uint32_t how) {
    struct graph *g = c->g;
    uint32_t i = random_below(c->n), t = random_below(g->ts.transitions);
    switch (how) {
    case 0: drop(c, i); break;
    case 1: /* and say so */
        drop(c, i);
        c->states = c->n;
        break;
    case 2: /* any state, reachable or not */
        c->ids[c->n] = random_below(g->count);
        for (uint32_t u = 0; u < g->ts.transitions; u++) c->sets[c->n][u] = true;
        for (int k = 0; k < 4; k++) c->ranks[k][c->n] = random_below(5);
        c->states = ++c->n;
        for (uint32_t u = 0; u < g->ts.transitions; u++) c->edges += *graph_next(g, c->ids[c->n - 1], u) != NO_STATE;
        break;
    case 3: c->ranks[random_below(4)][i] = random_below(8); break;
    case 4: c->ranks[random_below(4)][i] = 0; break;
    case 5: c->sets[i][t] = !c->sets[i][t]; break;
    case 6: memset(c->sets[i], random_chance(50), g->ts.transitions); break;
    case 7: *(random_chance(50) ? &c->edges : &c->states) += random_chance(50) ? 1 : -1; break;
    case 8: c->terminals += random_chance(50) ? 1 : -1; break;
    case 9: c->checks ^= 1u << random_below(7) & ~(unsigned)PROP_MODEL_ERROR; break;
    case 10: c->ids[i] = random_below(g->count); break;
    default: /* the model is not what it was when the certificate was made */
        if (random_chance(50)) g->classes[c->ids[i]] ^= TS_BAD;
        else g->illegal[c->ids[i]] = !g->illegal[c->ids[i]];
    }
}

/* A clever liar: edges and terminal states are as many as the bent certificate has. */
static void recount(struct cert *c) {
    c->edges = c->terminals = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t count = 0;
        for (uint32_t t = 0; t < c->g->ts.transitions; t++)
            count += (!c->stubborn || c->sets[i][t]) && *graph_next(c->g, c->ids[i], t) != NO_STATE;
        c->edges += count;
        c->terminals += count == 0;
    }
}

static void as_defined(void **unused) {
    uint32_t right = 0, wrong = 0, stubborn = 0, spoilt[BENDS] = {0}, kept[BENDS] = {0};
    (void)unused;
    for (uint64_t i = 0; i < 5000; i++) {
        struct graph g;
        struct cert c;
        struct verification v;
        random_graph(&g, i);
        random_cert(&c, &g);
        uint32_t how = random_below(BENDS);
        bool before = is_right(&c), bent = random_chance(70);
        if (bent) bend(&c, how);
        if (bent && how != 7 && how != 8 && random_chance(60)) recount(&c);
        if (c.n == 0) {
            graph_fini(&g);
            continue;
        }
        bool expected = is_right(&c);
        write_cert(&c);
        enum verify_end end = judge_file(&g, &v, 1000);
        if (end != (expected ? VERIFY_VERIFIED : VERIFY_REFUTED))
            fail_msg("%llu, bent %d: expected %d, but: %d, %s", (unsigned long long)i, bent ? (int)how : -1, expected,
                     end, v.message ? v.message : "");
        assert_int_equal(v.message != NULL, !expected);
        if (expected) right++;
        else wrong++;
        if (expected && c.stubborn) stubborn++;
        if (bent && before && !expected) spoilt[how]++;
        if (bent && before && expected) kept[how]++;
        verification_fini(&v);
        graph_fini(&g);
    }
    assert_true(right > 200 && wrong > 200 && stubborn > 50);
    for (int k = 0; k < BENDS; k++) assert_true(spoilt[k] > 5);
    assert_true(kept[2] > 5); /* states that cannot be reached, but are as good as the others */
}

/* ---- The state that is shown, and other things that is_right does not know ---- */

static void refuted_state(void **unused) {
    struct graph g;
    struct cert c = {.g = &g};
    struct verification v;
    (void)unused;
    graph_init(&g, 6, 1, 1);
    for (uint32_t s = 0; s < 5; s++) *graph_next(&g, s, 0) = s + 1;
    explore(&c);
    c.checks = PROP_SAFETY | PROP_DEADLOCK;
    write_cert(&c);
    assert_int_equal(judge_file(&g, &v, 10), VERIFY_VERIFIED);
    assert_null(v.state);
    g.classes[3] = TS_BAD;
    assert_int_equal(judge_file(&g, &v, 10), VERIFY_REFUTED);
    assert_int_equal(graph_decode(&g, v.state), 3);
    assert_string_equal(v.message, "check_state: bad state");
    verification_fini(&v);
    g.classes[3] = 0;
    g.illegal[5] = true;
    assert_int_equal(judge_file(&g, &v, 10), VERIFY_REFUTED);
    assert_int_equal(graph_decode(&g, v.state), 5);
    verification_fini(&v);
    g.illegal[5] = false;
    g.fault_state = 2;
    assert_int_equal(judge_file(&g, &v, 10), VERIFY_REFUTED);
    assert_int_equal(graph_decode(&g, v.state), 2);
    assert_non_null(strstr(v.message, "the graph says so"));
    verification_fini(&v);
    g.fault_state = NO_STATE;
    g.ts.features = TS_CHECK_DEADLOCK;
    assert_int_equal(judge_file(&g, &v, 10), VERIFY_REFUTED);
    assert_non_null(strstr(v.message, "the model has no check_state"));
    verification_fini(&v);
    graph_fini(&g);
}

/* With little room for outside states the answer is not "verified". */
static void cut_off(void **unused) {
    struct graph g;
    struct cert c = {.g = &g, .stubborn = true};
    struct verification v;
    (void)unused;
    graph_init(&g, 27, 3, 1);
    for (uint32_t s = 0; s < 27; s++)
        for (uint32_t t = 0, weight = 1; t < 3; t++, weight *= 3)
            if (s / weight % 3 < 2) *graph_next(&g, s, t) = s + weight;
    graph_obliges(&g, 0, 0);
    explore(&c);
    write_cert(&c);
    assert_int_equal(judge_file(&g, &v, 100), VERIFY_VERIFIED);
    verification_fini(&v);
    assert_int_equal(judge_file(&g, &v, 3), VERIFY_CUT);
    assert_true(v.cut > 0);
    assert_non_null(strstr(v.message, "--outside"));
    verification_fini(&v);
    graph_fini(&g);
}

/* Another model, and files that are no certificates. */
static void other_models(void **unused) {
    struct ts_parameter eight[] = {{"n", 8, false, false}}, nine[] = {{"n", 9, false, false}};
    struct graph g;
    struct cert c = {.g = &g};
    struct verification v;
    struct problem why = {0};
    struct claim claim;
    (void)unused;
    graph_init(&g, 6, 1, 1);
    g.ts.identity = "0123";
    g.ts.parameters = eight;
    g.ts.parameter_count = 1;
    explore(&c);
    write_cert(&c);
    struct ts_worker *w = graph_worker(&g);
    struct verify_limits limits = {.outside = 10};
    g.ts.parameters = nine;
    assert_true(claim_open(&claim, path, &why));
    assert_string_equal(identity_value(&claim.model, "parameter n"), "8");
    assert_false(verify_run(&v, &claim, &g.ts, w, &limits, &why));
    assert_int_equal(why.status, EXIT_BAD_INPUT);
    assert_string_equal(
        why.text,
        "the certificate is of parameter n=8, now n=9; give what it was made with, or make the certificate anew");
    problem_fini(&why);
    claim_fini(&claim);
    assert_int_equal(truncate(path, 1000), 0);
    g.ts.parameters = eight;
    if (claim_open(&claim, path, &why)) verify_run(&v, &claim, &g.ts, w, &limits, &why);
    assert_int_equal(why.status, EXIT_BAD_INPUT);
    assert_non_null(strstr(why.text, "damaged"));
    problem_fini(&why);
    claim_fini(&claim);

    volatile sig_atomic_t interrupted = 1;
    limits.interrupted = &interrupted;
    write_cert(&c);
    assert_true(claim_open(&claim, path, &why));
    assert_false(verify_run(&v, &claim, &g.ts, w, &limits, &why));
    assert_int_equal(why.status, EXIT_INCONCLUSIVE);
    problem_fini(&why);
    claim_fini(&claim);
    free(w);
    graph_fini(&g);
}

static int set_path(void **unused) {
    (void)unused;
    snprintf(path, sizeof path, "%s/onager-verify-%ld", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
             (long)getpid());
    return 0;
}
static int remove_path(void **unused) { return (void)unused, unlink(path); }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_defined),
        cmocka_unit_test(refuted_state),
        cmocka_unit_test(cut_off),
        cmocka_unit_test(other_models),
    };
    return cmocka_run_group_tests(tests, set_path, remove_path);
}
