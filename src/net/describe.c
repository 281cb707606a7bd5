#include "net/describe.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/memory.h"
#include "base/text.h"

/* ---- Identity ---- */

static void hash_text(XXH3_state_t *h, const char *text) { XXH3_128bits_update(h, text, strlen(text) + 1); }

static void hash_flags(XXH3_state_t *h, const bool *flags, uint32_t count) {
    uint8_t there = flags != NULL;
    XXH3_128bits_update(h, &there, 1);
    if (flags) XXH3_128bits_update(h, flags, count * sizeof *flags);
}

static void hash_component(XXH3_state_t *h, const struct network_component *c) {
    const struct lts *l = &c->lts;
    const uint32_t numbers[] = {l->states, l->initial, l->end, l->error, l->labels.count};
    hash_text(h, c->name);
    XXH3_128bits_update(h, numbers, sizeof numbers);
    for (uint32_t k = 0; k < l->labels.count; k++) hash_text(h, l->labels.text[k]);
    XXH3_128bits_update(h, l->first, (l->states + UINT64_C(1)) * sizeof *l->first);
    XXH3_128bits_update(h, l->edge, l->edges * sizeof *l->edge);
}

/* Of all that makes the network what it is. */
static char *identity_of(const struct network *n) {
    XXH3_state_t *h = XXH3_createState();
    const uint32_t numbers[] = {n->count, n->labels.count, n->progress_count};
    XXH3_128bits_reset(h);
    XXH3_128bits_update(h, numbers, sizeof numbers);
    for (uint32_t k = 0; k < n->labels.count; k++) {
        uint8_t sight = (uint8_t)n->sight[k];
        hash_text(h, n->labels.text[k]);
        XXH3_128bits_update(h, &sight, 1);
    }
    hash_flags(h, n->low, n->labels.count);
    for (uint32_t i = 0; i < n->count; i++) hash_component(h, &n->component[i]);
    for (uint32_t i = 0; i < n->progress_count; i++) {
        hash_text(h, n->progress[i].name);
        hash_flags(h, n->progress[i].when, n->labels.count);
        hash_flags(h, n->progress[i].then, n->labels.count);
    }
    XXH128_hash_t sum = XXH3_128bits_digest(h);
    XXH3_freeState(h);
    return text_format("%016llx%016llx", (unsigned long long)sum.high64, (unsigned long long)sum.low64);
}

/* ---- Names ---- */

/* Labels that are hidden deeper inside have no names outside. */
static void name_actions(struct description *d, const struct network *n) {
    d->action_names = memory_get((n->labels.count + 1) * sizeof *d->action_names);
    d->action_hidden = memory_get(n->labels.count + 1);
    d->seen_as = memory_get((n->labels.count + 1) * sizeof *d->seen_as);
    d->action_names[0] = "tau";
    d->action_hidden[0] = true;
    d->seen_as[LTS_TAU] = 0;
    d->actions = 1;
    for (uint32_t k = 1; k < n->labels.count; k++) {
        d->seen_as[k] = n->sight[k] == SIGHT_INNER ? 0 : d->actions;
        if (n->sight[k] == SIGHT_INNER) continue;
        d->action_names[d->actions] = n->labels.text[k];
        d->action_hidden[d->actions++] = n->sight[k] == SIGHT_HIDDEN;
    }
}

static const bool *by_action(const struct description *d, const struct network *n, const bool *by_label) {
    bool *result = by_label ? memory_get_zeroed(d->actions) : NULL;
    for (uint32_t k = 1; by_label && k < n->labels.count; k++)
        if (by_label[k] && d->seen_as[k] != 0) result[d->seen_as[k]] = true;
    return result;
}

void description_init(struct description *d, const struct plan *p, const char *path) {
    const struct network *n = &p->network;
    *d = (struct description){.path = memory_copy_string(path), .identity = identity_of(n)};
    d->variables = memory_get((n->count + 1) * sizeof *d->variables);
    d->errors = memory_get_zeroed((n->count + 1) * sizeof *d->errors);
    for (uint32_t i = 0; i < n->count; i++) {
        d->variables[i] = (struct ts_variable){.name = n->component[i].name};
        if (n->component[i].lts.error != LTS_NONE)
            d->errors[i] = text_format("property violation in %s", n->component[i].name);
    }
    name_actions(d, n);
    d->progress = memory_get((n->progress_count + 1) * sizeof *d->progress);
    for (uint32_t i = 0; i < n->progress_count; i++)
        d->progress[i] = (struct ts_progress){n->progress[i].name, by_action(d, n, n->progress[i].when),
                                              by_action(d, n, n->progress[i].then)};
}

void description_fini(struct description *d, const struct plan *p) {
    for (uint32_t i = 0; i < p->count; i++) free(d->errors[i]);
    for (uint32_t i = 0; i < p->network.progress_count; i++) {
        free((void *)(uintptr_t)d->progress[i].when);
        free((void *)(uintptr_t)d->progress[i].then);
    }
    void *all[] = {d->path,         d->identity,      d->errors,  d->variables,
                   d->action_names, d->action_hidden, d->seen_as, d->progress};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) free(all[k]);
}

/* ---- States ---- */

int64_t describe_value(const struct plan *p, const word *s, uint32_t component, const char **name, size_t *length) {
    const struct plan_component *c = &p->component[component];
    uint32_t state = plan_local(c, s);
    *name = state == c->error ? "ERROR" : state == c->end ? "END" : NULL;
    if (*name) *length = strlen(*name);
    return state;
}

/* name=state of all components, or of those that have moved. */
void describe_state(const struct plan *p, const word *s, const word *previous, FILE *out) {
    const char *gap = "";
    uint32_t erred = plan_is_special(p, s) ? plan_error(p, s) : LTS_NONE;
    if (plan_is_special(p, s)) {
        if (erred == LTS_NONE) fputs("END", out);
        else fprintf(out, "ERROR in %s", p->component[erred].name);
        return;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        const char *name;
        size_t length;
        int64_t state = describe_value(p, s, i, &name, &length);
        if (previous && plan_local(&p->component[i], previous) == state) continue;
        fprintf(out, "%s%s=", gap, p->component[i].name);
        if (name) fputs(name, out);
        else fprintf(out, "%lld", (long long)state);
        gap = " ";
    }
    if (!*gap) fputs(p->count ? "(nothing changes)" : "(no components)", out);
}

bool describe_ready(const struct plan *p, const word *s, uint32_t component, uint32_t t) {
    if (p->actions == 0 || plan_is_special(p, s)) return false;
    const struct plan_action *a = &p->action[p->action_of[t]];
    uint32_t choices = t - a->transition;
    for (uint32_t k = a->parts; k-- > 0;) {
        const struct plan_component *c = &p->component[a->part[k].component];
        uint32_t choice = choices % a->part[k].radix;
        choices /= a->part[k].radix;
        if (a->part[k].component != component) continue;
        const struct plan_group *g = plan_group(c, plan_local(c, s), a->part[k].local);
        return g && choice < g->end - g->begin;
    }
    return false;
}
