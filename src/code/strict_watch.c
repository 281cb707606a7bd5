#include "code/strict_watch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"

enum { OUTER = 256 << 10, NEAR = ONAGER_ZONE_BYTES / 2, SIZE_OF_WORK = 64 /* bytes, as much as an access */ };

/* ---- Values ---- */

static inline unsigned bits_of(const struct onager_field *f) { return (unsigned)ONAGER_BITS(f->width); }

static inline char *element(const struct strict_watch *w, const struct onager_field *f, uint32_t i) {
    return w->object + f->native_offset + (size_t)i * f->size;
}

/* Members are aligned; but they are of many types. */
typedef uint16_t any_2 __attribute__((may_alias));
typedef uint32_t any_4 __attribute__((may_alias));
typedef uint64_t any_8 __attribute__((may_alias));

static inline uint64_t raw_value(const struct strict_watch *w, const struct onager_field *f, uint32_t i) {
    const char *p = element(w, f, i);
    switch (f->size) {
    case 1: return *(const uint8_t *)p;
    case 2: return *(const any_2 *)p;
    case 4: return *(const any_4 *)p;
    default: return *(const any_8 *)p;
    }
}

static inline void set_raw_value(struct strict_watch *w, const struct onager_field *f, uint32_t i, uint64_t v) {
    char *p = element(w, f, i);
    switch (f->size) {
    case 1: *(uint8_t *)p = (uint8_t)v; break;
    case 2: *(any_2 *)p = (uint16_t)v; break;
    case 4: *(any_4 *)p = (uint32_t)v; break;
    default: *(any_8 *)p = v;
    }
}

/* Members of a wide build that have a smaller type otherwise. */
static bool is_widened(const struct strict_watch *w, const struct onager_field *f) {
    return bits_of(f) < w->plugin->widened;
}

static inline int64_t value_of(const struct strict_watch *w, const struct onager_field *f, uint32_t i) {
    uint64_t v = raw_value(w, f, i);
    unsigned unused = 64 - 8 * f->size;
    return ONAGER_IS_SIGNED(f->width) || is_widened(w, f) ? (int64_t)(v << unused) >> unused : (int64_t)v;
}

void strict_watch_range(const struct onager_field *f, int64_t *low, uint64_t *high) {
    unsigned bits = bits_of(f);
    *low = ONAGER_IS_SIGNED(f->width) ? -(int64_t)(onager_low(bits - 1)) - 1 : 0;
    *high = ONAGER_IS_UPTO(f->width)     ? ONAGER_UPTO_MAX(f->width)
            : ONAGER_IS_SIGNED(f->width) ? onager_low(bits - 1)
                                         : onager_low(bits);
}

static bool fits(const struct strict_watch *w, const struct onager_field *f, int64_t v) {
    int64_t low;
    uint64_t high;
    if (bits_of(f) == 64) return true;
    strict_watch_range(f, &low, &high);
    if (ONAGER_IS_SIGNED(f->width)) return v >= low && v <= (int64_t)high;
    return (!is_widened(w, f) || v >= 0) && (uint64_t)v <= high;
}

bool strict_watch_fits(const struct strict_watch *w, const struct onager_field *f, uint32_t i) {
    return fits(w, f, value_of(w, f, i));
}

/* What the model's own type makes of it. */
static uint64_t cut_off(const struct strict_watch *w, const struct onager_field *f, uint32_t i) {
    unsigned bits = bits_of(f);
    return raw_value(w, f, i) & onager_low(bits < 8 ? 8 : bits < 16 ? 16 : bits < 32 ? 32 : 64);
}

/* ---- Stores ---- */

static void note_trail(struct strict_watch *w, const struct onager_field *f, uint32_t i) {
    uint64_t what = (uint64_t)(f - w->plugin->fields) << 32 | i;
    w->trail = (w->trail ^ what) * 0x9e3779b97f4a7c15u;
    w->trail = (w->trail ^ w->trail >> 29 ^ cut_off(w, f, i)) * 0xbf58476d1ce4e5b9u;
}

static void look_at(struct strict_watch *w, const struct onager_field *f, uint32_t first, uint32_t last) {
    assert(last < f->length);
    for (uint32_t i = first; i <= last; i++) {
        note_trail(w, f, i);
        int64_t v = value_of(w, f, i);
        if (w->found.kind != WATCH_NOTHING || fits(w, f, v)) continue;
        w->found = (struct watch_finding){.kind = WATCH_RANGE,
                                          .store = true,
                                          .bulk = w->pending.bulk,
                                          .field = f,
                                          .index = i,
                                          .value = v,
                                          .pc = w->pending.pc};
    }
}

static void look_at_all(struct strict_watch *w) {
    for (uint32_t k = 0; k < w->plugin->field_count; k++)
        if (w->plugin->fields[k].length) look_at(w, &w->plugin->fields[k], 0, w->plugin->fields[k].length - 1);
}

