/* claim.h: a certificate in memory, as its file says it: nothing of it is believed yet.
 *
 * Memory: all states, for stubborn sets a bit for each state and transition, and four bytes for each state and property
 * that has ranks. It grows with what is in the file, not with what the file says about itself.
 */
#ifndef VERIFY_CLAIM_H
#define VERIFY_CLAIM_H

#include "base/memory.h"
#include "prop/property.h"
#include "store/archive.h"
#include "store/identity.h"
#include "ts/ts.h"

struct claim {
    struct archive_reader *file;
    struct identity model, run;
    uint64_t states, edges, terminals; /* as claimed */
    unsigned checks;                   /* these are claimed to hold */
    struct reduction reduction;
    bool derived; /* the rules of stubborn sets */
    bool terminal_not_may, terminal_not_must;
    uint32_t infinitely; /* PROP_INFINITE */
    bool *finitely;      /* by transition */
    const char *named;   /* the proposition of TS_NAMED, which claim_read tells the model; NULL: none is claimed */
    struct region words; /* the states */
    struct region sets;
    struct region ranks[PROP_COUNT]; /* uint32_t, by enum property_number; empty: not claimed, or none is needed */
    uint64_t count;                  /* states that are there */
    uint32_t state_words;
    size_t set_bytes;
};

/* Reads what the certificate is about. */
bool claim_open(struct claim *c, const char *path, struct problem *why);
void claim_fini(struct claim *c);

/* Reads the rest, if it is about this model. *odd is set if the parts of the certificate do not belong together; it is
 * what is odd about them. */
bool claim_read(struct claim *c, struct ts *ts, const char **odd, struct problem *why);

static inline const word *claim_state(const struct claim *c, uint64_t i) {
    return (const word *)(const void *)c->words.base + i * c->state_words;
}
static inline bool claim_in_set(const struct claim *c, uint64_t i, uint32_t t) {
    return (unsigned char)c->sets.base[i * c->set_bytes + t / 8] >> t % 8 & 1;
}
static inline uint32_t claim_rank(const struct claim *c, enum property_number p, uint64_t i) {
    return ((const uint32_t *)(const void *)c->ranks[p].base)[i];
}
/* Does it claim this property, and have ranks for it? They are in the file in the order of the table. */
static inline bool claim_ranks(const struct claim *c, const struct property_row *row) {
    return (c->checks & row->id) && row->rank != RANK_NOTHING && row->rank != RANK_UNKNOWN;
}

#endif
