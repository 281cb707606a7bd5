#include "store/store.h"

#include <math.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    FIRST_LINES = 64,
    DENSE_LINES = 1 << 20, /* of the whole store: from here on it is kept fuller */
    DEFAULT_HASH_BITS = 56,
    AHEAD = 24,           /* images */
    LEAST_PART = 8,       /* an eighth of the memory is kept back for what comes when the shards are full */
    MORE_BITS = 12,       /* an image is at least this much longer than the number of its shard */
    SPARE_BITS = 2,       /* that keys of components may get more before all images change */
    ENTRIES_PART = 4,     /* of the states are at most the entries of dictionaries, or components do not pay; but */
    FEW_ENTRIES = 1 << 14 /* ... so many are always allowed */
};

const char *store_name(enum store_kind kind) {
    static const char *const names[] = {"exact", "hash-compact", "bitstate"};
    return names[kind];
}

/* ---- Keys ---- */

static bool is_long(const struct store *s) { return s->kind == STORE_EXACT && s->words > 1; }

static uint64_t hash_key(const struct store *s, const word *state) {
    return XXH3_64bits(state, s->words * sizeof(word)) >> (64 - s->key_bits);
}

/* Of long states, without numbering parts. What has no key, and could never get one, has a hash instead; which is in
 * nobody's way but, very seldom, that of a state that is left out then. */
static void find_keys(const struct store *s, struct store_view *v, const word *states, uint32_t n, uint64_t *keys) {
    if (s->collapse) collapse_find(s->collapse, states, n, keys);
    else parts_find(&s->parts, &v->parts, states, n, keys);
    for (uint32_t i = 0; s->parts_full && i < n; i++)
        if (keys[i] == PARTS_NONE) keys[i] = hash_key(s, states + (size_t)i * s->words);
}

bool store_gives_back(const struct store *s) { return s->kind == STORE_EXACT && !(s->words > 1 && s->bitstates); }

bool store_keys(struct store *s, struct store_view *v, const word *states, uint32_t n, uint64_t *keys) {
    if (s->kind != STORE_EXACT) {
        for (uint32_t i = 0; i < n; i++) keys[i] = hash_key(s, states + (size_t)i * s->words);
    } else if (s->parts_full) {
        find_keys(s, v, states, n, keys);
    } else if (s->collapse) {
        return collapse_keys(s->collapse, states, n, keys);
    } else if (s->words > 1) {
        parts_keys(&s->parts, &v->parts, states, n, keys);
    } else {
        for (uint32_t i = 0; i < n; i++) keys[i] = states[i] >> 1;
    }
    return true;
}

bool store_keys_from(struct store *s, const struct ts_batch *batch, uint32_t sources, const uint64_t *source_keys,
                     uint64_t *keys) {
    assert(s->collapse);
    return collapse_keys_from(s->collapse, batch->sources, source_keys, batch->ends, sources, batch->successors, keys);
}

void store_known_keys(const struct store *s, struct store_view *v, const word *states, uint32_t n, uint64_t *keys) {
    assert(store_gives_back(s));
    if (s->collapse) collapse_find(s->collapse, states, n, keys);
    else if (s->words > 1) parts_find(&s->parts, &v->parts, states, n, keys);
    else
        for (uint32_t i = 0; i < n; i++) keys[i] = states[i] >> 1;
}

void store_states(const struct store *s, struct store_view *v, const uint64_t *keys, uint32_t n, word *states) {
    for (uint32_t i = 0; i < n; i++) {
        assert(keys[i] != STORE_NONE && store_gives_back(s)); /* a hash is no state's name */
        word *state = states + (size_t)i * s->words;
        if (s->collapse) collapse_state(s->collapse, &v->collapse, keys[i], state);
        else if (s->words > 1) parts_state(&s->parts, &v->parts, keys[i], state);
        else states[i] = keys[i] << 1 | 1;
    }
}

/* ---- Images ---- */

struct store_mixer store_mixer(const struct store *s) {
    assert(s->key_bits >= 1 && s->key_bits <= 64);
    return (struct store_mixer){64 - s->key_bits, (s->key_bits + 1) / 2, ~UINT64_C(0) << (64 - s->key_bits)};
}

static uint64_t image_of(const struct store *s, uint64_t key) { return store_image(store_mixer(s), key); }

void store_images(const struct store *s, const uint64_t *keys, uint32_t n, uint64_t *images) {
    const struct store_mixer mixer = store_mixer(s);
    for (uint32_t i = 0; i < n; i++) {
        images[i] = store_image(mixer, keys[i]);
        assert(images[i] != STORE_NONE || s->key_bits == 64);
    }
}

