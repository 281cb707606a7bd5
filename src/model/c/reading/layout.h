/* layout.h: which bytes of a C model's struct are which variable of a source (derive/source.h). */
#ifndef MODEL_C_READING_LAYOUT_H
#define MODEL_C_READING_LAYOUT_H

#include <onager.h>

#include "derive/source.h"

struct layout_cell {
    uint32_t byte, size; /* in the struct */
    const struct onager_field *field;
    uint32_t element;
};

struct layout {
    uint32_t count; /* variables */
    struct source_variable *variables;
    struct layout_cell *cells;
    int32_t *at; /* by byte of the struct: a variable, or -1: the byte lies between variables */
    uint32_t bytes;
};

void layout_init(struct layout *l, const struct onager_field *fields, uint32_t field_count, uint32_t bytes);
void layout_fini(struct layout *l);

/* Values of variable v as packed states have them, in a struct, and as its bytes are there. */
uint64_t layout_bytes(const struct layout *l, uint32_t v, const void *native);
void layout_put_bytes(const struct layout *l, uint32_t v, void *native, uint64_t bytes);
void layout_put(const struct layout *l, uint32_t v, void *native, uint64_t packed);
uint64_t layout_get(const struct layout *l, uint32_t v, const void *native);
bool layout_fits(const struct layout *l, uint32_t v, const void *native); /* is it in its range? */

/* The value in a packed state. */
uint64_t layout_packed(const struct layout *l, uint32_t v, const uint64_t *words);

#endif
