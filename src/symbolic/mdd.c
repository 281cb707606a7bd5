#include "symbolic/mdd.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MARK (UINT32_C(1) << 31)
#define FREE (UINT32_C(1) << 30)

enum { FIRST_BUCKETS = 1 << 12, FIRST_CACHE = 1 << 14, WAYS = 4, LOOKS = 4096, STEP = 1 << 20 };

/* ---- Beginning and end ---- */

/* Everything that operations can have in hand: each level at most twice, each with its children and some words more. */
static uint32_t stack_needed(const struct mdd_pool *m) {
    uint64_t words = 1024;
    for (uint32_t k = 0; k < m->levels; k++) words += 4 * (UINT64_C(8) + m->size[k]);
    assert(words < UINT32_MAX);
    return (uint32_t)words;
}

static void stop(struct mdd_pool *m, enum mdd_reason reason) {
    if (!m->stopped) m->stopped = reason;
}

bool mdd_init(struct mdd_pool *m, uint32_t levels, const uint32_t *size, const struct mdd_limits *limits) {
    *m = (struct mdd_pool){.levels = levels, .size = size, .limits = *limits, .end = MDD_FIRST};
    if (!m->limits.cache) m->limits.cache = UINT64_C(1) << 24;
    assert(m->limits.cache >= WAYS && !(m->limits.cache & (m->limits.cache - 1)));
    if (!m->limits.first) m->limits.first = 1 << 20;
    m->collect = m->limits.first;
    uint64_t most = limits->memory ? limits->memory : UINT64_C(1) << 34;
    if (limits->pool && limits->pool < most) most = limits->pool;
    if (most > UINT64_C(4) * UINT32_MAX - 4096) most = UINT64_C(4) * UINT32_MAX - 4096;
    if (!region_init(&m->region, most) || !region_grow(&m->region, MDD_FIRST * sizeof *m->at)) return false;
    m->region.most = limits->memory;
    m->at = (uint32_t *)(void *)m->region.base;
    m->free = memory_get_zeroed((levels + 1) * sizeof *m->free);
    m->bucket = memory_get_zeroed(FIRST_BUCKETS * sizeof *m->bucket);
    m->bucket_mask = FIRST_BUCKETS - 1;
    uint64_t entries = m->limits.cache < FIRST_CACHE ? m->limits.cache : FIRST_CACHE;
    m->cache = memory_get_lines(entries * sizeof *m->cache);
    m->cache_mask = (uint32_t)entries - 1;
    m->stack_room = stack_needed(m);
    m->stack = memory_get(m->stack_room * sizeof *m->stack);
    for (uint32_t k = 0; k < levels; k++)
        if ((size[k] + 63) / 64 > m->selection_words) m->selection_words = (size[k] + 63) / 64;
    return true;
}

void mdd_fini(struct mdd_pool *m) {
    region_fini(&m->region);
    free(m->free);
    free(m->bucket);
    free(m->cache);
    free(m->stack);
    free(m->root);
    free(m->selected);
    *m = (struct mdd_pool){0};
}

void mdd_root(struct mdd_pool *m, mdd *set) {
    MAKE_ROOM(m->root, m->roots, m->root_room);
    m->root[m->roots++] = set;
}

void mdd_drop(struct mdd_pool *m, uint32_t count) {
    assert(count <= m->roots);
    m->roots -= count;
}

void mdd_unroot(struct mdd_pool *m, const mdd *set) {
    uint32_t i = m->roots;
    while (i-- > 0 && m->root[i] != set) {}
    assert(i < m->roots); /* it is on the list */
    memmove(m->root + i, m->root + i + 1, (m->roots - i - 1) * sizeof *m->root);
    m->roots--;
}

uint32_t *mdd_push(struct mdd_pool *m, uint32_t count) {
    assert(m->stack_top + count <= m->stack_room); /* stack_needed */
    uint32_t *at = m->stack + m->stack_top;
    memset(at, 0, count * sizeof *at);
    m->stack_top += count;
    return at;
}

/* ---- The cache ---- */

static uint64_t mix(uint64_t h) {
    h ^= h >> 32;
    h *= UINT64_C(0xd6e8feb86659fd93);
    h ^= h >> 32;
    h *= UINT64_C(0xd6e8feb86659fd93);
    return h ^ h >> 32;
}

