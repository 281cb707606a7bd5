#include "refuse.h"

#include <stdatomic.h>

#include "base/memory.h"
#include "base/effort.h"
#include "graph/space.h"

volatile sig_atomic_t refuse_flag;
static _Atomic uint64_t occasions;
static uint64_t refused;
static enum refusal refused_kind = REFUSALS;
static bool paused;

void refuse_start(enum refusal kind, uint64_t at) {
    refuse_flag = 0;
    refused_kind = kind;
    refused = at;
    atomic_store(&occasions, 0);
}

uint64_t refuse_occasions(void) { return atomic_load(&occasions); }

void refuse_stop(void) {
    refuse_flag = 0;
    refused_kind = REFUSALS;
}

void refuse_pause(bool pause) { paused = pause; }

bool refuse_this(enum refusal kind) {
    if (kind != refused_kind || paused) return false;
    uint64_t now = atomic_fetch_add(&occasions, 1) + 1;
    uint64_t times = kind == REFUSE_MEMORY || kind == REFUSE_READ ? 1
                     : kind == REFUSE_SOME_MEMORY                 ? 2 + refused * 7 % 31
                                                                  : UINT64_MAX - refused;
    return refused && now >= refused && now < refused + times;
}

static bool memory_refused(void) {
    return refuse_this(REFUSE_MEMORY) || refuse_this(REFUSE_SOME_MEMORY) || refuse_this(REFUSE_MORE_MEMORY);
}

/* ---- In the place of the library's ---- */

#define REPLACE(type, name, parameters)                                                                                \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters

REPLACE(bool, space_must_stop, (struct space * s, const char *phase, uint64_t done, uint64_t all, struct stop *stop)) {
    if (refuse_this(REFUSE_LOOK)) refuse_flag = 1;
    return __real_space_must_stop(s, phase, done, all, stop);
}

REPLACE(bool, space_interrupted,
        (struct space * s, const char *phase, uint64_t done, uint64_t all, struct stop *stop)) {
    if (refuse_this(REFUSE_LOOK)) refuse_flag = 1;
    return __real_space_interrupted(s, phase, done, all, stop);
}

/* The next time it is asked, it looks again. */
REPLACE(bool, effort_look, (struct effort * e)) {
    if (e) e->asked = 63;
    if (e && !e->over && refuse_this(REFUSE_LOOK)) e->over = EFFORT_INTERRUPTED;
    return __real_effort_look(e);
}

REPLACE(bool, memory_fits, (uint64_t more, uint64_t most)) {
    return !memory_refused() && __real_memory_fits(more, most);
}

REPLACE(bool, region_init, (struct region * r, size_t reserve)) {
    if (memory_refused()) return *r = (struct region){0}, false;
    return __real_region_init(r, reserve);
}

REPLACE(bool, region_init_within, (struct region * r, uint64_t most)) {
    if (memory_refused()) return *r = (struct region){0}, false;
    return __real_region_init_within(r, most);
}

/* A region of this size may be there, and be too small: as the library leaves it. */
REPLACE(bool, region_get_within, (struct region * r, size_t size, uint64_t most)) {
    bool refused_now = memory_refused(), got = __real_region_get_within(r, refused_now ? 0 : size, most);
    return !refused_now && got;
}

REPLACE(bool, region_grow, (struct region * r, size_t size)) {
    return size <= r->size || (!memory_refused() && __real_region_grow(r, size));
}

REPLACE(bool, region_grow_within, (struct region * r, size_t size, struct budget *b)) {
    return size <= r->size || (!memory_refused() && __real_region_grow_within(r, size, b));
}

REPLACE(const void *, trail_read, (struct trail * t, uint64_t at, uint32_t most, uint32_t *count)) {
    if (refuse_this(REFUSE_READ) || refuse_this(REFUSE_READS)) return NULL;
    return __real_trail_read(t, at, most, count);
}
