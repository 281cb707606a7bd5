#include "model/network/network_facts.h"

#include <string.h>

static bool needs_attention(const struct plan_component *c, uint32_t local) {
    for (uint32_t x = 0; x < c->states; x++) {
        const struct plan_group *g = plan_group(c, x, local);
        for (uint32_t e = g ? g->begin : 0; g && e < g->end; e++)
            if (c->edges[e].attention) return true;
    }
    return false;
}

static void prove_action(const struct plan *p, const struct plan_action *a, uint32_t t, struct facts_proved *f) {
    word *reads = proved_reads(f, t), *writes = proved_writes(f, t);
    bool settles = false;
    for (uint32_t k = 0; k < a->parts; k++) {
        const struct plan_component *c = &p->component[a->part[k].component];
        reads[c->word] |= c->mask << c->shift;
        writes[c->word] |= c->mask << c->shift;
        settles |= needs_attention(c, a->part[k].local);
    }
    if (p->special) reads[0] |= PLAN_SPECIAL;
    if (settles) memset(writes, 0xff, f->words * sizeof(word));
    if (settles || a->low) memset(reads, 0xff, f->words * sizeof(word));
}

struct facts_proved *network_facts(const struct plan *p) {
    struct facts_proved *f = facts_proved_new(p->transitions, p->words);
    for (uint32_t t = 0; t < p->transitions && p->actions; t++) prove_action(p, &p->action[p->action_of[t]], t, f);
    return f;
}
