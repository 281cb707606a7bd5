#include "moves.h"

#include <stdlib.h>

#include "base/memory.h"

static uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 31) * UINT64_C(0x9fb21c651e98df25);
    return (x ^ x >> 29) * UINT64_C(0xc2b2ae3d27d4eb4f) >> 13;
}

static bool happens(const struct moves_chance *c, uint32_t percent) { return c->below(100) < percent; }

/* Up to so many bits; never the mark. */
static word some_bits(const struct moves_chance *c, uint32_t most) {
    word mask = 0;
    for (uint32_t i = c->below(most + 1); i > 0; i--) mask |= (word)2 << c->below(c->bits);
    return mask;
}

static struct move some_move(const struct moves_chance *c, uint32_t before) {
    struct move m = {.twin = before > 0 && happens(c, c->twins) ? (int)c->below(before) : -1};
    bool small = happens(c, c->small);
    m.first = some_bits(c, small ? 2 : c->looks);
    if (happens(c, c->second)) m.second = some_bits(c, c->looks > 4 ? c->looks - 2 : 2);
    m.stores = small ? m.first : m.first | some_bits(c, 1);
    if (happens(c, c->elsewhere)) m.stores = some_bits(c, 2);
    m.salt = (uint64_t)c->below(UINT32_MAX) << 32 | c->below(UINT32_MAX);
    return m;
}

void moves_random(struct moves *m, const struct moves_chance *c) {
    *m = (struct moves){.count = c->least + c->below(c->most - c->least + 1), .forward = happens(c, 50)};
    m->at = memory_get(m->count * sizeof *m->at);
    for (uint32_t t = 0; t < m->count; t++) m->at[t] = some_move(c, t);
}

void moves_fini(struct moves *m) { free(m->at); }

/* 1: *successor; 0: disabled. *uses: what this depends on, and what is stored. */
static int fire(const struct moves *m, word source, uint32_t t, word *successor, word *uses) {
    const struct move *x = &m->at[t];
    uint64_t choice = mixed((source & x->first) + x->salt);
    *uses = x->first;
    if (choice % 8 == 0) return 0;
    if (choice % 4 == 1) {
        *uses |= x->second;
        choice = mixed((source & x->second) ^ choice);
        if (choice & 4) return 0;
    }
    if (x->twin >= 0) {
        word more;
        int fired = fire(m, source, (uint32_t)x->twin, successor, &more);
        *uses |= more;
        return fired;
    }
    *uses |= x->stores;
    word value = mixed(choice) & x->stores;
    *successor = choice & 8 ? source ^ value : (source & ~x->stores) | value;
    return 1;
}

uint32_t moves_expand(const struct moves *m, word source, word *successors, uint32_t *labels) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < m->count; k++) {
        uint32_t t = m->forward ? k : m->count - 1 - k;
        word uses;
        if (fire(m, source, t, &successors[n], &uses) == 1) labels[n++] = t;
    }
    return n;
}

int moves_ask(void *context, word source, uint32_t t, word *successor, word *uses) {
    struct moves *m = context;
    int fired = fire(m, source, t, successor, uses);
    if (++m->asked != m->lie_at) return fired;
    if (fired) *successor ^= 2;
    return fired ? 1 : -1;
}
