#include "model/c/reading/reader.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- What is known ---- */

static void touch(struct reader *r, uint32_t v, unsigned flag) {
    if (!r->variables[v].flags) r->touched[r->touched_count++] = v;
    r->variables[v].flags |= flag;
}

static void forget_all(struct reader *r) {
    for (uint32_t i = 0; i < r->touched_count; i++) r->variables[r->touched[i]].flags = 0;
    r->touched_count = 0;
    r->between = false;
}

static uint8_t *lasting(const struct reader *r, uint32_t v) {
    return &r->lasting[(size_t)r->unit * r->layout.count + v];
}

void reader_lasts(struct reader *r, uint32_t variable) {
    uint8_t *lasts = lasting(r, variable);
    if (!*lasts) r->lasting_count[r->unit]++;
    *lasts = true;
}

/* An instruction happens that has got all that it needs. Where points are merged, what was read is known to nobody but
 * the unit, unless it is wanted again. */
static void forget_reads(struct reader *r) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->touched_count; i++) {
        struct read_variable *v = &r->variables[r->touched[i]];
        v->flags &= ~(unsigned)READ_FRESH;
        if (r->merged && !*lasting(r, r->touched[i])) v->flags &= READ_STORED;
        if (v->flags) r->touched[kept++] = r->touched[i];
    }
    r->touched_count = kept;
}

/* ---- Accesses ---- */

/* The next variable from byte *at on that is touched by the use. *whole: all of it. */
static int32_t next_used(const struct reader *r, const struct watch_use *use, size_t *at, bool *whole) {
    size_t end = use->at + use->size;
    while (*at < end && r->layout.at[*at] < 0) ++*at;
    if (*at >= end) return -1;
    int32_t v = r->layout.at[*at];
    const struct layout_cell *c = &r->layout.cells[v];
    *whole = c->byte >= use->at && c->byte + c->size <= end;
    *at = c->byte + c->size;
    return v;
}

/* Is a value needed that is not known? */
static bool lacks(struct reader *r, const struct watch_use *use) {
    bool whole;
    for (size_t at = use->at;;) {
        int32_t v = next_used(r, use, &at, &whole);
        if (v < 0) return false;
        if (use->how == WATCH_STORED && whole) continue;
        if (r->variables[v].flags == READ_KNOWN) reader_lasts(r, (uint32_t)v);
        if (r->variables[v].flags) continue;
        r->wanted = (uint32_t)v;
        return true;
    }
}

static void note_stores(struct reader *r, const struct watch_use *use) {
    bool whole;
    for (size_t at = use->at;;) {
        int32_t v = next_used(r, use, &at, &whole);
        if (v < 0) break;
        touch(r, (uint32_t)v, READ_STORED);
    }
    for (size_t i = 0; i < use->size; i++) r->between |= r->layout.at[use->at + i] < 0;
}

bool reader_ask(void *asker, const struct watch_use *uses, unsigned count, const void *machine) {
    struct reader *r = asker;
    (void)machine;
    for (unsigned u = 0; u < count; u++)
        if (lacks(r, &uses[u])) return false;
    for (unsigned u = 0; u < count; u++)
        if (uses[u].how & WATCH_STORED) note_stores(r, &uses[u]);
    forget_reads(r);
    return true;
}

/* ---- Records ---- */

/* The beginning of a point's record. Then come what is known of variables, by increasing variable; what lies between
 * variables, if anything was stored there; and the halt, if the unit has not returned. */
struct lead {
    uint32_t unit, wanted, items, generation;
    uint64_t result;
    bool ended, between, merged;
    uint8_t zero[5];
};

struct item {
    uint32_t variable, flags;
    uint64_t original, bytes;
};

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint8_t *append(struct reader *r, uint32_t *size, const void *bytes, size_t count) {
    if (*size + count > r->record_room) {
        r->record_room = 2 * (uint32_t)(*size + count);
        r->record = memory_resize(r->record, r->record_room);
    }
    uint8_t *to = r->record + *size;
    if (count > 0) memcpy(to, bytes, count);
    *size += (uint32_t)count;
    return to;
}

