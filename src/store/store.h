/* store.h: the states that have been found, exactly or nearly so.
 *
 *     STORE_EXACT         a state of one word is its own key; of a longer one the key is the pair of numbers of its
 *                         halves (parts.h), or the numbers of its components (collapse.h). The set of keys is
 *                         exact.
 *     STORE_HASH_COMPACT  the key is a hash of the state of `hash_bits` bits. Two states with the same key are taken
 *                         for one, so that states may be left out; store_omitted says how many are to be expected.
 *     STORE_BITSTATE      one bit, or a few, for each state (bitstate.h). The same is true.
 *
 * An exact store that is full can go on as a bitstate store for what comes later (`overflow`); it is not exact then. If
 * it is the parts of long states that are full, a state with a part that has no number has no key: a hash takes its
 * place. So keys of long states in a store that may overflow cannot be turned into states.
 *
 * Keys are scattered by a bijection; the first bits of the image say which shard the state belongs to. Insertions into
 * different shards may overlap in time, and store_keys with different views may too. In one shard states are
 * inserted in the order of the calls, so that which of two equal states is the first does not depend on threads.
 *
 * A store begins with parts, since components cannot be told before there are states: see store_init_again.
 *
 * After the search, while nothing is inserted any more, a state of an exact store is known by its slot: a number below
 * store_slots.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/outcome.h"
#include "store/bitstate.h"
#include "store/collapse.h"
#include "store/parts.h"
#include "store/shard.h"
#include "ts/ts.h"

#define STORE_NONE UINT64_MAX
#define STORE_INEXACT (UINT64_MAX - 1) /* it seems to be there, but has no slot */

enum store_kind { STORE_EXACT, STORE_HASH_COMPACT, STORE_BITSTATE };

const char *store_name(enum store_kind kind); /* "exact", "hash-compact", "bitstate" */

struct store_options {
    enum store_kind kind;
    unsigned shards;         /* a power of two; 0: one */
    unsigned hash_bits;      /* STORE_HASH_COMPACT; 0: 56 */
    unsigned hashes;         /* bits for each state of a bitstate store; 0: 3 */
    uint64_t bitstate_bytes; /* STORE_BITSTATE; 0: all */
    bool overflow;           /* an exact store that is full goes on as a bitstate store */
    uint64_t process_bytes;  /* it is full, too, when the whole process has so many in use; 0: never */
};

struct store {
    enum store_kind kind;
    uint32_t words; /* of a state */
    uint32_t key_bits;
    unsigned shard_bits;
    struct budget budget;
    struct shard *shards;
    uint64_t *first_slots; /* of each shard; like `slots`, valid after store_settle */
    uint64_t slots;
    struct parts parts;         /* exact, long states; or */
    struct collapse *collapse;  /* ... these; NULL: parts */
    bool parts_full;            /* they get no more numbers; all shards have overflowed */
    struct bitstate *bitstates; /* one for each shard, or NULL */
    bool *overflowed;           /* of each shard: it is full, and its bitstate is in use */
    unsigned hashes;
    uint64_t overflow_bytes; /* of all bitstates of a store that may overflow */
    uint64_t process_bytes;
};

/* What one thread needs. */
struct store_view {
    struct parts_view parts;
    struct collapse_view collapse;
};

/* For states of `bits` bits after the mark. False: no memory. */
bool store_init(struct store *s, uint32_t bits, uint64_t max_bytes, const struct store_options *o);
/* The same, for the long states of `old`, a store that gives back: by components, or by parts again (g is NULL). */
bool store_init_again(struct store *s, const struct store *old, const struct grouping *g);
/* Puts all states of `from` in `to`, which is empty. False: no memory, or keys would be too long. */
bool store_take_all(struct store *to, const struct store *from);
/* Moves `by` to the place of s, which is freed. Views must be made anew, and settling. */
void store_replace(struct store *s, struct store *by);
void store_fini(struct store *s);
void store_view_init(struct store_view *v, const struct store *s);
void store_view_fini(struct store_view *v);

static inline unsigned store_shards(const struct store *s) { return 1u << s->shard_bits; }
bool store_exact(const struct store *s);     /* so far */
uint64_t store_count(const struct store *s); /* states */
uint64_t store_bytes(const struct store *s); /* in use */
/* Of so many states that were kept; threads may have kept more by the time that a search is called off. The expected
 * number of states that were taken for others (0: exact), and the share of the states looked for that was not; of what
 * is reachable, at most that: more may be beyond omitted states. */