/* ---- Inserting and finding ---- */

/* Fetches the line of an image. Returns it. */
static uint64_t fetch_image(const struct store *s, uint64_t image) {
    unsigned shard = store_shard(s, image);
    if (s->kind != STORE_BITSTATE) shard_prefetch(&s->shards[shard], store_in_shard(s, image));
    else bitstate_prefetch(&s->bitstates[shard], store_in_shard(s, image));
    return image;
}

/* From index `from` on, into the bitstate of the shard. */
static void insert_bits(struct store *s, unsigned shard, const uint64_t *images, uint32_t from, uint32_t n,
                        uint32_t *fresh, uint32_t *fresh_count) {
    struct bitstate *bits = &s->bitstates[shard];
    const struct shard *known = s->kind == STORE_EXACT ? &s->shards[shard] : NULL;
    assert(s->overflowed[shard]); /* it has memory only then */
    for (uint32_t i = from; i < n; i++) {
        if (i + AHEAD < n) bitstate_prefetch(bits, images[i + AHEAD]);
        if (known && shard_find(known, images[i]) != SHARD_NONE) continue;
        if (bitstate_add(bits, images[i])) fresh[(*fresh_count)++] = i;
    }
}

/* The shard is full. False: and that is the end. */
static bool begin_overflow(struct store *s, unsigned shard) {
    if (!s->bitstates) return false;
    if (s->overflowed[shard]) return true;
    uint64_t bytes = s->overflow_bytes / store_shards(s);
    if (s->process_bytes && !memory_fits(bytes, s->process_bytes)) return false;
    s->overflowed[shard] = bitstate_init(&s->bitstates[shard], bytes, s->hashes);
    return s->overflowed[shard];
}

uint32_t store_insert_images(struct store *s, unsigned shard, const uint64_t *images, uint32_t n, uint32_t *fresh,
                             uint32_t *fresh_count) {
    uint32_t done = 0;
    *fresh_count = 0;
    assert(shard < store_shards(s));
    if (!s->overflowed[shard]) {
        done = shard_insert(&s->shards[shard], images, n, fresh, fresh_count);
        assert(done <= n && *fresh_count <= done);
        if (done == n || !begin_overflow(s, shard)) return done;
    }
    insert_bits(s, shard, images, done, n, fresh, fresh_count);
    return n;
}

bool store_has_room(const struct store *s, unsigned shard, uint64_t images) {
    return s->kind == STORE_BITSTATE || s->overflowed[shard] || shard_has_room(&s->shards[shard], images);
}

void store_make_room(struct store *s, unsigned shard) {
    if (s->kind != STORE_BITSTATE && !s->overflowed[shard]) shard_make_room(&s->shards[shard]);
}

/* Images of any shards, one thread. */
static uint32_t insert_all(struct store *s, const uint64_t *images, uint32_t n, uint32_t *fresh,
                           uint32_t *fresh_count) {
    if (s->shard_bits == 0) return store_insert_images(s, 0, images, n, fresh, fresh_count);
    *fresh_count = 0;
    for (uint32_t i = 0; i < n; i++) fetch_image(s, images[i]);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t zero, count;
        uint64_t image = store_in_shard(s, images[i]);
        if (store_insert_images(s, store_shard(s, images[i]), &image, 1, &zero, &count) < 1) return i;
        if (count) fresh[(*fresh_count)++] = i;
    }
    return n;
}

/* One thread: dictionaries get as much room as they need. */
static bool give_keys(struct store *s, struct store_view *v, const word *states, uint32_t n, uint64_t *keys) {
    while (!store_keys(s, v, states, n, keys))
        if (!store_widen(s)) return false;
    return true;
}

uint32_t store_insert(struct store *s, struct store_view *v, const word *states, uint32_t n, uint32_t *fresh,
                      uint32_t *fresh_count) {
    uint64_t images[64];
    uint32_t done = 0;
    *fresh_count = 0;
    while (done < n) {
        uint32_t some = n - done < 64 ? n - done : 64, count;
        if (!store_reserve(s, some) && !store_overflow(s)) return done;
        if (!give_keys(s, v, states + (size_t)done * s->words, some, images)) return done;
        for (uint32_t i = 0; i < some; i++) images[i] = image_of(s, images[i]);
        uint32_t looked_at = insert_all(s, images, some, fresh + *fresh_count, &count);
        for (uint32_t i = 0; i < count; i++) fresh[*fresh_count + i] += done;
        *fresh_count += count;
        done += looked_at;
        if (looked_at < some) break;
    }
    return done;
}

