/* division.h: the parts into which states are divided, round by round; see distinguish.h. */
#ifndef LTS_DIVISION_H
#define LTS_DIVISION_H

#include "lts/effort.h"
#include "lts/joint.h"

/* An element of a signature: label and part, as (label << 32) + part. */
#define DIVISION_LOOP (UINT64_C(0xffffffff) << 32) /* invisible steps without end, in the same part */
static inline uint32_t element_label(uint64_t e) { return (uint32_t)(e >> 32); }
static inline uint32_t element_part(uint64_t e) { return (uint32_t)e; }

struct division {
    const struct joint *j;
    enum lts_relation relation;
    struct effort *effort;
    uint32_t *part; /* by state: its part, a leaf of the tree */
    struct part {
        uint32_t parent, depth; /* the root, 0, is its own parent */
        uint64_t signature;     /* where it begins in `element`: sorted, each once; parts are those before its making */
        uint32_t count;
    } * parts;
    uint32_t count;
    uint64_t room;
    uint64_t *element;
    uint64_t elements, element_room;
    uint32_t rounds;
};

void division_init(struct division *d, const struct joint *j, enum lts_relation relation, struct effort *effort);
void division_fini(struct division *d);

/* Divides every part by the signatures of its states. False: nothing has changed. */
bool division_refine(struct division *d);

#endif
