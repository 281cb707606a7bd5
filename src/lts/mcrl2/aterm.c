#include "lts/mcrl2/aterm.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void aterms_init(struct aterms *t) {
    *t = (struct aterms){0};
    aterms_symbol(t, "", 0, 0); /* of numbers */
}

void aterms_fini(struct aterms *t) {
    for (size_t i = 0; i < t->symbols; i++) free(t->symbol[i].name);
    free(t->symbol);
    free(t->data);
    free(t->start);
    *t = (struct aterms){0};
}

/* ---- Adding ---- */

uint32_t aterms_symbol(struct aterms *t, const char *name, size_t length, uint32_t arity) {
    char *copy = memory_get(length + 1);
    memcpy(copy, name, length);
    copy[length] = 0;
    MAKE_ROOM(t->symbol, t->symbols, t->symbol_room);
    t->symbol[t->symbols] = (struct aterm_symbol){copy, arity};
    return (uint32_t)t->symbols++;
}

bool aterms_full(const struct aterms *t, uint32_t arity) {
    enum { NUMBER_SIZE = 3 };
    return t->used + arity + NUMBER_SIZE > UINT32_MAX;
}

static uint32_t add(struct aterms *t, uint32_t symbol, const uint32_t *word, size_t words) {
    MAKE_ROOM(t->start, t->count, t->start_room);
    if (t->room - t->used < words + 1) {
        t->room = 2 * t->room + words + 1;
        t->data = memory_resize(t->data, t->room * sizeof *t->data);
    }
    t->start[t->count] = (uint32_t)t->used;
    t->data[t->used] = symbol;
    if (words > 0) memcpy(t->data + t->used + 1, word, words * sizeof *word);
    t->used += words + 1;
    return (uint32_t)t->count++;
}

uint32_t aterms_add(struct aterms *t, uint32_t symbol, const uint32_t *argument) {
    return add(t, symbol, argument, t->symbol[symbol].arity);
}

uint32_t aterms_add_number(struct aterms *t, uint64_t number) {
    const uint32_t half[] = {(uint32_t)number, (uint32_t)(number >> 32)};
    return add(t, ATERM_NUMBER, half, 2);
}

void aterms_drop_last(struct aterms *t) { t->used = t->start[--t->count]; }

/* ---- Copying ---- */

static uint32_t copy_term(struct aterms *to, const struct aterms *from, uint32_t term, const uint32_t *place,
                          uint32_t *symbol_place) {
    uint32_t symbol = aterm_symbol(from, term), arity = from->symbol[symbol].arity;
    if (symbol == ATERM_NUMBER) return aterms_add_number(to, aterm_number(from, term));
    if (!symbol_place[symbol])
        symbol_place[symbol] = aterms_symbol(to, from->symbol[symbol].name, strlen(from->symbol[symbol].name), arity);
    uint32_t *argument = memory_get((arity + UINT64_C(1)) * sizeof *argument);
    for (uint32_t i = 0; i < arity; i++) argument[i] = place[aterm_argument(from, term, i)];
    uint32_t copy = aterms_add(to, symbol_place[symbol], argument);
    free(argument);
    return copy;
}

void aterms_copy(struct aterms *to, const struct aterms *from, uint32_t *term, size_t count) {
    uint32_t *place = memory_get_zeroed((from->count + 1) * sizeof *place);
    uint32_t *symbol_place = memory_get_zeroed((from->symbols + 1) * sizeof *symbol_place);
    bool *needed = memory_get_zeroed(from->count + 1);
    for (size_t i = 0; i < count; i++) needed[term[i]] = true;
    for (size_t t = from->count; t-- > 0;)
        for (uint32_t i = 0; needed[t] && i < aterm_arity(from, (uint32_t)t); i++)
            needed[aterm_argument(from, (uint32_t)t, i)] = true;
    for (size_t t = 0; t < from->count; t++)
        if (needed[t]) place[t] = copy_term(to, from, (uint32_t)t, place, symbol_place);
    for (size_t i = 0; i < count; i++) term[i] = place[term[i]];
    free(place);
    free(symbol_place);
    free(needed);
}

/* ---- Questions ---- */

uint64_t aterm_number(const struct aterms *t, uint32_t term) {
    return aterm_argument(t, term, 0) | (uint64_t)aterm_argument(t, term, 1) << 32;
}

bool aterm_is(const struct aterms *t, uint32_t term, const char *name, uint32_t arity) {
    return !aterm_is_number(t, term) && aterm_arity(t, term) == arity && strcmp(aterm_name(t, term), name) == 0;
}

bool aterm_is_pair(const struct aterms *t, uint32_t term) { return aterm_is(t, term, "<list_constructor>", 2); }
bool aterm_is_empty(const struct aterms *t, uint32_t term) { return aterm_is(t, term, "<empty_list>", 0); }