void store_settle(struct store *s) {
    uint64_t slots = 0;
    for (unsigned i = 0; i < store_shards(s); i++) {
        s->first_slots[i] = slots;
        slots += shard_slots(&s->shards[i]);
    }
    s->slots = slots;
}

/* From images to slots; STORE_NONE stays so. */
static void find_images(const struct store *s, uint32_t n, uint64_t *slots) {
    for (uint32_t i = 0; i < n; i++) {
        if (slots[i] == STORE_NONE) continue;
        unsigned shard = store_shard(s, slots[i]);
        assert(shard < store_shards(s));
        uint64_t image = store_in_shard(s, slots[i]), slot = SHARD_NONE;
        if (s->kind != STORE_BITSTATE) slot = shard_find(&s->shards[shard], image);
        bool bits = slot == SHARD_NONE && s->overflowed[shard] && bitstate_has(&s->bitstates[shard], image);
        slots[i] = slot != SHARD_NONE ? s->first_slots[shard] + slot : bits ? STORE_INEXACT : STORE_NONE;
    }
}

void store_find_keys(const struct store *s, const uint64_t *keys, uint32_t n, uint64_t *slots) {
    if (s->kind == STORE_EXACT && s->shard_bits == 0 && !s->overflowed[0]) {
        store_images(s, keys, n, slots);
        shard_find_all(&s->shards[0], n, slots);
        return;
    }
    for (uint32_t i = 0; i < n; i++) slots[i] = fetch_image(s, image_of(s, keys[i]));
    find_images(s, n, slots);
}

void store_find(const struct store *s, struct store_view *v, const word *states, uint32_t n, uint64_t *slots) {
    if (s->kind == STORE_EXACT && s->words == 1) {
        for (uint32_t i = 0; i < n; i++) slots[i] = states[i] >> 1;
        store_find_keys(s, slots, n, slots);
        return;
    }
    if (is_long(s)) {
        _Static_assert(PARTS_NONE == STORE_NONE, "what has no key has no slot");
        find_keys(s, v, states, n, slots);
        for (uint32_t i = 0; i < n; i++)
            if (slots[i] != STORE_NONE) slots[i] = fetch_image(s, image_of(s, slots[i]));
    } else {
        for (uint32_t i = 0; i < n; i++)
            slots[i] = fetch_image(s, image_of(s, hash_key(s, states + (size_t)i * s->words)));
    }
    find_images(s, n, slots);
}

/* ---- The rest ---- */

static uint32_t key_bits(const struct store *s, uint32_t bits, const struct store_options *o) {
    switch (s->kind) {
    case STORE_BITSTATE: return 64;
    case STORE_HASH_COMPACT: return o->hash_bits ? o->hash_bits : DEFAULT_HASH_BITS;
    default: return s->words > 1 ? PARTS_KEY_BITS : bits ? bits : 1;
    }
}

static bool init_shard(struct store *s, unsigned i, uint64_t bit_bytes) {
    unsigned n = store_shards(s);
    if (s->kind == STORE_BITSTATE) return s->overflowed[i] = bitstate_init(&s->bitstates[i], bit_bytes / n, s->hashes);
    return shard_init(&s->shards[i], s->key_bits - s->shard_bits, FIRST_LINES, DENSE_LINES / n, &s->budget);
}

static void set_shards(struct store *s, unsigned most) {
    while (s->shard_bits < 16 && s->shard_bits + MORE_BITS < s->key_bits && 2u << s->shard_bits <= most)
        s->shard_bits++;
    unsigned n = store_shards(s);
    s->shards = memory_get_zeroed(n * sizeof *s->shards);
    s->first_slots = memory_get_zeroed(n * sizeof *s->first_slots);
    s->overflowed = memory_get_zeroed(n * sizeof *s->overflowed);
}

bool store_init(struct store *s, uint32_t bits, uint64_t max_bytes, const struct store_options *o) {
    *s = (struct store){
        .kind = o->kind, .words = (bits + 64) / 64, .hashes = o->hashes, .process_bytes = o->process_bytes};
    bool overflow = o->overflow && s->kind == STORE_EXACT;
    s->key_bits = key_bits(s, bits, o);
    set_shards(s, o->shards);
    if (overflow) s->overflow_bytes = max_bytes / LEAST_PART;
    budget_init(&s->budget, max_bytes - s->overflow_bytes);
    s->budget.most = s->process_bytes ? s->process_bytes - s->overflow_bytes : 0;
    unsigned n = store_shards(s);
    if (overflow || s->kind == STORE_BITSTATE) s->bitstates = memory_get_zeroed(n * sizeof *s->bitstates);
    uint64_t bit_bytes = o->bitstate_bytes && o->bitstate_bytes < max_bytes ? o->bitstate_bytes : max_bytes;
    bool good = !is_long(s) || parts_init(&s->parts, s->words, &s->budget);
    for (unsigned i = 0; i < n && good; i++) good = init_shard(s, i, bit_bytes);
    if (!good) store_fini(s);
    return good;
}

