#include "report/comparison.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "compare/test.h"

enum { WORDS_SHOWN = 5 };

static const char *const ordinal[2] = {"first", "second"};

/* ---- Parts of sentences ---- */

static void write_word(const struct comparison_report *r, const struct word *w, FILE *out) {
    for (uint32_t i = 0; i < w->length; i++) fprintf(out, "%s%s", i ? " " : "", r->c->labels.text[w->label[i]]);
}

static void write_set(const struct comparison_report *r, const struct word *set, FILE *out) {
    fputc('{', out);
    for (uint32_t i = 0; i < set->length; i++) fprintf(out, "%s%s", i ? ", " : "", r->c->labels.text[set->label[i]]);
    fputc('}', out);
}

/* "after  a b  the first" */
static void write_after(const struct comparison_report *r, FILE *out) {
    if (r->c->trace.length > 0) {
        fputs("after  ", out);
        write_word(r, &r->c->trace, out);
        fprintf(out, "  the %s", ordinal[r->c->side]);
    } else {
        fprintf(out, "at the start, the %s", ordinal[r->c->side]);
    }
}

static void write_lone(const struct comparison_report *r, const struct word *trace, int side, FILE *out) {
    write_word(r, trace, out);
    fprintf(out, "  is a trace of the %s, not of the %s\n", ordinal[side], ordinal[!side]);
}

static void write_words(const struct comparison_report *r, const struct word *words, uint32_t count, bool complete,
                        FILE *out) {
    for (uint32_t i = 0; i < count; i++) {
        fputs("    ", out);
        write_word(r, &words[i], out);
        fputc('\n', out);
    }
    if (!complete) fputs("    ...\n", out);
}

/* ---- The witnesses ---- */

static void explain_failure(const struct comparison_report *r, FILE *out) {
    bool ordinary = r->relation == RELATION_ORDINARY_FAILURES;
    write_after(r, out);
    if (r->c->refused.length > 0) {
        fputs(ordinary ? " can be where " : " can refuse ", out);
        write_set(r, &r->c->refused, out);
        fprintf(out, "%s; the %s can not\n", ordinary ? " is refused for ever" : "", ordinal[!r->c->side]);
    } else {
        fprintf(out, " can be stable; the %s can not: it always has an invisible step\n", ordinal[!r->c->side]);
    }
}

static void explain_tree_failure(const struct comparison_report *r, FILE *out) {
    write_after(r, out);
    fputs(" can be where none of these is possible any more:\n", out);
    write_words(r, r->c->words, r->c->word_count, true, out);
    fprintf(out, "the %s can not: it always keeps one of them possible\n", ordinal[!r->c->side]);
}

static void explain_test(const struct comparison_report *r, FILE *out) {
    const struct comparison *c = r->c;
    uint32_t count;
    bool complete;
    struct word *words = test_words(&c->test, c->success, &c->trace, WORDS_SHOWN, &count, &complete);
    if (c->trace_side < 0) {
        write_after(r, out);
        fputs(" can be where none of these is possible any more:\n", out);
        write_words(r, words, count, complete, out);
        fprintf(out, "the %s always keeps one of them possible, also while it is doing one\n", ordinal[!c->side]);
    }
    fprintf(out, "test of %u state%s: run with it, the %s can lose the ability to do %s; the %s can not (confirmed)\n",
            c->test.states, text_s(c->test.states), ordinal[c->side], c->test.labels.text[c->success],
            ordinal[!c->side]);
    if (r->test_file) fprintf(out, "the test is in %s\n", r->test_file);
    else fprintf(out, "(--test FILE.aut writes the test)\n");
    for (uint32_t i = 0; i < count; i++) free(words[i].label);
    free(words);
}

static void explain_formula(const struct comparison_report *r, FILE *out) {
    char *text = formula_text(&r->c->formula, &r->c->labels);
    fprintf(out, "true of the %s, false of the %s:\n    %s\n", ordinal[r->c->side], ordinal[!r->c->side], text);
    free(text);
}

static void explain_nothing(const struct comparison_report *r, FILE *out) {
    if (r->no_witness) return;
    if (r->c->deep > 0)
        fprintf(out, "(a formula that tells them apart is at least %u deep: none was made)\n", r->c->deep);
    else fputs("(no formula that tells them apart was found in the time that deciding took)\n", out);
}