point reader_want(struct reader *r, uint32_t variable, bool ended) {
    struct lead lead = {.unit = r->unit,
                        .wanted = variable,
                        .items = r->touched_count,
                        .generation = r->generation,
                        .ended = ended,
                        .between = r->between,
                        .merged = r->merged,
                        .result = ended ? r->result : 0};
    uint32_t size = 0;
    bool is_new;
    append(r, &size, &lead, sizeof lead);
    qsort(r->touched, r->touched_count, sizeof *r->touched, by_number);
    for (uint32_t i = 0; i < r->touched_count; i++) {
        uint32_t v = r->touched[i];
        struct item item = {.variable = v,
                            .flags = r->variables[v].flags,
                            .original = r->variables[v].flags & READ_KNOWN ? r->variables[v].original : 0,
                            .bytes = layout_bytes(&r->layout, v, r->runner.watch.mirror)};
        append(r, &size, &item, sizeof item);
    }
    const uint8_t *object = r->runner.watch.mirror;
    for (uint32_t b = 0; r->between && b < r->layout.bytes; b++)
        if (r->layout.at[b] < 0) append(r, &size, &object[b], 1);
    if (!ended) append(r, &size, r->runner.halt.bytes, r->runner.halt.size);
    point p = points_add(&r->points, r->record, size, r->merged, &is_new);
    if (!is_new) return p;
    struct point_entry *e = &r->points.entries[p];
    e->unit = r->unit;
    e->merged = r->merged;
    e->view = (struct point_view){.kind = POINT_READ, .variable = variable};
    return p;
}

/* Makes everything as it was at the point. The halt is the rest of the record. */
static struct lead restore(struct reader *r, const struct point_entry *e, struct runner_halt *halt) {
    const uint8_t *at = e->record;
    uint8_t *object = r->runner.watch.mirror;
    struct lead lead;
    memcpy(&lead, at, sizeof lead);
    at += sizeof lead;
    forget_all(r);
    memset(object, 0, r->layout.bytes);
    r->unit = lead.unit;
    r->merged = lead.merged;
    r->generation = lead.generation;
    r->between = lead.between;
    r->result = lead.result;
    for (uint32_t i = 0; i < lead.items; i++, at += sizeof(struct item)) {
        struct item item;
        memcpy(&item, at, sizeof item);
        touch(r, item.variable, item.flags);
        r->variables[item.variable].original = item.original;
        layout_put_bytes(&r->layout, item.variable, object, item.bytes);
    }
    for (uint32_t b = 0; r->between && b < r->layout.bytes; b++)
        if (r->layout.at[b] < 0) object[b] = *at++;
    assert(at <= e->record + e->size); /* a record ends with the halt */
    *halt = (struct runner_halt){e->size - (uint32_t)(at - e->record), (void *)(uintptr_t)at};
    return lead;
}

/* ---- Running ---- */

static point settle(struct reader *r, enum runner_end end) {
    switch (end) {
    case RUNNER_HALTED: return reader_want(r, r->wanted, false);
    case RUNNER_RETURNED: r->result = r->runner.result; return leaf_returned(r);
    case RUNNER_FAILED: break;
    }
    return leaf_failed(r);
}

point reader_begin(struct reader *r, uint32_t unit, bool merged) {
    const struct source_unit *u = &r->source.units[unit];
    const struct onager_observer *plugin = r->plugin;
    uintptr_t function = 0;
    uint64_t argument = u->of;
    switch (u->kind) {
    case UNIT_TRANSITION: function = (uintptr_t)plugin->fire; break;
    case UNIT_CHECK_STATE: function = (uintptr_t)plugin->check_state; break;
    case UNIT_CHECK_DEADLOCK: function = (uintptr_t)plugin->check_deadlock; break;
    case UNIT_MAY_PROGRESS: function = (uintptr_t)plugin->may_progress; break;
    case UNIT_MUST_PROGRESS: function = (uintptr_t)plugin->must_progress; break;
    case UNIT_ACTION: function = (uintptr_t)plugin->action; break;
    case UNIT_PROPOSITION:
        function = (uintptr_t)r->asks[u->of].holds;
        argument = r->asks[u->of].i;
        break;
    }
    point given_up = POINT_NONE;
    forget_all(r);
    r->unit = unit;
    r->merged = merged;
    if ((given_up = leaf_of_effort(r)) != POINT_NONE) return given_up;
    r->generation = merged ? r->lasting_count[unit] : 0;
    memset(r->runner.watch.mirror, 0, r->layout.bytes);
    r->guard.effort = r->source.effort;
    return settle(r, runner_start(&r->runner, function, argument));
}

point reader_go_on(struct reader *r, point p, uint64_t value) {
    struct runner_halt halt;
    struct lead lead = restore(r, &r->points.entries[p], &halt);
    uint32_t v = lead.wanted;
    point given_up = lead.ended ? POINT_NONE : leaf_of_effort(r);
    if (given_up != POINT_NONE) return given_up;
    /* At the end, what is in the variable was stored there by the unit. */
    if (!lead.ended) layout_put(&r->layout, v, r->runner.watch.mirror, value);
    touch(r, v, lead.ended ? READ_KNOWN : READ_KNOWN | READ_FRESH);
    r->variables[v].original = value;
    r->guard.effort = r->source.effort;
    return lead.ended ? leaf_returned(r) : settle(r, runner_go_on(&r->runner, &halt));
}
