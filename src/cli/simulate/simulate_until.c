/* A nearest state where something holds: breadth-first from where one stands. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/simulate/simulate.h"
#include "ts/valuation.h"

enum { MOST_STATES = 1 << 20 };

/* What is looked for: a proposition, a value of a variable, or a state without steps. */
struct wish {
    bool deadlock;
    uint32_t proposition;       /* TS_NONE: none */
    uint32_t variable, element; /* then this */
    bool differs;               /* another value than that */
    char *value;
};

/* "x=3", "S[0]!=idle". False: there is no such variable. */
static bool parse_value(struct wish *w, const struct ts *ts, const char *text) {
    const char *equals = strrchr(text, '=');
    if (!equals || equals == text) return false;
    w->differs = equals[-1] == '!';
    size_t length = (size_t)(equals - text) - w->differs;
    for (uint32_t v = 0; v < ts->variable_count; v++)
        for (uint32_t i = 0; i < (ts->variables[v].length ? ts->variables[v].length : 1); i++) {
            char *name = ts->variables[v].length ? text_format("%s[%u]", ts->variables[v].name, i)
                                                 : text_format("%s", ts->variables[v].name);
            bool same = strlen(name) == length && strncmp(name, text, length) == 0;
            free(name);
            if (!same) continue;
            w->variable = v;
            w->element = i;
            w->value = memory_copy_string(equals + 1);
            return true;
        }
    return false;
}

static bool parse(struct wish *w, struct stroll *m, const char *text) {
    *w = (struct wish){.proposition = TS_NONE, .deadlock = strcmp(text, "deadlock") == 0};
    if (w->deadlock || parse_value(w, m->ts, text)) return true;
    w->proposition = valuation_any(m->ts) ? valuation_find(m->ts, text) : TS_NONE;
    if (w->proposition != TS_NONE) return true;
    stroll_complain(m, "%s%s is no proposition and no VARIABLE=VALUE of this model", *text ? "" : "until what? '",
                    *text ? text : "'");
    return false;
}

static bool has_value(const struct wish *w, const struct ts *ts, const word *s) {
    const char *name;
    size_t length;
    int64_t n = ts->ops->value(ts, s, w->variable, w->element, &name, &length), wanted;
    bool same = (name && strlen(w->value) == length && memcmp(name, w->value, length) == 0) ||
                (text_to_int(w->value, INT64_MIN, INT64_MAX, &wanted) && wanted == n);
    return same != w->differs;
}

/* 1: it holds; 0: not; -1: the model's code failed. */
static int holds(const struct wish *w, struct stroll *m, const word *s) {
    uint64_t out = 0;
    struct ts_fault fault;
    if (w->proposition == TS_NONE) return has_value(w, m->ts, s);
    if (valuation_get(m->ts, m->w, s, 1, &w->proposition, 1, &out, &fault)) return out & 1;
    stroll_complain(m, "!!! %s: %s", fault.where, fault.text);
    return -1;
}

/* States that were found, each with the one that it was found from. */
struct found {
    struct stroll *m;
    uint32_t words, count, room, *table, mask;
    word *states;
    uint32_t *from, *by;
};

static uint64_t hash(const word *s, uint32_t words) {
    uint64_t h = 0;
    for (uint32_t i = 0; i < words; i++) h = (h ^ s[i]) * UINT64_C(0x9E3779B97F4A7C15), h ^= h >> 29;
    return h;
}

static void grow(struct found *f) {
    f->room = f->room ? 2 * f->room : 1024;
    f->states = memory_resize(f->states, (size_t)f->room * f->words * sizeof(word));
    f->from = memory_resize(f->from, f->room * sizeof *f->from);
    f->by = memory_resize(f->by, f->room * sizeof *f->by);
    free(f->table);
    f->mask = 4 * f->room - 1;
    f->table = memory_get_zeroed((f->mask + UINT64_C(1)) * sizeof *f->table);
    for (uint32_t i = 0; i < f->count; i++) {
        uint64_t at = hash(f->states + (size_t)i * f->words, f->words) & f->mask;
        while (f->table[at]) at = (at + 1) & f->mask;
        f->table[at] = i + 1;
    }
}

/* True: it is new. */
static bool add(struct found *f, const word *s, uint32_t from, uint32_t by) {
    if (f->count == f->room) grow(f);
    uint64_t at = hash(s, f->words) & f->mask;
    for (; f->table[at]; at = (at + 1) & f->mask)
        if (memcmp(f->states + (size_t)(f->table[at] - 1) * f->words, s, f->words * sizeof(word)) == 0) return false;
    memcpy(f->states + (size_t)f->count * f->words, s, f->words * sizeof(word));
    f->from[f->count] = from;
    f->by[f->count] = by;
    f->table[at] = ++f->count;
    return true;
}

/* Walks the way to the state with this number. */
static void go(struct found *f, uint32_t end) {
    uint32_t length = 0, *way = memory_get((f->count + UINT64_C(1)) * sizeof *way);
    for (uint32_t i = end; i != 0; i = f->from[i]) way[length++] = i;
    printf("%" PRIu32 " step%s:\n", length, text_s(length));
    while (length > 0) {
        uint32_t i = way[--length];
        stroll_step(f->m, f->by[i], f->states + (size_t)i * f->words);
    }
    free(way);
    stroll_show(f->m);
}

/* Adds what follows state i. 1: *hit is one that was looked for; 0: none is; -1: the model's code failed. */
static int expand(struct found *f, const struct wish *wish, uint32_t i, word *s, word *next, uint32_t *hit) {
    struct stroll *m = f->m;
    bool any = false;
    memcpy(s, f->states + (size_t)i * f->words, f->words * sizeof(word));
    for (uint32_t t = 0; t < m->ts->transitions; t++) {
        int fired = stroll_fire(m, s, t, next);
        if (fired < 0) return -1;
        if (!fired) continue;
        any = true;
        if (!add(f, next, i, t) || wish->deadlock) continue;
        int good = holds(wish, m, next);
        *hit = f->count - 1;
        if (good) return good;
    }
    *hit = i;
    return wish->deadlock && !any;
}

void stroll_until(struct stroll *m, const char *condition) {
    struct wish wish;
    if (!parse(&wish, m, condition)) return;
    struct found f = {.m = m, .words = m->ts->words};
    word *s = memory_get(2 * f.words * sizeof(word));
    uint32_t hit = 0;
    int answer = 0;
    add(&f, stroll_state(m), 0, TS_NONE);
    for (uint32_t i = 0; i < f.count && f.count < MOST_STATES && !answer; i++)
        answer = expand(&f, &wish, i, s, s + f.words, &hit);
    if (answer > 0) go(&f, hit);
    else if (answer < 0) stroll_complain(m, "the search for %s has ended there", condition);
    else if (f.count >= MOST_STATES) stroll_complain(m, "%s: not in the %d nearest states", condition, MOST_STATES);
    else stroll_complain(m, "%s: in no state that can be reached from here (%" PRIu32 " states)", condition, f.count);
    free(s);
    free(f.table);
    free(f.states);
    free(f.from);
    free(f.by);
    free(wish.value);
}