static void explain(const struct comparison_report *r, FILE *out) {
    const struct comparison *c = r->c;
    if (c->trace_side >= 0) write_lone(r, &c->trace, c->trace_side, out);
    if (c->lone.label) write_lone(r, &c->lone, c->lone_side, out);
    switch (c->witness) {
    case WITNESS_NONE: explain_nothing(r, out); break;
    case WITNESS_TRACE: break;
    case WITNESS_FAILURE:
        if (c->trace_side < 0) explain_failure(r, out);
        break;
    case WITNESS_DIVERGENCE:
        write_after(r, out);
        fprintf(out, " can go on invisibly for ever; the %s can not\n", ordinal[!c->side]);
        break;
    case WITNESS_TREE_FAILURE: explain_tree_failure(r, out); break;
    case WITNESS_TEST: explain_test(r, out); break;
    case WITNESS_FORMULA: explain_formula(r, out); break;
    case WITNESS_STABILITY:
        fprintf(out, "at the start, the %s has an invisible step; the %s has none\n", ordinal[c->side],
                ordinal[!c->side]);
        break;
    }
}

/* ---- The alphabets ---- */

/* The labels that one side has and the other does not. */
static uint32_t count_own(const struct comparison_report *r, int side) {
    const struct names *mine = &r->lts[side]->labels, *other = &r->lts[!side]->labels;
    uint32_t count = 0;
    for (uint32_t i = 1; i < mine->count; i++) count += names_find(other, mine->text[i]) == NAMES_NONE;
    return count;
}

static void note_alphabet(const struct comparison_report *r, FILE *out) {
    for (int side = 0; side < 2; side++) {
        const struct names *mine = &r->lts[side]->labels, *other = &r->lts[!side]->labels;
        uint32_t own = count_own(r, side), shown = 0;
        if (own == 0 || r->declared) continue;
        fprintf(out, "note: only the %s has", ordinal[side]);
        for (uint32_t i = 1; i < mine->count && shown < WORDS_SHOWN; i++)
            if (names_find(other, mine->text[i]) == NAMES_NONE)
                fprintf(out, "%s %s", shown++ ? "," : "", mine->text[i]);
        fputs(own > shown ? ", ...\n" : "\n", out);
    }
}

/* ---- All of it ---- */

/* "A is simulated by B up to tau" */
static void state_preorder(const struct comparison_report *r, FILE *out) {
    const char *not = r->c->holds ? "" : "not ";
    enum lts_relation meant = relation_row(r->relation)->preorder;
    bool simulation = relation_row(meant)->family == FAMILY_SIMULATION;
    const char *kind = meant == RELATION_READY_SIMULATION     ? "ready "
                       : meant == RELATION_COUPLED_SIMULATION ? "coupled "
                                                              : "";
    fprintf(out, "%s is %s%s%s %s", r->name[0], not, kind, simulation ? "simulated by" : "below", r->name[1]);
    if (meant == RELATION_WEAK_SIMULATION) fputs(" up to tau", out);
    if (!simulation) fprintf(out, " in the %s preorder", relation_name(meant));
}

static void state_verdict(const struct comparison_report *r, FILE *out) {
    if (r->preorder) state_preorder(r, out);
    else
        fprintf(out, "%s and %s are %s%s", r->name[0], r->name[1], r->c->holds ? "" : "not ",
                relation_row(r->relation)->adjective);
    fputs(r->stability ? " with initial stability\n" : "\n", out);
}

void report_comparison(const struct comparison_report *r, FILE *out) {
    const struct comparison *c = r->c;
    if (!c->holds) {
        explain(r, out);
        fputs("!!! ", out);
        state_verdict(r, out);
    }
    fprintf(out, "%u and %u state%s", r->lts[0]->states, r->lts[1]->states, text_s(r->lts[1]->states));
    if (c->states) fprintf(out, ", %u together after merging equivalent ones", c->states);
    if (c->pairs) fprintf(out, "; %llu pair%s", (unsigned long long)c->pairs, text_s(c->pairs));
    if (c->nodes) fprintf(out, ", %llu node%s", (unsigned long long)c->nodes, text_s(c->nodes));
    fprintf(out, "; %.2f s\n", r->seconds);
    note_alphabet(r, out);
    if (c->holds) {
        fputs("holds: ", out);
        state_verdict(r, out);
    }
}