double store_omitted(const struct store *s, uint64_t states);
double store_coverage(const struct store *s, uint64_t states);

/* Makes room for the parts of so many states; may not overlap with anything. False: no memory. */
bool store_reserve(struct store *s, uint64_t states);
uint64_t store_room(const struct store *s); /* states whose parts there is room for */
/* There is no room, and the search is to go on without: like store_reserve. False: it cannot. */
bool store_overflow(struct store *s);

/* The keys of states, and back, if they can be had back: of every state, whatever happens. False: a dictionary of
 * components is full, and not all have keys: see store_widen. */
bool store_gives_back(const struct store *s);
MUST_BE_USED bool store_keys(struct store *s, struct store_view *v, const word *states, uint32_t n, uint64_t *keys);
/* The same of the successors of sources whose keys are known, in a store by components. */
MUST_BE_USED bool store_keys_from(struct store *s, const struct ts_batch *batch, uint32_t sources,
                                  const uint64_t *source_keys, uint64_t *keys);
/* Makes room in dictionaries that are full; may not overlap with anything. All keys stay as they are. Images do not, if
 * *key_bits changes. False: no memory, keys would be too long, or components do not pay. */
MUST_BE_USED bool store_widen(struct store *s);
/* The same of states that are there, in a store that gives back; nothing is changed. STORE_NONE: it is not there. Who
 * has a key need not be there. */
void store_known_keys(const struct store *s, struct store_view *v, const word *states, uint32_t n, uint64_t *keys);
void store_states(const struct store *s, struct store_view *v, const uint64_t *keys, uint32_t n, word *states);

/* The images of keys: a bijection on numbers of key_bits bits, which are at the high end of a word here. No image is
 * all ones. Where the key of a state is quickly computed, so is its image. */
struct store_mixer {
    unsigned unused, half;
    uint64_t mask;
};
struct store_mixer store_mixer(const struct store *s);
static inline uint64_t store_mix(struct store_mixer m, uint64_t high_key) {
    uint64_t x = high_key;
    x ^= x >> m.half & m.mask;
    x *= UINT64_C(0x9fb21c651e98df25);
    x ^= x >> m.half & m.mask;
    return x * UINT64_C(0xc2b2ae3d27d4eb4f);
}
static inline uint64_t store_image(struct store_mixer m, uint64_t key) { return store_mix(m, key << m.unused); }
static inline bool store_has_short_states(const struct store *s) { return s->kind == STORE_EXACT && s->words == 1; }
void store_images(const struct store *s, const uint64_t *keys, uint32_t n, uint64_t *images);

/* The shard that an image belongs to, and its image within that. */
static inline unsigned store_shard(const struct store *s, uint64_t image) {
    return (unsigned)(image >> 1 >> (63 - s->shard_bits));
}

static inline uint64_t store_in_shard(const struct store *s, uint64_t image) { return image << s->shard_bits; }

/* Inserts images within the given shard in order: see shard_insert. */
uint32_t store_insert_images(struct store *s, unsigned shard, const uint64_t *images, uint32_t n, uint32_t *fresh,
                             uint32_t *fresh_count);

/* Whether so many images can be inserted into the shard without delay; and to let it grow now if it soon must. Shards
 * are filled evenly: if one must grow, so must the others, and all threads can take part. */
bool store_has_room(const struct store *s, unsigned shard, uint64_t images);
void store_make_room(struct store *s, unsigned shard);

/* Inserts states in order, one thread: fresh[0], fresh[1], ... are the indices of the new ones. Returns how many were
 * looked at: fewer than n if there is no memory. */
uint32_t store_insert(struct store *s, struct store_view *v, const word *states, uint32_t n, uint32_t *fresh,
                      uint32_t *fresh_count);

/* To be called when all are inserted and slots are to be asked for. */
void store_settle(struct store *s);
static inline uint64_t store_slots(const struct store *s) { return s->slots; }

/* slots[i] is set to the slot of states[i], to STORE_INEXACT, or to STORE_NONE if it is not there. May be asked at any
 * time, but before store_settle only the latter means something. */
void store_find(const struct store *s, struct store_view *v, const word *states, uint32_t n, uint64_t *slots);
void store_find_keys(const struct store *s, const uint64_t *keys, uint32_t n, uint64_t *slots); /* may be the same */

#endif