/* The same for what nobody has seen being stored, as by a function of the C library. */
static void look_for_others(struct strict_watch *w) {
    for (uint32_t k = 0; k < w->plugin->field_count; k++) {
        const struct onager_field *f = &w->plugin->fields[k];
        for (uint32_t i = 0; i < f->length; i++) {
            int64_t v = value_of(w, f, i);
            if (fits(w, f, v)) continue;
            w->found = (struct watch_finding){
                .kind = WATCH_RANGE, .store = true, .bulk = true, .field = f, .index = i, .value = v};
            return;
        }
    }
}

/* Looks at what the last store has left. Returns whether the call should end. */
static bool settle(struct strict_watch *w) {
    if (!w->pending.field && !w->pending.all) return false;
    w->stores++;
    if (w->pending.all) look_at_all(w);
    else look_at(w, w->pending.field, w->pending.first, w->pending.last);
    w->pending.field = NULL;
    w->pending.all = false;
    w->found.stores = w->stores;
    w->found.trail = w->trail;
    return w->found.kind != WATCH_NOTHING || w->stores == w->stop_at;
}

/* ---- Accesses ---- */

/* The member that the byte belongs to, or NULL. *before: the last one that begins before it; or NULL. */
static const struct onager_field *member_at(const struct strict_watch *w, int64_t at,
                                            const struct onager_field **before) {
    *before = NULL;
    for (uint32_t k = 0; k < w->plugin->field_count; k++) {
        const struct onager_field *f = &w->plugin->fields[k];
        if (at < (int64_t)f->native_offset) break;
        *before = f;
        if (at < (int64_t)f->native_offset + (int64_t)f->length * f->size) return f;
    }
    return NULL;
}

/* In a zone. By an index of the member before it, or of that after it? */
static struct watch_finding stray(const struct strict_watch *w, int64_t at, const struct onager_field *before) {
    const struct onager_field *f = before, *end = w->plugin->fields + w->plugin->field_count;
    const struct onager_field *after = before ? before + 1 : w->plugin->fields;
    if (after < end && (!before || (int64_t)after->native_offset - at <= NEAR)) f = after;
    int64_t from = at - (int64_t)f->native_offset;
    int64_t index = from >= 0 ? from / f->size : -((-from + f->size - 1) / f->size);
    return (struct watch_finding){.kind = WATCH_INDEX, .field = f, .index = index};
}

/* What the access of `size` bytes at offset `at` of the state is, if it is within it. */
static struct watch_finding judge(struct strict_watch *w, int64_t at, size_t size, unsigned access, uintptr_t pc) {
    const struct onager_field *fields = w->plugin->fields, *last = fields + w->plugin->field_count - 1, *before, *other;
    const struct watch_finding fine = {.kind = WATCH_NOTHING}, layout = {.kind = WATCH_LAYOUT};
    int64_t end = at + (int64_t)size, members_end = (int64_t)last->native_offset + (int64_t)last->length * last->size;
    bool store = access & ONAGER_STORE, bulk = access & ONAGER_BULK;
    if (at <= (int64_t)fields->native_offset && end >= members_end) {
        if (store) w->pending.all = true, w->pending.bulk = bulk, w->pending.pc = pc;
        return fine;
    }
    if (at < NEAR || end > (int64_t)w->plugin->native_size - NEAR) return layout;
    const struct onager_field *f = member_at(w, at, &before);
    if (!f) return stray(w, at, before);
    const struct onager_field *to = member_at(w, end - 1, &other);
    if (to != f) {
        if (to || other != f || !store) return layout;
        return (struct watch_finding){.kind = WATCH_INDEX, .field = f, .index = f->length};
    }
    int64_t from = at - (int64_t)f->native_offset;
    bool whole = from % f->size == 0 && size % f->size == 0;
    if (is_widened(w, f) && !(whole && (bulk || size == f->size))) return layout;
    if (!store) return fine;
    w->pending.field = f;
    w->pending.first = (uint32_t)(from / f->size);
    w->pending.last = (uint32_t)((from + (int64_t)size - 1) / f->size);
    w->pending.bulk = bulk;
    w->pending.pc = pc;
    return fine;
}

/* Control goes to whoever has entered the guard. */
static void end_call(struct strict_watch *w) {
    w->plugin->watch(NULL);
    __builtin_trap();
}

static void found(struct strict_watch *w, struct watch_finding what) {
    what.stores = w->stores;
    what.trail = w->trail;
    w->found = what;
    end_call(w);
}

static void on_access(struct onager_watcher *watcher, uintptr_t address, size_t size, unsigned access, uintptr_t pc) {
    struct strict_watch *w = (struct strict_watch *)(void *)watcher;
    struct watch_finding what = {.kind = WATCH_NOTHING};
    int64_t at = (int64_t)(address - (uintptr_t)w->object), bytes = w->plugin->native_size;
    if (settle(w)) end_call(w);
    if (size == 0) return;
    if (address < watcher->low || address >= watcher->high)
        what = (struct watch_finding){.kind = WATCH_NULL, .distance = (int64_t)address};
    else if (at < 0 || (size_t)at > (size_t)bytes || size > (size_t)(bytes - at))
        what = (struct watch_finding){.kind = WATCH_OUTSIDE, .distance = at < 0 ? at : at > bytes ? at - bytes : 0};
    else what = judge(w, at, size, access, pc);
    if (what.kind == WATCH_NOTHING) return;
    what.store = access & ONAGER_STORE;
    what.bulk = access & ONAGER_BULK;
    what.pc = pc;
    found(w, what);
}