void store_fini(struct store *s) {
    for (unsigned i = 0; s->shards && i < store_shards(s); i++) {
        shard_fini(&s->shards[i]);
        if (s->overflowed[i]) bitstate_fini(&s->bitstates[i]);
    }
    free(s->shards);
    free(s->first_slots);
    free(s->overflowed);
    free(s->bitstates);
    if (s->collapse) collapse_fini(s->collapse);
    else if (is_long(s)) parts_fini(&s->parts);
    free(s->collapse);
    *s = (struct store){0};
}

void store_view_init(struct store_view *v, const struct store *s) {
    *v = (struct store_view){0};
    if (is_long(s)) parts_view_init(&v->parts, s->words);
}

void store_view_fini(struct store_view *v) {
    parts_view_fini(&v->parts);
    collapse_view_fini(&v->collapse);
}

bool store_exact(const struct store *s) {
    for (unsigned i = 0; i < store_shards(s); i++)
        if (s->overflowed[i]) return false;
    return s->kind == STORE_EXACT;
}

uint64_t store_count(const struct store *s) {
    uint64_t count = 0;
    for (unsigned i = 0; i < store_shards(s); i++)
        count += s->shards[i].count + (s->overflowed[i] ? s->bitstates[i].states : 0);
    return count;
}

uint64_t store_bytes(const struct store *s) {
    uint64_t bytes = s->collapse ? s->collapse->bytes : is_long(s) ? parts_bytes(&s->parts) : 0;
    for (unsigned i = 0; i < store_shards(s); i++)
        bytes += shard_bytes(&s->shards[i]) + (s->overflowed[i] ? s->bitstates[i].lines * 64 : 0);
    return bytes;
}

/* Hash compaction: while i of m keys are taken, a new state is taken for an old one with probability p = i / m; so
 * p / (1 - p) are on average until the next key is taken (as in bitstate.h). The sum up to n keys is about
 * m (-ln(1 - x) - x) with x = n / m, of which n^2 / 2m are left if x is small. */
static double omitted_by_hashes(double n, unsigned key_bits) {
    double m = ldexp(1, (int)key_bits), x = fmin(n / m, 1 - 1 / m);
    return x < 1e-4 ? m * x * x * (0.5 + x / 3) : m * (-log1p(-x) - x);
}

double store_omitted(const struct store *s, uint64_t states) {
    double omitted = 0;
    if (s->kind == STORE_HASH_COMPACT) return omitted_by_hashes((double)states, s->key_bits);
    for (unsigned i = 0; i < store_shards(s); i++)
        if (s->overflowed[i]) omitted += bitstate_omitted(&s->bitstates[i]);
    return omitted;
}

double store_coverage(const struct store *s, uint64_t states) {
    double n = (double)states;
    return n > 0 ? n / (n + store_omitted(s, states)) : 1;
}

/* Whether parts are numbered. */
static bool is_numbering(const struct store *s) { return is_long(s) && !s->parts_full && !s->collapse; }

bool store_reserve(struct store *s, uint64_t states) { return !is_numbering(s) || parts_reserve(&s->parts, states); }
uint64_t store_room(const struct store *s) { return is_numbering(s) ? parts_room(&s->parts) : UINT64_MAX; }

bool store_overflow(struct store *s) {
    for (unsigned i = 0; i < store_shards(s); i++)
        if (!begin_overflow(s, i)) return false;
    return s->parts_full = true;
}

/* ---- Other keys for the same states ---- */

static uint64_t inverse(uint64_t odd) {
    uint64_t x = odd; /* right in the lowest three bits; each round doubles their number */
    for (unsigned i = 0; i < 5; i++) x *= 2 - odd * x;
    return x;
}

static uint64_t key_of_image(struct store_mixer m, uint64_t image) {
    uint64_t x = image * inverse(UINT64_C(0xc2b2ae3d27d4eb4f));
    x ^= x >> m.half & m.mask; /* which undoes itself: half is at least half of all bits */
    x *= inverse(UINT64_C(0x9fb21c651e98df25));
    x ^= x >> m.half & m.mask;
    return x >> m.unused;
}

/* A walk over the keys of all states in the shards. */
struct key_walk {
    const struct store *s;
    struct store_mixer mixer;
    unsigned shard;
    uint64_t slot;
};

