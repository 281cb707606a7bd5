#include "sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/c/c_model.h"
#include "model/c/reading/read_source.h"
#include "generate.h"

enum { STATES = 24 };

struct subject {
    const char *path;
    struct ts *ts;
    struct ts_worker *worker;
    struct source *source;
    struct source_counts *counts;
    uint64_t random;
};

static uint64_t random_word(struct subject *x) {
    x->random = x->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (x->random >> 32 ^ x->random << 21) * UINT64_C(0x9e3779b97f4a7c15) >> 3;
}

/* All of a model is in one word. */
static uint64_t low(const struct source_variable *v) { return (UINT64_C(1) << v->bits) - 1; }

static word with(word s, const struct source_variable *v, uint64_t value) {
    return (s & ~(low(v) << v->first)) | value << v->first;
}

/* UPTO(most) with many values: what is not in its range is no state. Function FUNCTIONS, the one after all others,
 * is enabled and does nothing, so ranges are checked. */
static bool is_state(struct subject *x, word s) {
    word ignored;
    struct ts_fault fault;
    return x->ts->ops->fire(x->worker, &s, FUNCTIONS, &ignored, &fault) >= 0;
}

static word random_state(struct subject *x) {
    word s = 1;
    bool mostly_0 = random_word(x) % 4 == 0;
    for (uint32_t v = 0; v < x->source->variable_count; v++) {
        const struct source_variable *variable = &x->source->variables[v];
        uint64_t value = random_word(x) & low(variable), values = variable->slots;
        if (mostly_0 && random_word(x) % 4) continue;
        word t = with(s, variable, values ? value % values : value);
        if (is_state(x, t)) s = t;
    }
    return s;
}

static struct point_view walk(struct subject *x, uint32_t unit, bool merged, word s) {
    const struct source_ops *ops = x->source->ops;
    point p = ops->begin(x->source, unit, merged);
    struct point_view v = ops->view(x->source, p);
    for (; v.kind == POINT_READ; v = ops->view(x->source, p)) {
        const struct source_variable *variable = &x->source->variables[v.variable];
        p = ops->next(x->source, p, s >> variable->first & low(variable));
        x->counts->steps++;
    }
    x->counts->walks++;
    return v;
}

/* NULL: it is as it should be. */
static const char *wrong(struct subject *x, uint32_t t, bool merged, word s) {
    struct ts_fault fault = {.kind = TS_FINE};
    struct point_view v = walk(x, t, merged, s);
    word right, mine = s;
    int fired = x->ts->ops->fire(x->worker, &s, t, &right, &fault);
    if (fired < 0) return fault.text[0] ? "the function failed" : "?";
    if (v.kind == LEAF_UNKNOWN) return x->counts->unknown++, NULL;
    if (v.kind != (fired ? LEAF_ENABLED : LEAF_DISABLED))
        return v.kind == LEAF_ERROR ? v.text : fired ? "it is enabled" : "it is disabled";
    for (uint32_t i = 0; i < v.store_count; i++)
        mine = with(mine, &x->source->variables[v.stores[i].variable], v.stores[i].value);
    x->counts->enabled += fired > 0;
    return fired && mine != right ? "the successor is another" : NULL;
}

static void check_function(struct subject *x, uint32_t t) {
    const char *text = NULL;
    for (int i = 0; i < 2 * STATES && !text; i++) {
        word s = random_state(x);
        text = wrong(x, t, i % 2, s);
        if (text) printf("FAILED: source of %s, f%u in state %016llx: %s\n", x->path, t, (unsigned long long)s, text);
    }
    x->counts->failed += text != NULL;
    x->counts->passed += !text;
}

void sources_check(const char *path, const char *compiler, uint64_t seed, struct source_counts *counts) {
    struct c_model_options options = {.compile = {.path = path, .compiler = compiler, .no_cache = true}, .endless = 5};
    struct problem why = {0};
    struct subject x = {.path = path, .counts = counts, .random = seed};
    x.ts = c_model_open(&options, &why);
    x.source = x.ts ? x.ts->ops->read(x.ts, &why) : NULL;
    if (x.source) {
        x.worker = x.ts->ops->worker_new(x.ts);
        for (uint32_t t = 0; t < FUNCTIONS; t++) check_function(&x, t);
        x.ts->ops->worker_free(x.worker);
        x.source->ops->close(x.source);
    } else {
        printf("FAILED: %s: %s\n", path, why.text);
        counts->failed++;
    }
    if (x.ts) x.ts->ops->close(x.ts);
    problem_fini(&why);
}