static struct mdd_cached *line_of(const struct mdd_pool *m, uint32_t a, uint32_t b, uint32_t c) {
    uint64_t h = mix((uint64_t)a << 32 | b) + c * UINT64_C(0x9e3779b97f4a7c15);
    return m->cache + (mix(h) & m->cache_mask & ~(uint64_t)(WAYS - 1));
}

void mdd_forget(struct mdd_pool *m) { memset(m->cache, 0, ((size_t)m->cache_mask + 1) * sizeof *m->cache); }

bool mdd_cached(struct mdd_pool *m, uint32_t a, uint32_t b, uint32_t c, mdd *result) {
    const struct mdd_cached *e = line_of(m, a, b, c);
    m->lookups++;
    if (m->limits.work && m->lookups > m->limits.work) stop(m, MDD_NO_WORK);
    for (int i = 0; i < WAYS; i++)
        if (e[i].c == c && e[i].a == a && e[i].b == b) {
            m->hits++;
            *result = e[i].result;
            return true;
        }
    return false;
}

void mdd_cache(struct mdd_pool *m, uint32_t a, uint32_t b, uint32_t c, mdd result) {
    struct mdd_cached *e = line_of(m, a, b, c);
    if (m->stopped) return; /* the result is none */
    memmove(e + 1, e, (WAYS - 1) * sizeof *e);
    e[0] = (struct mdd_cached){a, b, c, result};
}

static void grow_cache(struct mdd_pool *m) {
    struct mdd_cached *old = m->cache;
    uint64_t entries = (uint64_t)m->cache_mask + 1, more = 4 * entries;
    if (more > m->limits.cache) more = m->limits.cache;
    if (m->limits.memory && !memory_fits(more * sizeof *old, m->limits.memory)) return;
    m->cache = memory_get_large_zeroed(more * sizeof *old);
    m->cache_mask = (uint32_t)(more - 1);
    for (uint64_t i = entries; i-- > 0;)
        if (old[i].c) mdd_cache(m, old[i].a, old[i].b, old[i].c, old[i].result);
    free(old);
}

/* ---- Collecting ---- */

static void mark(struct mdd_pool *m, mdd a) {
    uint32_t level = m->at[a + 1];
    if (a < MDD_FIRST || level & MARK) return;
    m->at[a + 1] = level | MARK;
    if (level + 1 == m->levels) return;
    for (uint32_t v = 0; v < m->size[level]; v++)
        if (m->at[a + 2 + v] >= MDD_FIRST) mark(m, m->at[a + 2 + v]);
}

static bool lives(const struct mdd_pool *m, mdd a) { return a < MDD_FIRST || m->at[a + 1] & MARK; }

static void clean_cache(struct mdd_pool *m) {
    for (uint64_t i = 0; i <= m->cache_mask; i++) {
        struct mdd_cached *e = &m->cache[i];
        uint32_t what = e->c & ((1u << MDD_OPERATION_BITS) - 1);
        if (e->c && (!lives(m, e->a) || !lives(m, e->result) || (what != MDD_SELECT && !lives(m, e->b)))) e->c = 0;
    }
}

