#include "check/saved_run.h"

#include <stdlib.h>

#include "base/text.h"
#include "ts/reductions.h"
#include "ts/valuation.h"

enum { BATCH = 1024 }; /* states */

/* "1,4", or "none". */
static char *list_transitions(const struct ts *ts, const bool *set) {
    char *list = memory_copy_string("");
    for (uint32_t t = 0; set && t < ts->transitions; t++) {
        if (!set[t]) continue;
        char *longer = text_format("%s%s%u", list, *list ? "," : "", t);
        free(list);
        list = longer;
    }
    if (*list) return list;
    free(list);
    return memory_copy_string("none");
}

void saved_run(struct identity *id, const struct ts *ts, const struct questions *q, unsigned checks) {
    for (const struct reduction_row *r = reduction_table; r->name; r++) {
        char *label = text_format("option --%s", r->name);
        identity_add_flag(id, label, reduction_is_on(&ts->reduction, r));
        free(label);
    }
    identity_add(id, "option --scan", ts->reduction.forward ? "forward" : "backward");
    if (ts->reduction.progress) identity_add_flag(id, "progress is preserved", true);
    if (ts->reduction.stubborn && ts_has(ts, TS_CHOICE_OF_RULES)) {
        static const char *const methods[] = {"esc", "cheapest", "deletion"};
        identity_add(id, "option --method", methods[ts->reduction.method]);
        identity_add_number(id, "what is preserved", ts->reduction.preserve);
        if (ts->derived) identity_add(id, "option --rules", ts_has(ts, TS_OBLIGATIONS) ? "both" : "derived");
    }
    identity_add_flag(id, "option --fast", ts->fast);
    for (const struct property_row *row = property_table; row->name; row++) {
        bool asked = (checks & row->id) != 0;
        if (row->saved == NOT_SAVED || (row->saved == SAVED_ASKED && !asked)) continue;
        char *label = text_format("check %s", row->name);
        identity_add_flag(id, label, asked);
        free(label);
        if (!asked || !(row->target & TS_NAMED)) continue;
        label = text_format("option --%s", property_option(row->id));
        identity_add(id, label, valuation_name(ts, ts->named));
        free(label);
    }
    identity_add_flag(id, "option --no-termination", q->no_termination);
    identity_add_flag(id, "option --terminal-not-may", q->terminal_not_may);
    identity_add_flag(id, "option --terminal-not-must", q->terminal_not_must);
    if (checks & PROP_INFINITE) {
        char *finitely = list_transitions(ts, q->finitely);
        identity_add_number(id, "option --infinitely", q->infinitely);
        identity_add(id, "option --finitely", finitely);
        free(finitely);
    }
}

/* Not for lack of memory: this takes none. */
static bool must_end(struct space *s, uint64_t at, uint64_t to, struct stop *stop) {
    struct stop now;
    bool interrupted = s->limits.interrupted && *s->limits.interrupted;
    if (!space_must_stop(s, "certificate", at, to, &now)) return false;
    if (!interrupted && !memory_fits(0, s->limits.max_memory)) return false;
    *stop = now;
    return true;
}

bool saved_states(struct archive_writer *w, struct space *s, uint64_t from, uint64_t to, enum saving saving,
                  struct problem *why) {
    struct walk walk;
    struct stop stop = {.kind = STOP_DONE};
    bool good = archive_section(w, "states");
    walk_init(&walk, s, false, from, BATCH);
    while (good && walk.at < to && walk_next(&walk, &stop)) {
        uint64_t count = walk.at > to ? to - walk.first : walk.count;
        good = archive_write(w, walk.states, count * s->ts->words * sizeof(word));
        if (saving == SAVED_WHILE_ALLOWED && must_end(s, walk.at, to, &stop)) break;
    }
    return walk_fini(&walk) || problem_set(why, EXIT_BAD_INPUT, "%s", stop.reason);
}
