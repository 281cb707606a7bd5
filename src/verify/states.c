#include "verify/states.h"

#include <assert.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

bool states_init(struct states *s, const word *all, uint64_t n, uint32_t words) {
    uint64_t places = 64;
    while (places < 2 * n) places *= 2;
    *s = (struct states){.all = all, .words = words, .mask = places - 1};
    return region_init(&s->places, places * sizeof(uint32_t)) && region_grow(&s->places, places * sizeof(uint32_t));
}

void states_fini(struct states *s) { region_fini(&s->places); }

/* The place of the state, or the empty place where it would be. */
static uint32_t *place_of(const struct states *s, const word *state) {
    uint32_t *places = (uint32_t *)(void *)s->places.base;
    uint64_t at = XXH3_64bits(state, s->words * sizeof(word)) & s->mask;
    while (places[at] && memcmp(s->all + (uint64_t)(places[at] - 1) * s->words, state, s->words * sizeof(word)) != 0)
        at = (at + 1) & s->mask;
    return places + at;
}

bool states_add(struct states *s, uint64_t number) {
    uint32_t *place = place_of(s, s->all + number * s->words);
    if (*place) return false;
    assert(number < UINT32_MAX); /* compare_sizes of claim.c has seen to that */
    *place = (uint32_t)number + 1;
    return true;
}

uint64_t states_find(const struct states *s, const word *state) {
    uint32_t place = *place_of(s, state);
    return place ? place - 1 : STATES_NONE;
}