static void on_index(struct onager_watcher *watcher, const struct onager_place *place, const char *type,
                     int64_t index) {
    struct strict_watch *w = (struct strict_watch *)(void *)watcher;
    if (settle(w)) end_call(w);
    found(w, (struct watch_finding){.kind = WATCH_BOUNDS, .place = place, .type = type, .index = index});
}

static void on_division(struct onager_watcher *watcher, const struct onager_place *place) {
    struct strict_watch *w = (struct strict_watch *)(void *)watcher;
    if (settle(w)) end_call(w);
    found(w, (struct watch_finding){.kind = WATCH_DIVISION, .place = place});
}

/* ---- Calls ---- */

bool strict_watch_init(struct strict_watch *w, const struct onager_strict *plugin) {
    size_t bytes = 2 * (size_t)OUTER + (plugin->native_size + 4095u) / 4096 * 4096;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    for (uint32_t k = 1; k < plugin->field_count; k++) { /* member_at goes by their order */
        assert(plugin->fields[k].native_offset >= plugin->fields[k - 1].native_offset);
    }
    *w = (struct strict_watch){.plugin = plugin, .memory = memory, .memory_bytes = bytes};
    w->object = (char *)memory + OUTER;
    uint32_t bits = ONAGER_MARK_BITS;
    for (uint32_t k = 0; k < plugin->field_count; k++) bits += bits_of(&plugin->fields[k]) * plugin->fields[k].length;
    w->words = (bits + 63) / 64;
    w->last = memory_get_zeroed(w->words * sizeof *w->last);
    w->unpacked = memory_get(plugin->native_size);
    w->watcher = (struct onager_watcher){.low = (uintptr_t)memory,
                                         .high = (uintptr_t)memory + bytes,
                                         .access = on_access,
                                         .index = on_index,
                                         .division = on_division};
    return true;
}

void strict_watch_fini(struct strict_watch *w) {
    if (w->memory) munmap(w->memory, w->memory_bytes);
    w->memory = NULL;
    free(w->last);
    free(w->unpacked);
}

static void unpack(struct strict_watch *w, const word *words) {
    memset(w->object, 0, w->plugin->native_size);
    for (uint32_t k = 0; words && k < w->plugin->field_count; k++) {
        const struct onager_field *f = &w->plugin->fields[k];
        unsigned bits = bits_of(f);
        for (uint32_t i = 0; i < f->length; i++) {
            uint64_t v = onager_get_bits(words, f->bit_offset + (size_t)i * bits + ONAGER_MARK_BITS, bits);
            if (ONAGER_IS_SIGNED(f->width) && v >> (bits - 1)) v |= ~onager_low(bits);
            set_raw_value(w, f, i, v);
        }
    }
}

/* One after the other, all transitions are tried in the same state. */
static void set_object(struct strict_watch *w, const word *words) {
    size_t bytes = w->words * sizeof *words;
    w->began = words != NULL;
    if (words && w->any_last && memcmp(words, w->last, bytes) == 0) {
        memcpy(w->object, w->unpacked, w->plugin->native_size);
        return;
    }
    unpack(w, words);
    if (!words) return;
    memcpy(w->last, words, bytes);
    memcpy(w->unpacked, w->object, w->plugin->native_size);
    w->any_last = true;
}

void strict_watch_begin(struct strict_watch *w, const word *words) {
    w->watcher.work += w->plugin->native_size / SIZE_OF_WORK;
    set_object(w, words);
    w->stores = w->trail = 0;
    w->pending.field = NULL;
    w->pending.all = false;
    w->found = (struct watch_finding){.kind = WATCH_NOTHING};
    w->plugin->watch(&w->watcher);
}

void strict_watch_end(struct strict_watch *w) {
    w->plugin->watch(NULL);
    if (w->found.kind != WATCH_NOTHING || settle(w)) return;
    if (w->began && memcmp(w->object, w->unpacked, w->plugin->native_size) == 0) return; /* as it was */
    if (w->stop_at == 0) look_for_others(w);
}

void strict_watch_pack(const struct strict_watch *w, word *out, uint32_t words) {
    memset(out, 0, words * sizeof *out);
    out[0] = 1;
    for (uint32_t k = 0; k < w->plugin->field_count; k++) {
        const struct onager_field *f = &w->plugin->fields[k];
        unsigned bits = bits_of(f);
        for (uint32_t i = 0; i < f->length; i++)
            onager_put_bits(out, f->bit_offset + (size_t)i * bits + ONAGER_MARK_BITS,
                            raw_value(w, f, i) & onager_low(bits), bits);
    }
}
