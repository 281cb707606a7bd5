/* onager ltl: the automata for a formula, or those that an HOA file can be turned into. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "automata/convert.h"
#include "automata/draw.h"
#include "automata/hoa.h"
#include "automata/ltl.h"
#include "automata/product.h"
#include "automata/simplify.h"
#include "automata/stutter.h"
#include "automata/trim.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/picture.h"
#include "report/report.h"

enum target { TO_SUMMARY, TO_HOA, TO_STATES, TO_TESTING, TO_DOT, TO_TESTING_DOT, TO_NEVER };

/* What is known so far; the rest is found when it is needed. */
struct subject {
    const struct options *o;
    struct ltl ltl;
    uint32_t formula;
    bool from_formula;
    char *name;       /* the formula, or what the file calls the automaton; or NULL */
    char *simplified; /* or NULL */
    struct ba ba, complement;
    bool has_ba, has_complement;
    struct ta ta;
    bool has_ta;
    bool decided, insensitive; /* about stuttering */
};

static void subject_fini(struct subject *s) {
    if (s->from_formula) ltl_fini(&s->ltl);
    if (s->has_ba) ba_fini(&s->ba);
    if (s->has_complement) ba_fini(&s->complement);
    if (s->has_ta) ta_fini(&s->ta);
    free(s->name);
    free(s->simplified);
}

/* ---- Where it comes from ---- */

static bool read_formula(struct subject *s, struct problem *why) {
    ltl_init(&s->ltl);
    s->from_formula = true;
    if (!ltl_parse(&s->ltl, s->o->model, &s->formula, why)) return false;
    if (s->o->negate) s->formula = ltl_make(&s->ltl, LTL_NOT, s->formula, 0);
    s->name = ltl_text(&s->ltl, s->formula);
    s->simplified = ltl_simplified_text(&s->ltl, s->formula, false);
    s->has_ba = ltl_to_ba(&s->ltl, s->formula, false, &s->ba, why);
    return s->has_ba;
}

/* A testing automaton stays one, and becomes a Büchi automaton, too. */
static bool from_testing(struct subject *s, struct problem *why) {
    return s->has_ba = s->decided = s->insensitive = ba_from_ta(&s->ta, &s->ba, why);
}

static bool read_file(struct subject *s, struct problem *why) {
    struct hoa h;
    if (!hoa_read(s->o->hoa, &h, why)) return false;
    s->name = h.name;
    h.name = NULL;
    if (h.testing) {
        ta_simplify(&h.ta, false, &s->ta);
        s->has_ta = true;
    } else {
        ba_simplify_by_state(&h.ba, &s->ba);
        s->has_ba = true;
    }
    hoa_fini(&h);
    return s->has_ba || from_testing(s, why);
}

/* ---- What can be found out ---- */

static bool decide_stuttering(struct subject *s, struct problem *why) {
    if (s->decided) return true;
    if (s->from_formula && !s->has_complement)
        s->has_complement = ltl_to_ba(&s->ltl, s->formula, true, &s->complement, why);
    if (s->from_formula)
        s->decided = s->has_complement &&
                     ltl_stutter_insensitive(&s->ltl, s->formula, &s->ba, &s->complement, &s->insensitive, why);
    else s->decided = stutter_insensitive(&s->ba, &s->insensitive, why);
    return s->decided;
}

/* From a formula, deadlocks count as if the last valuation came for ever; from a file, as the file says. */
static bool find_testing(struct subject *s, struct problem *why) {
    if (s->has_ta) return true;
    return s->has_ta = s->from_formula ? ltl_to_ta(&s->ba, &s->ta, why) : ta_from_ba(&s->ba, &s->ta, why);
}

static bool need_testing(struct subject *s, struct problem *why) {
    if (!decide_stuttering(s, why)) return false;
    if (!s->insensitive)
        return problem_set(why, EXIT_BAD_INPUT,
                           "it is sensitive to stuttering: it tells sequences apart that differ only in how often in a "
                           "row a valuation comes, which testing automata cannot");
    return find_testing(s, why);
}