static uint32_t hash_of(const struct mdd_pool *m, uint32_t level, const uint32_t *children) {
    uint64_t h = level * UINT64_C(0xc2b2ae3d27d4eb4f);
    for (uint32_t v = 0; v < m->size[level]; v++) {
        h = (h ^ children[v]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    return (uint32_t)(h ^ h >> 29);
}

static void chain(struct mdd_pool *m, mdd n) {
    uint32_t *bucket = &m->bucket[hash_of(m, m->at[n + 1], m->at + n + 2) & m->bucket_mask];
    m->at[n] = *bucket;
    *bucket = n;
}

/* Nodes without a mark become free; the others lose it. */
static void sweep(struct mdd_pool *m) {
    memset(m->bucket, 0, ((size_t)m->bucket_mask + 1) * sizeof *m->bucket);
    memset(m->free, 0, m->levels * sizeof *m->free);
    m->nodes = 0;
    for (uint64_t n = MDD_FIRST; n < m->end;) {
        uint32_t level = m->at[n + 1] & ~(MARK | FREE);
        if (m->at[n + 1] & MARK) {
            m->at[n + 1] = level;
            chain(m, (mdd)n);
            m->nodes++;
        } else {
            m->at[n + 1] = level | FREE;
            m->at[n] = m->free[level];
            m->free[level] = (uint32_t)n;
        }
        n += UINT64_C(2) + m->size[level];
    }
}

void mdd_collect(struct mdd_pool *m) {
    for (uint32_t i = 0; i < m->stack_top; i++)
        if (m->stack[i] >= MDD_FIRST) mark(m, m->stack[i]);
    for (uint32_t i = 0; i < m->roots; i++)
        if (*m->root[i] >= MDD_FIRST) mark(m, *m->root[i]);
    clean_cache(m);
    sweep(m);
    m->collections++;
}

/* ---- Nodes ---- */

static void grow_buckets(struct mdd_pool *m) {
    uint64_t buckets = 4 * ((uint64_t)m->bucket_mask + 1);
    if (m->limits.memory && !memory_fits(buckets * sizeof *m->bucket, m->limits.memory)) return;
    free(m->bucket);
    m->bucket = memory_get_large_zeroed(buckets * sizeof *m->bucket);
    m->bucket_mask = (uint32_t)(buckets - 1);
    for (uint64_t n = MDD_FIRST; n < m->end; n += UINT64_C(2) + m->size[m->at[n + 1] & ~FREE])
        if (!(m->at[n + 1] & FREE)) chain(m, (mdd)n);
}

/* Collecting takes its share of the time only if enough was made since it was done last. */
static bool is_due(const struct mdd_pool *m) { return m->made - m->made_before >= m->collect; }

static void collect(struct mdd_pool *m) {
    mdd_collect(m);
    m->made_before = m->made;
    m->collect = m->nodes > m->limits.first ? m->nodes : m->limits.first;
}

/* At the end of the pool. */
static mdd fresh_place(struct mdd_pool *m, uint64_t words) {
    uint64_t bytes = (m->end + words) * sizeof *m->at;
    if (m->end + words > UINT32_MAX) return 0;
    if (bytes > m->region.size && !region_grow(&m->region, bytes + STEP) && !region_grow(&m->region, bytes)) return 0;
    mdd n = (mdd)m->end;
    m->end += words;
    return n;
}

/* A place for a node; 0: none. */
static mdd place(struct mdd_pool *m, uint32_t level) {
    uint64_t words = UINT64_C(2) + m->size[level];
    if (!m->free[level] && is_due(m)) collect(m);
    mdd n = m->free[level] ? m->free[level] : fresh_place(m, words);
    if (!n) {
        collect(m);
        n = m->free[level];
    }
    if (n && n == m->free[level]) m->free[level] = m->at[n];
    return n;
}

static bool same_node(const struct mdd_pool *m, mdd n, uint32_t level, const uint32_t *children) {
    return m->at[n + 1] == level && memcmp(m->at + n + 2, children, m->size[level] * sizeof *children) == 0;
}

static void look(struct mdd_pool *m) {
    m->looks = 0;
    if (m->limits.over && m->limits.over(m->limits.context)) stop(m, MDD_OVER);
}

mdd mdd_make(struct mdd_pool *m, uint32_t level, const uint32_t *children) {
    uint32_t any = 0;
    if (m->stopped) return MDD_EMPTY;
    assert(level < m->levels && children >= m->stack && children + m->size[level] <= m->stack + m->stack_top);
    for (uint32_t v = 0; v < m->size[level]; v++) any |= children[v];
    if (!any) return MDD_EMPTY;
    uint32_t hash = hash_of(m, level, children);
    for (mdd n = m->bucket[hash & m->bucket_mask]; n; n = m->at[n])
        if (same_node(m, n, level, children)) return n;
    if (++m->looks >= LOOKS) look(m);
    mdd n = place(m, level);
    if (!n) stop(m, MDD_NO_MEMORY);
    if (m->stopped) return MDD_EMPTY;
    m->at[n + 1] = level;
    memcpy(m->at + n + 2, children, m->size[level] * sizeof *children);
    uint32_t *bucket = &m->bucket[hash & m->bucket_mask];
    m->at[n] = *bucket;
    *bucket = n;
    m->made++;
    if (++m->nodes > m->peak) m->peak = m->nodes;
    if (m->nodes > m->bucket_mask) grow_buckets(m);
    if (m->nodes > m->cache_mask / 4 && m->cache_mask + UINT64_C(1) < m->limits.cache) grow_cache(m);
    return n;
}
