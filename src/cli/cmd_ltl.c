/* onager ltl: the automata for a formula, or those that an HOA file can be turned into. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "omega/convert.h"
#include "omega/draw_automaton.h"
#include "omega/hoa/hoa.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/ltl_equality.h"
#include "cli/ltl_subject.h"
#include "cli/picture.h"
#include "report/report.h"

enum target { TO_SUMMARY, TO_HOA, TO_STATES, TO_TESTING, TO_DOT, TO_TESTING_DOT, TO_NEVER, TO_UNFOLDED };

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
    if (s->from_formula) subject_find_complement(s, &undecided);
    if (!undecided.status && subject_decide_stuttering(s, &undecided) && s->insensitive)
        subject_find_testing(s, &undecided);
    if (!subject_remove_finite(s, why)) {
        fine = false;
    } else if (s->o->json) {
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
    struct sba states;
    if (!subject_states(s, &states, why)) return false;
    hoa_write_sba(&states, s->name, s->decided && s->insensitive, out);
    sba_fini(&states);
    return true;
}

static bool write_unfolded(const struct subject *s, FILE *out, struct problem *why) {
    struct ta unfolded;
    if (!ta_unfold(&s->ta, &unfolded, why)) return false;
    hoa_write_ta(&unfolded, s->name, out);
    ta_fini(&unfolded);
    return true;
}

/* The automata that are written are there, in the form that was asked for. */
static bool buchi_ready(struct subject *s, struct problem *why) { return subject_remove_finite(s, why); }
static bool testing_ready(struct subject *s, struct problem *why) {
    return subject_need_testing(s, why) && subject_remove_finite(s, why);
}

static bool write_to(struct subject *s, enum target to, FILE *out, struct problem *why) {
    switch (to) {
    case TO_SUMMARY: return summarise(s, out, why);
    case TO_HOA: return buchi_ready(s, why) && (hoa_write_ba(&s->ba, s->name, s->decided && s->insensitive, out), true);
    case TO_STATES: return write_states(s, out, why);
    case TO_TESTING: return testing_ready(s, why) && (hoa_write_ta(&s->ta, s->name, out), true);
    case TO_DOT: return buchi_ready(s, why) && (draw_ba(&s->ba, s->name, out), true);
    case TO_TESTING_DOT: return testing_ready(s, why) && (draw_ta(&s->ta, s->name, out), true);
    case TO_UNFOLDED: return testing_ready(s, why) && write_unfolded(s, out, why);
    case TO_NEVER: return buchi_ready(s, why) && write_never_claim(&s->ba, s->name, out, why);
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

/* A file, or a formula. */
static bool read_first(struct subject *s, const struct options *o, struct problem *why) {
    const char *path = o->hoa ? o->hoa : subject_is_file(o->model) ? o->model : NULL;
    return path ? subject_read_file(s, path, why) : subject_read_formula(s, o->model, o->negate, why);
}

static int compare(struct subject *first, const struct options *o, struct problem *why) {
    struct subject second = {.o = o};
    bool fine = subject_is_file(o->equals) ? subject_read_file(&second, o->equals, why)
                                           : subject_read_formula(&second, o->equals, false, why);
    int status = fine ? ltl_equals(first, &second, why) : (int)why->status;
    subject_fini(&second);
    return status;
}

int command_ltl(const struct options *o, struct problem *why) {
    struct subject s = {.o = o};
    int status = EXIT_HOLDS;
    bool fine = read_first(&s, o, why);
    if (fine && o->equals) status = compare(&s, o, why);
    else if (!fine || !deliver(&s, why)) status = why->status ? (int)why->status : EXIT_INTERNAL;
    subject_fini(&s);
    return status;
}
