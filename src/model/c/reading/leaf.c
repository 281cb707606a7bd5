#include <stdlib.h>
#include <string.h>

#include "base/effort.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/c/c_library.h"
#include "model/c/c_model_fault.h"
#include "model/c/reading/reader.h"

/* ---- Leaves ---- */

/* What a leaf's record begins with; its stores follow. */
struct leaf {
    uint32_t unit, kind, text, merged;
    uint64_t value, instruction;
};

static point add(struct reader *r, struct leaf *leaf, const struct source_store *stores, uint32_t count) {
    size_t size = sizeof *leaf + count * sizeof *stores;
    uint8_t *record = memory_get(size);
    bool is_new;
    leaf->unit = r->unit;
    leaf->merged = r->merged;
    memcpy(record, leaf, sizeof *leaf);
    if (count > 0) memcpy(record + sizeof *leaf, stores, count * sizeof *stores);
    point p = points_add(&r->points, record, (uint32_t)size, true, &is_new);
    free(record);
    if (!is_new) return p;
    struct point_entry *e = &r->points.entries[p];
    e->unit = r->unit;
    e->merged = r->merged;
    e->instruction = leaf->instruction;
    e->view = (struct point_view){
        .kind = (enum point_kind)leaf->kind,
        .value = leaf->value,
        .stores = (const void *)(e->record + sizeof *leaf),
        .store_count = count,
        .text = leaf->kind == LEAF_ERROR || leaf->kind == LEAF_UNKNOWN ? r->texts.text[leaf->text] : NULL};
    return p;
}

point leaf_says(struct reader *r, enum point_kind kind, const char *text, uint64_t instruction) {
    struct leaf leaf = {.kind = kind, .text = names_add(&r->texts, text), .instruction = instruction};
    return add(r, &leaf, NULL, 0);
}

static point plain(struct reader *r, enum point_kind kind, uint64_t value) {
    struct leaf leaf = {.kind = kind, .value = value};
    return add(r, &leaf, NULL, 0);
}

/* ---- Texts of the model ---- */

enum { MOST_TEXT = 1000 };

/* AddressSanitizer would stop the program, where the guard is to see that the pointer is wrong. */
__attribute__((noinline, no_sanitize("address"))) static void copy_text(char *to, const volatile char *from,
                                                                        volatile size_t *n) {
    for (; *n < MOST_TEXT && from[*n]; *n = *n + 1) to[*n] = from[*n];
}

/* False: it is none, or too long. */
static bool take_text(struct reader *r, const char *from, char *to) {
    volatile size_t n = 0;
    volatile bool read = false;
    if (GUARD_ENTER(&r->guard)) {
        copy_text(to, from, &n);
        read = true;
        guard_leave(&r->guard);
    }
    to[n] = 0;
    return read && n < MOST_TEXT;
}

/* ---- It has returned ---- */

