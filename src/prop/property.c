#include "prop/property.h"

#include <assert.h>
#include <stddef.h>

#include "ts/valuation.h"

const struct property_row property_table[] = {
#define PROPERTY_ROW(identifier, ...) [PROPERTY_##identifier] = {.id = PROP_##identifier, __VA_ARGS__},
    PROPERTIES(PROPERTY_ROW)
#undef PROPERTY_ROW
        [PROP_COUNT] = {0},
};

const struct property_row *property_row(enum property p) {
    const struct property_row *row = property_table;
    while (row->name && row->id != p) row++;
    assert(p == PROP_NONE || row->name); /* each property has a row */
    return row;
}

const char *property_name(enum property p) {
    const char *name = property_row(p)->name;
    return name ? name : "none";
}

const char *property_headline(enum property p) {
    const char *headline = property_row(p)->headline;
    return headline ? headline : "No error";
}

const char *property_option(enum property p) {
#define PROPERTY_OPTION_NAME(use, identifier, member, name, ...)                                                       \
    if (USE_##use == USE_ASK && PROP_##identifier == p) return name;
    PROPERTY_OPTIONS(PROPERTY_OPTION_NAME)
#undef PROPERTY_OPTION_NAME
    return NULL;
}

bool property_of_model(const struct property_row *row, const struct ts *ts) {
    return (ts->features & row->feature) || (row->needs & NEEDS_TESTS && ts->progress_count > 0);
}

bool property_counts_ends(const struct property_row *row, bool terminal_not_may, bool terminal_not_must) {
    if (row->ends == ENDS_UNLESS_TOLD) return row->target == TS_MAY ? !terminal_not_may : !terminal_not_must;
    return row->ends == ENDS_COUNT;
}

/* ---- Reductions ---- */

unsigned property_symmetric(const struct ts *ts) {
    unsigned same = 0;
    for (const struct property_row *row = property_table; row->name; row++)
        if ((row->symmetry & IF_SAME) &&
            (row->target & TS_NAMED ? valuation_symmetric(ts, ts->named) : ts_has(ts, TS_SYMMETRIC_PROGRESS)))
            same |= row->id;
    return same;
}

/* Under which conditions a property is kept by stubborn sets of this kind. */
static unsigned conditions(const struct property_row *row, const struct reduction *r) {
    unsigned kept = r->stubborn ? row->stubborn : KEPT;
    if (kept & OR_SAFE_SETS && r->preserve == PRESERVE_SAFETY) return KEPT;
    if (kept & IF_PROGRESS_SETS) return r->progress ? KEPT : (kept & ~(unsigned)IF_PROGRESS_SETS) | LOST;
    return kept;
}

/* The first that is checked, and kept under this condition, but not under the other. NULL: there is none. */
static const struct property_row *first_kept_if(unsigned checked, const struct reduction *r, unsigned condition,
                                                unsigned other) {
    for (const struct property_row *row = property_table; row->name; row++) {
        unsigned kept = conditions(row, r);
        if ((checked & row->id) && (kept & condition) && !(kept & other)) return row;
    }
    return NULL;
}

bool property_needs_termination(unsigned checked, const struct reduction *r) {
    return first_kept_if(checked, r, IF_ENDS, OR_UNSAID);
}

bool property_wants_termination(unsigned checked, const struct reduction *r) {
    return first_kept_if(checked, r, OR_UNSAID | IF_SHOWN_TO_END, KEPT);
}

unsigned property_unsaid(unsigned checked, const struct reduction *r) {
    unsigned unsaid = 0;
    for (const struct property_row *row = property_table; row->name; row++)
        if ((checked & row->id) && (conditions(row, r) & OR_UNSAID)) unsaid |= row->id;
    return unsaid;
}

/* What symmetry loses, among what is kept under this condition. */
static const char *symmetry_gap(unsigned checked, const struct reduction *r, unsigned condition) {
    for (const struct property_row *row = property_table; row->name && r->symmetry; row++)
        if ((checked & row->id) && (row->symmetry & condition)) return row->symmetry_gap;
    return NULL;
}

const char *property_gap(unsigned checked, const struct reduction *r, bool terminating, unsigned symmetric) {
    const struct property_row *lost = first_kept_if(checked, r, LOST, KEPT);
    const char *gap = lost ? lost->stubborn_gap : symmetry_gap(checked, r, LOST);
    if (gap) return gap;
    if (property_needs_termination(checked, r) && !terminating)
        return "stubborn sets preserve safety and progress only if the model is always may-terminating, "
               "and that check is switched off";
    const struct property_row *unshown = first_kept_if(checked, r, IF_SHOWN_TO_END, KEPT);
    if (unshown && !terminating) return unshown->stubborn_gap;
    if (property_wants_termination(checked, r) && !terminating)
        return "no model error was found, but stubborn sets may leave some out unless the model is always "
               "may-terminating";
    return symmetry_gap(checked & ~symmetric, r, IF_SAME);
}

const char *property_doubt(enum property p, const struct reduction *r, unsigned symmetric) {
    const struct property_row *row = property_row(p);
    return r->symmetry && (row->symmetry & IF_SAME) && !(symmetric & p) ? row->symmetry_doubt : NULL;
}
