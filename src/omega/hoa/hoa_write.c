#include <assert.h>
#include <string.h>

#include "omega/hoa/hoa.h"
#include "base/version.h"

static void write_string(const char *text, FILE *out) {
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void write_head(const char *name, uint32_t states, const struct names *propositions, FILE *out) {
    fputs("HOA: v1\n", out);
    if (name) {
        fputs("name: ", out);
        write_string(name, out);
        fputc('\n', out);
    }
    fprintf(out, "tool: \"onager\" \"%s\"\nStates: %u\nAP: %u", ONAGER_VERSION, states, propositions->count);
    for (uint32_t i = 0; i < propositions->count; i++) {
        fputc(' ', out);
        write_string(propositions->text[i], out);
    }
    fputc('\n', out);
}

/* 0&!1 */
static void write_cube(struct cube c, FILE *out) {
    const char *gap = "";
    if (!c.care) fputc('t', out);
    for (uint64_t rest = c.care; rest; rest &= rest - 1, gap = "&") {
        int p = __builtin_ctzll(rest);
        fprintf(out, "%s%s%d", gap, c.value >> p & 1 ? "" : "!", p);
    }
}

/* Finite, deadlock and livelock acceptance get the sets after those of the condition, if any state has them. */
struct extra {
    uint32_t finite, deadlock, livelock; /* 0: not used */
    uint32_t sets;                       /* of all kinds */
};

static struct extra write_acceptance(const uint8_t *accept, uint32_t states, uint32_t sets, FILE *out) {
    unsigned all = accept_kinds(accept, states);
    struct extra x = {.sets = sets};
    if (all & ACCEPT_FINITE) x.finite = x.sets++;
    if (all & ACCEPT_DEADLOCK) x.deadlock = x.sets++;
    if (all & ACCEPT_LIVELOCK) x.livelock = x.sets++;
    if (x.sets == sets) {
        if (sets == 0) fputs("acc-name: all\n", out);
        else if (sets == 1) fputs("acc-name: Buchi\n", out);
        else fprintf(out, "acc-name: generalized-Buchi %u\n", sets);
    }
    fprintf(out, "Acceptance: %u ", x.sets);
    if (sets == 0) fputc('t', out);
    for (uint32_t i = 0; i < sets; i++) fprintf(out, "%sInf(%u)", i ? "&" : "", i);
    fputc('\n', out);
    if (all & ACCEPT_FINITE) fprintf(out, "Finite-Acceptance: %u\n", x.finite);
    if (all & ACCEPT_DEADLOCK) fprintf(out, "Deadlock-Acceptance: %u\n", x.deadlock);
    if (all & ACCEPT_LIVELOCK) fprintf(out, "Livelock-Acceptance: %u\n", x.livelock);
    return x;
}

static void write_set(uint64_t marks, FILE *out) {
    const char *gap = "";
    if (!marks) return;
    fputs(" {", out);
    for (; marks; marks &= marks - 1, gap = " ") fprintf(out, "%s%d", gap, __builtin_ctzll(marks));
    fputc('}', out);
}

static void write_kinds(unsigned accept, const struct extra *x, FILE *out) {
    uint64_t marks = accept & ACCEPT_INFINITE ? 1 : 0;
    if (accept & ACCEPT_FINITE) marks |= UINT64_C(1) << x->finite;
    if (accept & ACCEPT_DEADLOCK) marks |= UINT64_C(1) << x->deadlock;
    if (accept & ACCEPT_LIVELOCK) marks |= UINT64_C(1) << x->livelock;
    write_set(marks, out);
    fputc('\n', out);
}

static void write_properties(const char *labels, bool by_state, bool deterministic, bool stutter, FILE *out) {
    fprintf(out, "properties: %s explicit-labels %s%s%s\n", labels, by_state ? "state-acc" : "trans-acc",
            deterministic ? " deterministic" : "", stutter ? " stutter-invariant" : "");
}

/* Edges that differ only in their labels are one. */
static void write_edges(const struct ba *a, uint32_t s, FILE *out) {
    for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s);) {
        const struct ba_edge *f = e;
        fputc('[', out);
        for (; f < ba_end(a, s) && f->target == e->target && f->marks == e->marks; f++) {
            if (f > e) fputs(" | ", out);
            write_cube(f->label, out);
        }
        fprintf(out, "] %u", e->target);
        if (!a->by_state) write_set(e->marks, out);
        fputc('\n', out);
        e = f;
    }
}

void hoa_write_ba(const struct ba *a, const char *name, bool stutter_insensitive, FILE *out) {
    write_head(name, a->states, &a->propositions, out);
    for (uint32_t i = 0; i < a->initials; i++) fprintf(out, "Start: %u\n", a->initial[i]);
    struct extra x = write_acceptance(a->accept, a->states, a->sets, out);
    assert(!a->by_state || a->sets == 1); /* write_kinds takes set 0 for infinite acceptance of states */
    write_properties("trans-labels", a->by_state, ba_deterministic(a) && a->initials <= 1, stutter_insensitive, out);
    fputs("--BODY--\n", out);
    for (uint32_t s = 0; s < a->states; s++) {
        fprintf(out, "State: %u", s);
        write_kinds(a->accept[s], &x, out);
        write_edges(a, s, out);
    }
    fputs("--END--\n", out);
}

void hoa_write_sba(const struct sba *a, const char *name, bool stutter_insensitive, FILE *out) {
    write_head(name, a->states, &a->propositions, out);
    for (uint32_t i = 0; i < a->initials; i++) fprintf(out, "Start: %u\n", a->initial[i]);
    struct extra x = write_acceptance(a->accept, a->states, 1, out);
    write_properties("state-labels", true, false, stutter_insensitive, out);
    fputs("--BODY--\n", out);
    for (uint32_t s = 0; s < a->states; s++) {
        fputs("State: [", out);
        write_cube(cube_of(a->value[s], a->propositions.count), out);
        fprintf(out, "] %u", s);
        write_kinds(a->accept[s], &x, out);
        for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++)
            fprintf(out, "%s%u", i > a->first[s] ? " " : "", a->target[i]);
        if (a->first[s] < a->first[s + 1]) fputc('\n', out);
    }
    fputs("--END--\n", out);
}

void hoa_write_ta(const struct ta *a, const char *name, FILE *out) {
    write_head(name, a->states, &a->propositions, out);
    fputs("Testing: v1\n", out);
    for (uint32_t i = 0; i < a->initials; i++) {
        fprintf(out, "Start-Value: %u", a->initial[i].state);
        for (uint64_t v = a->initial[i].value; v; v &= v - 1) fprintf(out, " %d", __builtin_ctzll(v));
        fputc('\n', out);
    }
    struct extra x = write_acceptance(a->accept, a->states, 1, out);
    write_properties("trans-labels", true, ta_deterministic(a) && ta_one_start(a), true, out);
    fputs("--BODY--\n", out);
    for (uint32_t s = 0; s < a->states; s++) {
        fprintf(out, "State: %u", s);
        write_kinds(a->accept[s], &x, out);
        for (const struct ta_edge *e = ta_begin(a, s); e < ta_end(a, s); e++) {
            fputc('[', out);
            write_cube(cube_of(e->change, a->propositions.count), out);
            fprintf(out, "] %u\n", e->target);
        }
    }
    fputs("--END--\n", out);
}
