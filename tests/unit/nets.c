#include "nets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void add_lts(struct network *n, const char *name, struct lts_builder *b) {
    n->component = memory_resize(n->component, (n->count + 1) * sizeof *n->component);
    n->component[n->count].name = memory_copy_string(name);
    lts_build_finish(b, &n->component[n->count++].lts);
}

/* States are written as numbers, ERROR or END; the special ones get the numbers after all others. */
static uint32_t state_of(const char *text, uint32_t plain) {
    if (strcmp(text, "ERROR") == 0) return plain;
    if (strcmp(text, "END") == 0) return plain + 1;
    return (uint32_t)strtoul(text, NULL, 10);
}

void nets_add(struct network *n, const char *name, const char *edges) {
    char *copy = memory_copy_string(edges), *more = strchr(copy, ';'), *rest = copy;
    struct lts_builder b;
    uint32_t plain = 1;
    lts_build(&b);
    if (more) *more++ = 0;
    for (const char *p = copy; *p; p++) /* numbers stand between spaces */
        if ((p == copy || p[-1] == ' ') && *p >= '0' && *p <= '9') {
            uint32_t s = (uint32_t)strtoul(p, NULL, 10);
            if (s >= plain) plain = s + 1;
        }
    for (char *edge; (edge = strsep(&rest, ","));) {
        char from[32], label[64], to[32];
        if (sscanf(edge, "%31s %63s %31s", from, label, to) != 3) continue;
        uint32_t target = state_of(to, plain);
        if (target == plain) b.error = plain;
        if (target == plain + 1) b.end = plain + 1;
        lts_build_edge(&b, state_of(from, plain), names_add(&b.labels, label), target);
    }
    for (char *label; more && (label = strsep(&more, " "));)
        if (*label) names_add(&b.labels, label);
    free(copy);
    add_lts(n, name, &b);
}

void nets_finish(struct network *n) {
    names_init(&n->labels);
    names_add(&n->labels, "tau");
    for (uint32_t i = 0; i < n->count; i++)
        for (uint32_t k = 1; k < n->component[i].lts.labels.count; k++)
            names_add(&n->labels, n->component[i].lts.labels.text[k]);
    n->sight = memory_get_zeroed((n->labels.count + 1) * sizeof *n->sight);
}

static void each_label(const struct network *n, const char *labels, void (*set)(void *context, uint32_t label),
                       void *context) {
    char *copy = memory_copy_string(labels), *rest = copy;
    for (char *label; (label = strsep(&rest, " "));) {
        uint32_t k = names_find(&n->labels, label);
        if (k != NAMES_NONE) set(context, k);
    }
    free(copy);
}

struct sighting {
    struct network *n;
    enum network_sight sight;
};

static void set_sight(void *context, uint32_t label) {
    const struct sighting *s = context;
    s->n->sight[label] = s->sight;
}

static void set_low(void *context, uint32_t label) { ((struct network *)context)->low[label] = true; }

void nets_hide(struct network *n, const char *labels, enum network_sight sight) {
    struct sighting s = {n, sight};
    each_label(n, labels, set_sight, &s);
}

void nets_low(struct network *n, const char *labels) {
    if (!n->low) n->low = memory_get_zeroed(n->labels.count + 1);
    each_label(n, labels, set_low, n);
}

/* ---- By chance ---- */

static void random_component(struct network *n, uint32_t i, const struct nets_chance *chance,
                             uint32_t (*below)(uint32_t)) {
    struct lts_builder b;
    char name[16];
    uint32_t own = 1 + below(4), states = 1 + below(chance->states),
             edges = below(4) ? states + below(states + 2) : below(states);
    lts_build(&b);
    for (uint32_t k = 0; k < own; k++) {
        snprintf(name, sizeof name, "%c", 'a' + (char)below(chance->labels));
        names_add(&b.labels, name);
    }
    b.states = states;
    uint32_t targets = states;
    if (below(100) < chance->special) b.error = targets++;
    if (below(100) < chance->special) b.end = targets++;
    b.states = targets;
    bool ends = chance->acyclic && below(100) < chance->acyclic;
    for (uint32_t k = 0; k < edges; k++) {
        uint32_t from = k < states ? k : below(states),
                 label = below(100) < chance->tau ? LTS_TAU : 1 + below(b.labels.count - 1);
        uint32_t to = below(targets);
        if (to >= states && below(3)) to = below(states);
        if (k + 1 < states && below(4)) to = k + 1; /* most states can be reached */
        if (ends && to <= from) to = from + 1;
        bool taken = false;
        for (uint64_t e = 0; e < b.count && to < targets; e++)
            taken |= b.triples[e].source == from && b.triples[e].label == label;
        if (to < targets && (!taken || !chance->deterministic || label == LTS_TAU)) lts_build_edge(&b, from, label, to);
    }
    snprintf(name, sizeof name, "P%u", i);
    add_lts(n, name, &b);
}

void nets_random(struct network *n, const struct nets_chance *chance, uint32_t (*below)(uint32_t)) {
    uint32_t count = 1 + below(chance->components);
    *n = (struct network){0};
    for (uint32_t i = 0; i < count; i++) random_component(n, i, chance, below);
    nets_finish(n);
    for (uint32_t k = 1; k < n->labels.count; k++)
        if (below(100) < chance->hidden) n->sight[k] = below(2) ? SIGHT_HIDDEN : SIGHT_INNER;
    if (below(100) >= chance->low) return;
    n->low = memory_get_zeroed(n->labels.count + 1);
    for (uint32_t k = 0; k < n->labels.count; k++) n->low[k] = below(2);
}

void nets_copy(struct network *to, const struct network *from) {
    *to = (struct network){.count = from->count};
    to->component = memory_get((from->count + 1) * sizeof *to->component);
    for (uint32_t i = 0; i < from->count; i++) {
        to->component[i].name = memory_copy_string(from->component[i].name);
        lts_copy(&to->component[i].lts, &from->component[i].lts);
    }
    names_copy(&to->labels, &from->labels);
    to->sight = memory_get((from->labels.count + 1) * sizeof *to->sight);
    memcpy(to->sight, from->sight, from->labels.count * sizeof *to->sight);
    if (!from->low) return;
    to->low = memory_get(from->labels.count + 1);
    memcpy(to->low, from->low, from->labels.count);
}

void nets_print(const struct network *n) {
    for (uint32_t i = 0; i < n->count; i++) {
        const struct lts *l = &n->component[i].lts;
        fprintf(stderr, "nets_add(&n, \"%s\", \"", n->component[i].name);
        for (uint32_t s = 0; s < l->states; s++)
            for (const struct lts_edge *e = lts_begin(l, s); e < lts_end(l, s); e++) {
                fprintf(stderr, "%u %s ", s, l->labels.text[e->label]);
                if (e->target == l->error) fprintf(stderr, "ERROR, ");
                else if (e->target == l->end) fprintf(stderr, "END, ");
                else fprintf(stderr, "%u, ", e->target);
            }
        fprintf(stderr, ";");
        for (uint32_t k = 1; k < l->labels.count; k++) fprintf(stderr, " %s", l->labels.text[k]);
        fprintf(stderr, "\"); // initial %u, end %d, error %d\n", l->initial, (int)l->end, (int)l->error);
    }
    for (uint32_t k = 1; k < n->labels.count; k++)
        fprintf(stderr, "%s%s ", n->labels.text[k], n->sight[k] == SIGHT_VISIBLE ? "" : "(hidden)");
    fprintf(stderr, "\n");
}
