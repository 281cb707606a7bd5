/* points.h: the points of a source that were met: what is known of each, and how they follow each other.
 *
 * A point has a record: bytes that say all that its future depends on. Merged points with equal records are one.
 */
#ifndef MODEL_C_READING_POINTS_H
#define MODEL_C_READING_POINTS_H

#include "algo/table.h"
#include "base/arena.h"
#include "derive/source.h"

enum { POINT_NONE = UINT32_MAX };

struct point_entry {
    const uint8_t *record;
    uint32_t size, hash;
    uint64_t *asked;    /* of merged ones, by variable: what has been asked for on some way to here */
    uint32_t round;     /* of the last walk that came here */
    uint32_t last_edge; /* from here; POINT_NONE: there is none */
    bool merged;
    uint32_t unit;
    uint64_t instruction; /* of a leaf that failed; 0: not known */
    struct point_view view;
};

struct point_edge {
    point from;
    uint64_t value;
    point to;
    uint32_t previous; /* edge from the same point */
};

struct points {
    struct arena arena; /* of records and of what views point to */
    struct point_entry *entries;
    uint32_t count, room;
    struct table by_record; /* of those in `known`, by number there */
    point *known;           /* that can be found by their record */
    uint32_t known_room;
    struct point_edge *edges;
    uint32_t edge_count, edge_room;
    struct table by_start; /* of edges */
    uint32_t *stack, stack_room, round;
    uint32_t words; /* of bits for all variables */
};

void points_init(struct points *p, uint32_t variables);
void points_fini(struct points *p);

/* A point; *is_new: its entry has a record, and the rest is to be filled in. If it may be shared, it is the one with
 * the same record, if there is one. */
point points_add(struct points *p, const void *record, uint32_t size, bool shared, bool *is_new);

/* What was noted of this step, or POINT_NONE. */
point points_step(const struct points *p, point from, uint64_t value);
/* Notes a step. Of merged points: POINT_NONE, or a variable that would be asked for twice on a way; then it is not
 * noted. */
uint32_t points_note_step(struct points *p, point from, uint64_t value, point to);

#endif
