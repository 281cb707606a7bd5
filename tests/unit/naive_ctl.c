#include "naive_ctl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Has some (all: each) successor of i the value? One without successors stays where it is. */
static bool after(const struct naive_system *s, uint32_t i, const bool *value, bool all) {
    bool some = false, each = true, any = false;
    for (uint32_t t = 0; t < s->transitions; t++) {
        uint32_t to = s->next[i * s->transitions + t];
        if (to == UINT32_MAX) continue;
        any = true;
        some |= value[to];
        each &= value[to];
    }
    return !any ? value[i] : all ? each : some;
}

/* z = b | (a & after z), from below or from above. */
static void fix(const struct naive_system *s, const bool *a, const bool *b, bool all, bool greatest, bool *z) {
    for (uint32_t i = 0; i < s->count; i++) z[i] = greatest;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = s->count; i-- > 0;) {
            bool now = b[i] || (a[i] && after(s, i, z, all));
            changed |= now != z[i];
            z[i] = now;
        }
    }
}

static const char *const names[] = {"!", "&", "|", "->", "<->", "EX", "AX", "EF", "AF", "EG", "AG", "EU", "AU"};

static void put(char *text, size_t room, const char *what, const char *f, const char *g) {
    if (strlen(what) == 2 && what[1] == 'U') snprintf(text, room, "%c(%s U %s)", what[0], f, g);
    else if (!g) snprintf(text, room, "%s (%s)", what, f);
    else snprintf(text, room, "(%s) %s (%s)", f, what, g);
}

void naive_ctl(const struct naive_system *s, uint32_t depth, char *text, size_t room, bool *holds) {
    if (depth == 0 || s->below(8) == 0) {
        uint32_t p = s->below(s->propositions + 1);
        if (p < s->propositions) snprintf(text, room, "p%u", p);
        else snprintf(text, room, "true");
        for (uint32_t i = 0; i < s->count; i++) holds[i] = p == s->propositions || (s->values[i] >> p & 1);
        return;
    }
    uint32_t op = s->below(13);
    bool two = (op >= 1 && op <= 4) || op >= 11, all = op == 6 || op == 8 || op == 10 || op == 12;
    char *f = malloc(room), *g = malloc(room);
    bool *a = calloc(s->count, 1), *b = calloc(s->count, 1), *yes = malloc(s->count), *no = calloc(s->count, 1);
    memset(yes, true, s->count);
    naive_ctl(s, depth - 1, f, room / 2 - 10, a);
    if (two) naive_ctl(s, depth - 1, g, room / 2 - 10, b);
    put(text, room, names[op], f, two ? g : NULL);
    for (uint32_t i = 0; i < s->count; i++)
        holds[i] = op == 0   ? !a[i]
                   : op == 1 ? a[i] && b[i]
                   : op == 2 ? a[i] || b[i]
                   : op == 3 ? !a[i] || b[i]
                   : op == 4 ? a[i] == b[i]
                             : after(s, i, a, all);
    if (op == 7 || op == 8) fix(s, yes, a, all, false, holds);
    if (op == 9 || op == 10) fix(s, a, no, all, true, holds);
    if (op >= 11) fix(s, a, b, all, false, holds);
    free(f), free(g), free(a), free(b), free(yes), free(no);
}