/* ---- For machines ---- */

static json_t *label_json(const char *text) {
    json_t *s = json_string(text);
    return s ? s : json_string("(not UTF-8)");
}

static json_t *word_json(const struct comparison_report *r, const struct word *w) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < w->length; i++) json_array_append_new(array, label_json(r->c->labels.text[w->label[i]]));
    return array;
}

static json_t *words_json(const struct comparison_report *r, const struct word *words, uint32_t count) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++) json_array_append_new(array, word_json(r, &words[i]));
    return array;
}

static json_t *own_json(const struct comparison_report *r, int side) {
    const struct names *mine = &r->lts[side]->labels, *other = &r->lts[!side]->labels;
    json_t *array = json_array();
    for (uint32_t i = 1; i < mine->count; i++)
        if (names_find(other, mine->text[i]) == NAMES_NONE) json_array_append_new(array, label_json(mine->text[i]));
    return array;
}

static json_t *test_json(const struct comparison_report *r) {
    const struct comparison *c = r->c;
    return json_pack("{s:o, s:I, s:o, s:b}", "file", r->test_file ? label_json(r->test_file) : json_null(), "states",
                     (json_int_t)c->test.states, "success", label_json(c->test.labels.text[c->success]), "confirmed",
                     1);
}

/* The shortest words of the K of a test. */
static json_t *test_words_json(const struct comparison_report *r) {
    uint32_t count;
    bool complete;
    struct word *words = test_words(&r->c->test, r->c->success, &r->c->trace, WORDS_SHOWN, &count, &complete);
    json_t *result = words_json(r, words, count);
    for (uint32_t i = 0; i < count; i++) free(words[i].label);
    free(words);
    return result;
}

static const char *direction_of(int side) { return side ? "B-A" : "A-B"; }

static void add_witness(const struct comparison_report *r, json_t *document) {
    static const char *const kinds[] = {"none",         "trace", "failure", "divergence",
                                        "tree-failure", "test",  "formula", "stability"};
    const struct comparison *c = r->c;
    json_object_set_new(document, "witness", json_string(kinds[c->witness]));
    if (c->witness != WITNESS_NONE) json_object_set_new(document, "direction", json_string(direction_of(c->side)));
    if (c->trace.label) json_object_set_new(document, "trace", word_json(r, &c->trace));
    if (c->trace_side >= 0) json_object_set_new(document, "trace_of_only", json_string(c->trace_side ? "B" : "A"));
    if (c->lone.label)
        json_object_set_new(document, "lone_trace",
                            json_pack("{s:s, s:o}", "of", c->lone_side ? "B" : "A", "labels", word_json(r, &c->lone)));
    if (c->witness == WITNESS_FAILURE) json_object_set_new(document, "refused", word_json(r, &c->refused));
    if (c->witness == WITNESS_TREE_FAILURE)
        json_object_set_new(document, "words", words_json(r, c->words, c->word_count));
    if (c->witness == WITNESS_TEST) {
        json_object_set_new(document, "words", test_words_json(r));
        json_object_set_new(document, "test", test_json(r));
    }
    if (c->witness == WITNESS_FORMULA) {
        char *text = formula_text(&c->formula, &c->labels);
        json_object_set_new(document, "formula", label_json(text));
        free(text);
    }
}

json_t *report_comparison_json(const struct comparison_report *r) {
    const struct comparison *c = r->c;
    json_t *document =
        json_pack("{s:o, s:o, s:s, s:s, s:s, s:[I,I], s:I, s:I, s:I, s:f, s:{s:o, s:o}}", "first",
                  label_json(r->name[0]), "second", label_json(r->name[1]), "verdict", c->holds ? "holds" : "violated",
                  "relation", relation_name(r->relation), "mode", r->preorder ? "preorder" : "eq", "states",
                  (json_int_t)r->lts[0]->states, (json_int_t)r->lts[1]->states, "merged_states", (json_int_t)c->states,
                  "pairs", (json_int_t)c->pairs, "nodes", (json_int_t)c->nodes, "time_s", r->seconds, "alphabet",
                  "only_first", own_json(r, 0), "only_second", own_json(r, 1));
    json_object_set_new(document, "stability", json_boolean(r->stability));
    if (!c->holds) add_witness(r, document);
    return document;
}
