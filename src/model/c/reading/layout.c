#include "model/c/reading/layout.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"

static uint32_t slots_of(const struct onager_field *f, unsigned bits) {
    uint64_t most = ONAGER_IS_UPTO(f->width) ? ONAGER_UPTO_MAX(f->width) : onager_low(bits);
    return most < SOURCE_SLOTS ? (uint32_t)most + 1 : 0;
}

static void add(struct layout *l, const struct onager_field *f, uint32_t i) {
    uint32_t v = l->count++, bits = (uint32_t)ONAGER_BITS(f->width), byte = f->native_offset + i * f->size;
    char *name = f->is_array ? text_format("%s[%u]", f->name, i) : memory_copy_string(f->name);
    l->variables[v] = (struct source_variable){
        .name = name, .first = f->bit_offset + ONAGER_MARK_BITS + i * bits, .bits = bits, .slots = slots_of(f, bits)};
    l->cells[v] = (struct layout_cell){.byte = byte, .size = f->size, .field = f, .element = i};
    for (uint32_t b = 0; b < f->size; b++) {
        assert(byte + b < l->bytes && l->at[byte + b] < 0); /* variables do not overlap */
        l->at[byte + b] = (int32_t)v;
    }
}

void layout_init(struct layout *l, const struct onager_field *fields, uint32_t field_count, uint32_t bytes) {
    size_t count = 0;
    for (uint32_t f = 0; f < field_count; f++) count += fields[f].length;
    *l = (struct layout){.bytes = bytes};
    l->variables = memory_get((count + 1) * sizeof *l->variables);
    l->cells = memory_get((count + 1) * sizeof *l->cells);
    l->at = memory_get(bytes * sizeof *l->at);
    for (uint32_t b = 0; b < bytes; b++) l->at[b] = -1;
    for (uint32_t f = 0; f < field_count; f++)
        for (uint32_t i = 0; i < fields[f].length; i++) add(l, &fields[f], i);
}

void layout_fini(struct layout *l) {
    for (uint32_t v = 0; v < l->count; v++) free((void *)(uintptr_t)l->variables[v].name);
    free(l->variables);
    free(l->cells);
    free(l->at);
    *l = (struct layout){0};
}

uint64_t layout_bytes(const struct layout *l, uint32_t v, const void *native) {
    uint64_t bytes = 0;
    memcpy(&bytes, (const char *)native + l->cells[v].byte, l->cells[v].size);
    return bytes;
}

void layout_put_bytes(const struct layout *l, uint32_t v, void *native, uint64_t bytes) {
    memcpy((char *)native + l->cells[v].byte, &bytes, l->cells[v].size);
}

void layout_put(const struct layout *l, uint32_t v, void *native, uint64_t packed) {
    unsigned unused = 64 - l->variables[v].bits;
    bool is_signed = ONAGER_IS_SIGNED(l->cells[v].field->width);
    layout_put_bytes(l, v, native, is_signed ? (uint64_t)((int64_t)(packed << unused) >> unused) : packed);
}

uint64_t layout_get(const struct layout *l, uint32_t v, const void *native) {
    return layout_bytes(l, v, native) & onager_low(l->variables[v].bits);
}

bool layout_fits(const struct layout *l, uint32_t v, const void *native) {
    const struct layout_cell *c = &l->cells[v];
    uint64_t bytes = layout_bytes(l, v, native), packed = layout_get(l, v, native), back = 0;
    unsigned unused = 64 - l->variables[v].bits;
    if (ONAGER_IS_UPTO(c->field->width)) return bytes <= ONAGER_UPTO_MAX(c->field->width);
    if (ONAGER_IS_SIGNED(c->field->width)) packed = (uint64_t)((int64_t)(packed << unused) >> unused);
    memcpy(&back, &packed, c->size);
    return back == bytes;
}

uint64_t layout_packed(const struct layout *l, uint32_t v, const uint64_t *words) {
    return onager_get_bits(words, l->variables[v].first, l->variables[v].bits);
}