static point range_error(struct reader *r, uint32_t v) {
    const struct layout_cell *c = &r->layout.cells[v];
    char text[320];
    c_range_text(c->field, r->runner.watch.mirror, c->element, text, sizeof text);
    return leaf_says(r, LEAF_ERROR, text, 0);
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool is_back(const struct reader *r, uint32_t v) {
    const void *object = r->runner.watch.mirror;
    return layout_fits(&r->layout, v, object) && layout_get(&r->layout, v, object) == r->variables[v].original;
}

/* It must have left all as it was. */
static point disabled(struct reader *r) {
    const uint8_t *object = r->runner.watch.mirror;
    for (uint32_t i = 0; i < r->touched_count; i++) {
        uint32_t v = r->touched[i];
        if (r->variables[v].flags != (READ_STORED | READ_KNOWN)) continue;
        if (!r->merged) reader_lasts(r, v);
        if (!is_back(r, v)) return leaf_says(r, LEAF_ERROR, "fire returned false but had changed the state", 0);
    }
    for (uint32_t i = 0; i < r->touched_count; i++)
        if (r->variables[r->touched[i]].flags == READ_STORED) return reader_want(r, r->touched[i], true);
    for (uint32_t b = 0; r->between && b < r->layout.bytes; b++)
        if (r->layout.at[b] < 0 && object[b])
            return leaf_says(r, LEAF_UNKNOWN, "it returned false, but had stored between the variables", 0);
    return plain(r, LEAF_DISABLED, 0);
}

static point enabled(struct reader *r) {
    const void *object = r->runner.watch.mirror;
    struct source_store *stores = memory_get_zeroed((r->touched_count + 1) * sizeof *stores);
    struct leaf leaf = {.kind = LEAF_ENABLED};
    uint32_t count = 0, bad = UINT32_MAX;
    for (uint32_t i = 0; i < r->touched_count && bad == UINT32_MAX; i++) {
        uint32_t v = r->touched[i];
        if (!(r->variables[v].flags & READ_STORED)) continue;
        if (!layout_fits(&r->layout, v, object)) bad = v;
        else if (r->variables[v].flags == READ_STORED || !is_back(r, v))
            stores[count++] = (struct source_store){v, layout_get(&r->layout, v, object)};
    }
    point p = bad == UINT32_MAX ? add(r, &leaf, stores, count) : range_error(r, bad);
    free(stores);
    return p;
}

/* The pointer, or the truth value, that a function has returned. */
static point answered(struct reader *r) {
    const struct source_unit *u = &r->source.units[r->unit];
    const char *pointer = (const char *)(uintptr_t)r->result;
    char text[MOST_TEXT + 1];
    for (uint32_t i = 0; i < r->touched_count; i++)
        if (r->variables[r->touched[i]].flags & READ_STORED)
            return leaf_says(r, LEAF_UNKNOWN, "it stores in the state, which it should only look at", 0);
    switch (u->kind) {
    case UNIT_CHECK_STATE:
    case UNIT_CHECK_DEADLOCK: return plain(r, LEAF_VALUE, pointer != NULL);
    case UNIT_ACTION: break;
    default: return plain(r, LEAF_VALUE, (r->result & 0xff) != 0);
    }
    if (!pointer) return plain(r, LEAF_VALUE, 0);
    if (pointer == r->plugin->formatted)
        return leaf_says(r, LEAF_UNKNOWN, "the name of the action is made by format", 0);
    if (!take_text(r, pointer, text))
        return leaf_says(r, LEAF_ERROR, "action returned a pointer that leads to no text", 0);
    return plain(r, LEAF_VALUE, *text ? c_model_action_number(r->model, text) : 0);
}

point leaf_returned(struct reader *r) {
    qsort(r->touched, r->touched_count, sizeof *r->touched, by_number);
    if (r->source.units[r->unit].kind != UNIT_TRANSITION) return answered(r);
    return r->result & 0xff ? enabled(r) : disabled(r);
}

/* ---- It has failed ---- */

static bool has_raised(const struct reader *r) {
    uintptr_t at = (uintptr_t)r->runner.watch.address, slot = (uintptr_t)r->plugin->raised;
    return at == slot && slot;
}

static point raised(struct reader *r) {
    const char *message = (const char *)(uintptr_t)r->runner.failed.first;
    char text[MOST_TEXT + 1];
    if (!take_text(r, message, text)) snprintf(text, sizeof text, "(model_error was given no text)");
    return leaf_says(r, LEAF_ERROR, text, r->runner.failed.third - 1);
}

/* A loop that always ends in reachable states may be endless for values that never stand together. Each takes as long
 * as the time limit for model code: so no unit is seen in more than one such loop, and not more than these units. */
enum { MOST_LOOPING = 3 };

point leaf_of_effort(struct reader *r) {
    if (effort_over(r->source.effort)) return leaf_says(r, LEAF_UNKNOWN, "there was no time to read it", 0);
    if (!r->loops[r->unit] && r->looping < MOST_LOOPING) return POINT_NONE;
    return leaf_says(r, LEAF_UNKNOWN, "it was not read to the end, because of endless loops", 0);
}

/* The unit was ended by the timer. */
static point looping(struct reader *r) {
    char text[128];
    if (effort_look(r->source.effort)) return leaf_of_effort(r);
    if (!r->loops[r->unit]) r->looping++;
    r->loops[r->unit] = true;
    snprintf(text, sizeof text, "the model's code did not return within %g s: an endless loop?", r->endless);
    return leaf_says(r, LEAF_ERROR, text, 0);
}

/* A fault that has nothing to do with the state. */
static point crashed(struct reader *r) {
    uint64_t instruction = r->runner.failed.instruction;
    void *library = r->library;
    const void *address = r->runner.watch.address;
    char text[1024];
    if (guard_timed_out(&r->guard)) return looping(r);
    if (r->runner.watch.end != WATCH_ELSEWHERE || !c_library_has(library, address) ||
        !c_library_explain(library, r->path, address, (const void *)(uintptr_t)instruction, text, sizeof text))
        snprintf(text, sizeof text, "the model's code crashed: %s", guard_reason(&r->guard));
    return leaf_says(r, LEAF_ERROR, text, instruction);
}

point leaf_failed(struct reader *r) {
    uint64_t instruction = r->runner.failed.instruction;
    switch (r->runner.watch.end) {
    case WATCH_REFUSED: return leaf_says(r, LEAF_UNKNOWN, "it moves its stack", instruction);
    case WATCH_ODD:
        return leaf_says(r, LEAF_UNKNOWN, "it accesses the state by an instruction that is not known", instruction);
    case WATCH_TOO_LONG:
        return leaf_says(r, LEAF_UNKNOWN, "it accesses the state very often: an endless loop?", instruction);
    case WATCH_BESIDE: return leaf_says(r, LEAF_ERROR, "it uses memory just before or behind the state", instruction);
    case WATCH_ELSEWHERE:
        if (has_raised(r)) return raised(r);
        break;
    case WATCH_NO_END: break;
    }
    return crashed(r);
}
