#include "verify/claim.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ts/reductions.h"
#include "ts/valuation.h"

enum { STEP = 1 << 16 }; /* bytes to read at a time */

/* ---- What it is about ---- */

static bool get_flag(const struct claim *c, const char *label, bool *value, struct problem *why) {
    const char *text = identity_value(&c->run, label);
    *value = text && strcmp(text, "yes") == 0;
    if (text && (*value || strcmp(text, "no") == 0)) return true;
    return problem_set(why, EXIT_BAD_INPUT, "the certificate does not say yes or no to '%s'", label);
}

static bool get_checks(struct claim *c, struct problem *why) {
    for (const struct property_row *row = property_table; row->name; row++) {
        bool claimed = false;
        char *label = text_format("check %s", row->name);
        bool said = row->saved == SAVED_ALWAYS || (row->saved == SAVED_ASKED && identity_value(&c->run, label));
        bool good = !said || get_flag(c, label, &claimed, why);
        free(label);
        if (!good) return false;
        if (claimed) c->checks |= row->id;
    }
    return true;
}

static bool get_reductions(struct claim *c, struct problem *why) {
    bool good = true;
    for (const struct reduction_row *r = reduction_table; r->name && good; r++) {
        char *label = text_format("option --%s", r->name);
        good = get_flag(c, label, reduction_flag(&c->reduction, r), why);
        free(label);
    }
    return good;
}

bool claim_open(struct claim *c, const char *path, struct problem *why) {
    *c = (struct claim){.file = archive_open(path, ARCHIVE_CERTIFICATE, why)};
    return c->file && identity_read(&c->model, c->file, "model", why) && identity_read(&c->run, c->file, "run", why) &&
           archive_enter(c->file, "claim", why) && archive_get_number(c->file, &c->states, why) &&
           archive_get_number(c->file, &c->edges, why) && archive_get_number(c->file, &c->terminals, why) &&
           get_checks(c, why) && get_reductions(c, why) &&
           ((c->derived = identity_value(&c->run, "option --rules") != NULL), true) &&
           get_flag(c, "option --terminal-not-may", &c->terminal_not_may, why) &&
           get_flag(c, "option --terminal-not-must", &c->terminal_not_must, why);
}

void claim_fini(struct claim *c) {
    archive_close(c->file);
    identity_fini(&c->model);
    identity_fini(&c->run);
    free(c->finitely);
    region_fini(&c->words);
    region_fini(&c->sets);
    for (int i = 0; i < PROP_COUNT; i++) region_fini(&c->ranks[i]);
    *c = (struct claim){0};
}

/* ---- The rest ---- */

/* "1,4" or "none". */
static bool get_finitely(struct claim *c, const struct ts *ts, const char *list) {
    char *copy = memory_copy_string(list), *rest = copy;
    bool good = true;
    c->finitely = memory_get_zeroed(ts->transitions);
    if (strcmp(list, "none") == 0) rest = NULL;
    for (char *number; good && (number = strsep(&rest, ","));) {
        int64_t t;
        good = text_to_int(number, 0, (int64_t)ts->transitions - 1, &t);
        if (good) c->finitely[t] = true;
    }
    free(copy);
    return good;
}

static bool get_transitions(struct claim *c, const struct ts *ts, struct problem *why) {
    int64_t t;
    if (!(c->checks & PROP_INFINITE)) return true;
    const char *infinitely = identity_value(&c->run, "option --infinitely");
    const char *finitely = identity_value(&c->run, "option --finitely");
    if (!infinitely || !text_to_int(infinitely, 0, (int64_t)ts->transitions - 1, &t) || !finitely ||
        !get_finitely(c, ts, finitely) || c->finitely[t])
        return problem_set(why, EXIT_BAD_INPUT, "the certificate does not say what cannot occur infinitely often");
    c->infinitely = (uint32_t)t;
    return true;
}

/* The proposition that a property is about, if there is one: the model is told. */
static bool get_named(struct claim *c, struct ts *ts, struct problem *why) {
    for (const struct property_row *row = property_table; row->name; row++) {
        if (!(c->checks & row->id) || !(row->target & TS_NAMED)) continue;
        char *label = text_format("option --%s", property_option(row->id));
        c->named = identity_value(&c->run, label);
        ts->named = c->named ? valuation_find(ts, c->named) : TS_NONE;
        free(label);
        if (ts->named == TS_NONE)
            return problem_set(why, EXIT_BAD_INPUT,
                               "the certificate claims '%s' and names no proposition of the model for it", row->name);
    }
    return true;
}

/* A whole section. */
static bool get_section(struct claim *c, const char *name, struct region *r, struct problem *why) {
    size_t size = 0, got = STEP;
    if (!archive_enter(c->file, name, why)) return false;
    bool room = region_init(r, memory_available() + STEP);
    while (room && got == STEP) {
        room = region_grow(r, size + STEP);
        if (room && !archive_read(c->file, r->base + size, STEP, &got, why)) return false;
        size += got;
    }
    r->size = size; /* what was filled */
    return room || problem_set(why, EXIT_INCONCLUSIVE, "no memory is left for the certificate");
}

static bool get_parts(struct claim *c, struct problem *why) {
    if (!get_section(c, "states", &c->words, why)) return false;
    if (c->reduction.stubborn && !get_section(c, "sets", &c->sets, why)) return false;
    for (const struct property_row *row = property_table; row->name; row++)
        if (claim_ranks(c, row) && !get_section(c, row->name, &c->ranks[row - property_table], why)) return false;
    return archive_finish(c->file, NULL, why);
}

static const char *compare_sizes(struct claim *c) {
    size_t state = c->state_words * sizeof(word);
    c->count = c->words.size / state;
    if (c->words.size % state) return "its last state is not a whole one";
    if (c->count == 0) return "there is no state in it";
    if (c->count >= UINT32_MAX) return "it has more states than a certificate can have";
    if (c->count != c->states) return "there are not as many states in it as it claims";
    if (c->reduction.stubborn && c->sets.size != c->count * c->set_bytes)
        return "it does not have a stubborn set for each state";
    for (const struct property_row *row = property_table; row->name; row++)
        if (claim_ranks(c, row) && c->ranks[row - property_table].size != c->count * sizeof(uint32_t))
            return "it does not have a rank for each state";
    return NULL;
}

bool claim_read(struct claim *c, struct ts *ts, const char **odd, struct problem *why) {
    struct identity now = {0};
    identity_of_model(&now, ts);
    bool same = identity_same(&c->model, &now, "certificate", why);
    identity_fini(&now);
    c->state_words = ts->words;
    c->set_bytes = (ts->transitions + 7) / 8;
    if (!same || !get_transitions(c, ts, why) || !get_named(c, ts, why) || !get_parts(c, why)) return false;
    *odd = compare_sizes(c);
    return true;
}
