#include "base/names.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static uint32_t hash(const char *text) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++) h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return (uint32_t)(h ^ h >> 32);
}

/* The place where the text is, or where it would go. */
static uint32_t place_of(const struct names *n, const char *text) {
    uint32_t place = hash(text) & n->mask;
    while (n->table[place] && strcmp(n->text[n->table[place] - 1], text) != 0) place = (place + 1) & n->mask;
    return place;
}

void names_init(struct names *n) {
    *n = (struct names){.mask = 15};
    n->table = memory_get_zeroed((n->mask + 1) * sizeof *n->table);
}

void names_fini(struct names *n) {
    for (uint32_t i = 0; i < n->count; i++) free(n->text[i]);
    free(n->text);
    free(n->table);
    *n = (struct names){0};
}

static void grow(struct names *n) {
    free(n->table);
    n->mask = 2 * n->mask + 1;
    n->table = memory_get_zeroed((n->mask + UINT64_C(1)) * sizeof *n->table);
    for (uint32_t i = 0; i < n->count; i++) n->table[place_of(n, n->text[i])] = i + 1;
}

uint32_t names_add(struct names *n, const char *text) {
    uint32_t place = place_of(n, text);
    if (n->table[place]) return n->table[place] - 1;
    if (n->count == n->room) {
        n->room = n->room ? 2 * n->room : 16;
        n->text = memory_resize(n->text, n->room * sizeof *n->text);
    }
    assert(n->count < n->mask); /* a place is empty: each search ends */
    n->text[n->count++] = memory_copy_string(text);
    n->table[place] = n->count;
    if (n->count > n->mask / 2) grow(n);
    return n->count - 1;
}

uint32_t names_add_new(struct names *n, const char *text) {
    char *fresh = memory_copy_string(text);
    while (names_find(n, fresh) != NAMES_NONE) {
        char *longer = text_format("%s'", fresh);
        free(fresh);
        fresh = longer;
    }
    uint32_t number = names_add(n, fresh);
    free(fresh);
    return number;
}

uint32_t names_find(const struct names *n, const char *text) {
    uint32_t found = n->table[place_of(n, text)];
    return found ? found - 1 : NAMES_NONE;
}

void names_copy(struct names *to, const struct names *from) {
    names_init(to);
    for (uint32_t i = 0; i < from->count; i++) names_add(to, from->text[i]);
    assert(to->count == from->count); /* no text twice, so numbers are the same */
}