/* ---- Summary ---- */

static const char *determinism(bool deterministic) { return deterministic ? "deterministic" : "not deterministic"; }

static bool ta_is_deterministic(const struct ta *a) { return ta_deterministic(a) && ta_one_start(a); }
static bool ba_is_deterministic(const struct ba *a) { return ba_deterministic(a) && a->initials <= 1; }

static const struct {
    enum accept kind;
    const char *name;
} kinds[] = {{ACCEPT_INFINITE, "infinite"},
             {ACCEPT_FINITE, "finite"},
             {ACCEPT_DEADLOCK, "deadlock"},
             {ACCEPT_LIVELOCK, "livelock"}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static void show_kinds(unsigned all, FILE *out) {
    const char *gap = "; acceptance: ";
    for (int i = 0; i < KINDS; i++)
        if (all & kinds[i].kind) {
            fprintf(out, "%s%s", gap, kinds[i].name);
            gap = ", ";
        }
    fputc('\n', out);
}

/* What is true of every sequence, or of none. */
static const char *constant(const struct subject *s) {
    if (s->ba.states == 0) return "no sequence";
    if (s->has_complement && s->complement.states == 0) return "every sequence";
    return NULL;
}

static void show_name(const struct subject *s, FILE *out) {
    if (!s->name) return;
    fprintf(out, "%s: %s\n", s->from_formula ? "formula" : "name", s->name);
    if (s->simplified && strcmp(s->simplified, s->name) != 0) fprintf(out, "simplified: %s\n", s->simplified);
}

static void show_summary(const struct subject *s, const struct problem *undecided, FILE *out) {
    show_name(s, out);
    if (constant(s)) fprintf(out, "satisfied by: %s\n", constant(s));
    fprintf(out, "Büchi automaton: %u state%s, %u edge%s, %s", s->ba.states, text_s(s->ba.states), ba_arrows(&s->ba),
            text_s(ba_arrows(&s->ba)), determinism(ba_is_deterministic(&s->ba)));
    show_kinds(accept_kinds(s->ba.accept, s->ba.states), out);
    if (!s->decided) fprintf(out, "stutter-insensitive: not decided: %s\n", undecided->text);
    else fprintf(out, "stutter-insensitive: %s\n", s->insensitive ? "yes" : "no");
    if (!s->has_ta) {
        if (s->decided && s->insensitive) fprintf(out, "testing automaton: none: %s\n", undecided->text);
        return;
    }
    fprintf(out, "testing automaton: %u state%s, %u edge%s, %s", s->ta.states, text_s(s->ta.states), s->ta.edges,
            text_s(s->ta.edges), determinism(ta_is_deterministic(&s->ta)));
    show_kinds(accept_kinds(s->ta.accept, s->ta.states), out);
}

static json_t *size_json(uint32_t states, uint32_t edges, bool deterministic, unsigned all) {
    json_t *list = json_array();
    for (int i = 0; i < KINDS; i++)
        if (all & kinds[i].kind) json_array_append_new(list, json_string(kinds[i].name));
    return json_pack("{s:I, s:I, s:b, s:o}", "states", (json_int_t)states, "edges", (json_int_t)edges, "deterministic",
                     (int)deterministic, "acceptance", list);
}

static json_t *summary_json(const struct subject *s) {
    json_t *d = json_object();
    if (s->name) json_object_set_new(d, s->from_formula ? "formula" : "name", json_string(s->name));
    if (s->simplified) json_object_set_new(d, "simplified", json_string(s->simplified));
    if (constant(s)) json_object_set_new(d, "satisfied_by", json_string(constant(s)));
    json_object_set_new(d, "buchi",
                        size_json(s->ba.states, ba_arrows(&s->ba), ba_is_deterministic(&s->ba),
                                  accept_kinds(s->ba.accept, s->ba.states)));
    json_object_set_new(d, "stutter_insensitive", s->decided ? json_boolean(s->insensitive) : json_null());
    json_object_set_new(d, "testing",
                        s->has_ta ? size_json(s->ta.states, s->ta.edges, ta_is_deterministic(&s->ta),
                                              accept_kinds(s->ta.accept, s->ta.states))
                                  : json_null());
    return d;
}

/* What cannot be decided, or would be too large, is said so, and no reason to fail. */
static bool summarise(struct subject *s, FILE *out, struct problem *why) {
    struct problem undecided = {0};
    bool fine = true;
    if (s->from_formula) s->has_complement = ltl_to_ba(&s->ltl, s->formula, true, &s->complement, &undecided);
    if (!undecided.status && decide_stuttering(s, &undecided) && s->insensitive) find_testing(s, &undecided);
    if (s->o->json) {
        json_t *document = summary_json(s);
        fine = report_write_json(document, s->o->json, why);
        json_decref(document);
    }
    if (fine && (!s->o->json || strcmp(s->o->json, "-") != 0)) show_summary(s, &undecided, out);
    problem_fini(&undecided);
    return fine;
}

/* ---- Output ---- */

static bool write_states(struct subject *s, FILE *out, struct problem *why) {
    struct sba states, small;
    if (!sba_from_ba(&s->ba, &states, why)) return false;
    sba_trim(&states, false, &small);
    hoa_write_sba(&small, s->name, s->decided && s->insensitive, out);
    sba_fini(&states);
    sba_fini(&small);
    return true;
}

static bool write_to(struct subject *s, enum target to, FILE *out, struct problem *why) {
    switch (to) {
    case TO_SUMMARY: return summarise(s, out, why);
    case TO_HOA: return hoa_write_ba(&s->ba, s->name, s->decided && s->insensitive, out), true;
    case TO_STATES: return write_states(s, out, why);
    case TO_TESTING: return need_testing(s, why) && (hoa_write_ta(&s->ta, s->name, out), true);
    case TO_DOT: return draw_ba(&s->ba, s->name, out), true;
    case TO_TESTING_DOT: return need_testing(s, why) && (draw_ta(&s->ta, s->name, out), true);
    case TO_NEVER: return write_never_claim(&s->ba, s->name, out, why);
    }
    return false;
}

/* The form that is drawn: of the Büchi automaton, unless the testing automaton was asked for. False: neither. */
static bool drawn(const struct options *o, enum target *to, struct problem *why) {
    bool testing = *to == TO_TESTING || *to == TO_TESTING_DOT;
    if (!testing && *to != TO_SUMMARY && *to != TO_HOA && *to != TO_DOT)
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s is a picture: of the Buchi automaton without --to, of the testing automaton with --to "
                           "testing; other forms need another name",
                           o->output);
    *to = testing ? TO_TESTING_DOT : TO_DOT;
    return true;
}

/* A file is opened only when there is something to write: first all goes to memory. */
static bool deliver(struct subject *s, struct problem *why) {
    char *text = NULL;
    size_t size = 0;
    const char *path = s->o->output;
    enum target to = (enum target)s->o->to;
    bool picture = picture_is(path);
    if (picture && !drawn(s->o, &to, why)) return false;
    FILE *memory = open_memstream(&text, &size);
    if (!memory) return problem_set(why, EXIT_INTERNAL, "out of memory");
    bool fine = write_to(s, to, memory, why);
    fclose(memory);
    if (fine && picture) fine = picture_write(text, path, why);
    else if (fine && path && strcmp(path, "-") != 0) fine = files_write_new(path, text, size, why);
    else if (fine) fwrite(text, 1, size, stdout);
    free(text);
    return fine;
}

int command_ltl(const struct options *o, struct problem *why) {
    struct subject s = {.o = o};
    bool fine = (o->hoa ? read_file(&s, why) : read_formula(&s, why)) && deliver(&s, why);
    subject_fini(&s);
    return fine ? EXIT_HOLDS : why->status ? (int)why->status : EXIT_INTERNAL;
}