/* The next keys, up to `most`. Returns how many; 0: these were all. */
static uint32_t next_keys(struct key_walk *w, uint64_t *keys, uint32_t most) {
    uint32_t n = 0;
    for (; w->shard < store_shards(w->s); w->shard++, w->slot = 0) {
        const struct shard *x = &w->s->shards[w->shard];
        for (uint64_t image; w->slot < shard_slots(x); w->slot++) {
            if (n == most) return n;
            if (!shard_image(x, w->slot, &image)) continue;
            image >>= w->s->shard_bits;
            if (w->s->shard_bits) image |= (uint64_t)w->shard << (64 - w->s->shard_bits);
            keys[n++] = key_of_image(w->mixer, image);
            assert(image_of(w->s, keys[n - 1]) == image);
        }
    }
    return n;
}

enum { SOME = 64 };

/* Shards for longer keys, with all that is there. */
static bool lengthen_keys(struct store *s, uint32_t bits) {
    struct store old = *s;
    struct key_walk walk = {.s = &old, .mixer = store_mixer(&old)};
    uint64_t keys[SOME];
    uint32_t fresh[SOME], count, n;
    s->key_bits = bits;
    s->shards = memory_get_zeroed(store_shards(s) * sizeof *s->shards);
    bool good = true;
    for (unsigned i = 0; i < store_shards(s) && good; i++) good = init_shard(s, i, 0);
    while (good && (n = next_keys(&walk, keys, SOME)) > 0) {
        store_images(s, keys, n, keys);
        good = insert_all(s, keys, n, fresh, &count) == n;
        assert(!good || count == n); /* different keys have different images */
    }
    struct shard *useless = good ? old.shards : s->shards;
    for (unsigned i = 0; i < store_shards(s); i++) shard_fini(&useless[i]);
    free(useless);
    if (!good) s->shards = old.shards;
    if (!good) s->key_bits = old.key_bits;
    return good;
}

static uint32_t with_spare_bits(const struct store *s, uint32_t bits) {
    uint32_t least = s->shard_bits + MORE_BITS + 1;
    bits += SPARE_BITS;
    return bits < least ? least : bits > COLLAPSE_MOST ? COLLAPSE_MOST : bits;
}

bool store_widen(struct store *s) {
    struct collapse *c = s->collapse;
    if (!c) return false;
    if (collapse_entries(c) > FEW_ENTRIES + store_count(s) / ENTRIES_PART || !collapse_widen(c)) return false;
    return c->bits <= s->key_bits || lengthen_keys(s, with_spare_bits(s, c->bits));
}

bool store_init_again(struct store *s, const struct store *old, const struct grouping *g) {
    assert(store_gives_back(old) && is_long(old));
    *s = (struct store){.kind = old->kind, .words = old->words, .process_bytes = old->process_bytes};
    budget_init(&s->budget, old->budget.total);
    s->budget.most = old->budget.most;
    s->key_bits = PARTS_KEY_BITS;
    set_shards(s, store_shards(old));
    if (g) s->collapse = memory_get_zeroed(sizeof *s->collapse);
    bool good = g ? collapse_init(s->collapse, g, &s->budget) : parts_init(&s->parts, s->words, &s->budget);
    if (good && g) s->key_bits = with_spare_bits(s, s->collapse->bits);
    for (unsigned i = 0; i < store_shards(s) && good; i++) good = init_shard(s, i, 0);
    if (!good) store_fini(s);
    return good;
}

bool store_take_all(struct store *to, const struct store *from) {
    struct key_walk walk = {.s = from, .mixer = store_mixer(from)};
    struct store_view from_view, to_view;
    uint64_t keys[SOME];
    uint32_t fresh[SOME], count, n;
    word *states = memory_get(SOME * from->words * sizeof(word));
    store_view_init(&from_view, from);
    store_view_init(&to_view, to);
    bool good = true;
    while (good && (n = next_keys(&walk, keys, SOME)) > 0) {
        store_states(from, &from_view, keys, n, states);
        good = store_insert(to, &to_view, states, n, fresh, &count) == n;
        assert(!good || count == n);
    }
    store_view_fini(&from_view);
    store_view_fini(&to_view);
    free(states);
    return good;
}

void store_replace(struct store *s, struct store *by) {
    store_fini(s);
    *s = *by;
    *by = (struct store){0};
    for (unsigned i = 0; i < store_shards(s); i++) s->shards[i].budget = &s->budget;
    if (s->collapse) s->collapse->budget = &s->budget;
    else s->parts.budget = &s->budget;
}
