#include "cli/options/options_conflicts.h"

#include <string.h>

#include "base/memory.h"
#include "base/suffix.h"
#include "base/text.h"
#include "cli/ltl_subject.h"
#include "cli/options/options_table.h"
#include "cli/picture.h"
#include "compare/canonical_tester.h"
#include "check/ltl_check.h"
#include "report/execution/pictures.h"

/* An option that does not go together with what is asked for. */
struct clash {
    bool given;
    const char *name, *reason;
};

/* The first that is given, or NULL. The list ends with a row without a name. */
static const struct clash *first_given(const struct clash *list) {
    for (; list->name; list++)
        if (list->given) return list;
    return NULL;
}

/* ---- Commands ---- */

static bool files_given(const struct options *o, struct problem *why) {
    if (!o->model)
        return problem_set(why, EXIT_BAD_INPUT, "onager %s needs %s\nTry: onager %s --help", command_name(o->command),
                           o->command & COMMANDS_OF_LTSS ? "an LTS" : "a model", command_name(o->command));
    if (o->command == COMMAND_VERIFY && !o->file)
        return problem_set(why, EXIT_BAD_INPUT,
                           "onager verify needs a model and a certificate: onager verify %s CERTIFICATE", o->model);
    if (o->command == COMMAND_REPLAY && !o->trace)
        return problem_set(why, EXIT_BAD_INPUT, "onager replay needs a model and a trace: onager replay %s TRACE.json",
                           o->model);
    return true;
}

/* One LTS and a test. */
static bool passes_agrees(const struct options *o, struct problem *why) {
    const struct clash list[] = {
        {o->second != NULL, "second LTS", NULL},
        {o->eq != RELATIONS, "--eq", NULL},
        {o->preorder != RELATIONS, "--preorder", NULL},
        {o->test != NULL, "--test", NULL},
        {o->alphabet != NULL, "--alphabet", NULL},
        {o->process2 != NULL, "--process2", NULL},
        {0},
    };
    const struct clash *clash = first_given(list);
    if (!o->model)
        return problem_set(why, EXIT_BAD_INPUT,
                           "onager compare --passes needs an LTS: onager compare A.aut --passes TEST.fsp");
    if (clash)
        return problem_set(why, EXIT_BAD_INPUT, "--passes runs a test with one LTS, and nothing else; leave %s%s out",
                           o->second ? "the " : "", clash->name);
    return true;
}

static bool compare_agrees(const struct options *o, struct problem *why) {
    if (o->passes) return passes_agrees(o, why);
    if (o->success) return problem_set(why, EXIT_BAD_INPUT, "--success needs --passes TEST");
    if (!o->model || !o->second)
        return problem_set(why, EXIT_BAD_INPUT, "onager compare needs two files: onager compare A.aut B.aut --eq REL");
    if (o->eq == RELATIONS && o->preorder == RELATIONS)
        return problem_set(why, EXIT_BAD_INPUT, "say how to compare them: --eq REL or --preorder REL, REL one of\n%s",
                           RELATION_NAMES);
    if (o->eq != RELATIONS && o->preorder != RELATIONS)
        return problem_set(why, EXIT_BAD_INPUT, "one question at a time: leave --eq or --preorder out");
    return true;
}

/* Where a specification is to be refined. */
static bool spec_agrees(const struct options *o, struct problem *why) {
    bool tester = o->command == COMMAND_TESTER;
    if (!tester && o->command != COMMAND_CHECK) return true;
    if (!tester && !o->refines && o->below)
        return problem_set(why, EXIT_BAD_INPUT,
                           "--preorder needs --refines SPEC: the specification that the model is to be below");
    if ((tester ? !o->model : !o->refines) || o->below) return true;
    return problem_set(why, EXIT_BAD_INPUT, "name the preorder: --preorder REL, REL one of\n%s", CANONICAL_NAMES);
}

static bool ltl_agrees(const struct options *o, struct problem *why) {
    if (!o->model == !o->hoa)
        return problem_set(why, EXIT_BAD_INPUT,
                           "onager ltl needs %s: onager ltl 'G(request -> F grant)', or onager ltl --hoa FILE",
                           o->model ? "either a formula or a file, not both" : "a formula");
    if ((o->hoa || subject_is_file(o->model)) && o->negate)
        return problem_set(why, EXIT_BAD_INPUT, "--negate is for formulas; automata of files cannot be negated");
    if (o->equals && (o->to || o->output))
        return problem_set(why, EXIT_BAD_INPUT, "--equals only compares, and writes no automaton: leave --%s out",
                           o->to ? "to" : "output");
    if (o->equals && (o->no_finite || o->no_simplify))
        return problem_set(why, EXIT_BAD_INPUT,
                           "--%s changes an automaton and not what it accepts, so it makes no difference to "
                           "--equals; leave it out",
                           o->no_finite ? "no-finite" : "no-simplify");
    if (o->json && (o->to || picture_is(o->output)))
        return problem_set(why, EXIT_BAD_INPUT, "--json is for the summary: leave --to or --json out");
    return true;
}

static bool stubborn_agrees(const struct options *o, struct problem *why) {
    if (o->command != COMMAND_STUBBORN) return true;
    if (o->state && o->after)
        return problem_set(why, EXIT_BAD_INPUT, "one state at a time: leave --state or --after out");
    if (o->preserve == 1)
        return problem_set(why, EXIT_BAD_INPUT,
                           "--preserve all leaves nothing out, so there is no stubborn set; name what is to be "
                           "preserved");
    return true;
}

/* ---- Formulas, testers and fairness ---- */

static bool has_formula(const struct options *o) { return o->ltl || o->assertion || o->automaton; }

/* An option that is about the checks of the model itself, which are not made with a formula or a tester; or NULL. */
static const char *about_other_checks(const struct options *o) {
    for (const struct property_option *row = property_options; row->name; row++)
        if ((row->use == USE_OFF || row->use == USE_HOW) && property_option_given(row, o)) return row->name;
    return NULL;
}

/* The first option that asks for a property of the model for which this matters; NULL: there is none. */
static const struct property_option *asks(const struct options *o,
                                          bool (*matters)(const struct options *o, const struct property_row *row)) {
    for (const struct property_option *row = property_options; row->name; row++)
        if ((row->use == USE_ON || row->use == USE_ASK) && property_option_given(row, o) &&
            matters(o, property_row(row->property)))
            return row;
    return NULL;
}

static bool any_property(const struct options *o, const struct property_row *row) { return o && row; }

/* The same as a clash. */
static struct clash asks_besides(const struct options *o) {
    const struct property_option *row = asks(o, any_property);
    return (struct clash){row != NULL, row ? row->name : "", ""};
}

static bool only_this(const struct options *o, const char *what, struct problem *why) {
    const char *other = about_other_checks(o);
    return !other ||
           problem_set(why, EXIT_BAD_INPUT,
                       "--%s changes the checks of the model itself, and with %s nothing else is checked; leave "
                       "it out",
                       other, what);
}

static bool tester_agrees(const struct options *o, struct problem *why) {
    const struct clash list[] = {
        {o->symmetry, "symmetry", NULL},
        {o->method != 0, "method", NULL},
        {o->checkpoint != NULL, "checkpoint", NULL},
        {o->resume != NULL, "resume", NULL},
        {o->certificate != NULL, "certificate", NULL},
        asks_besides(o),
        {o->order == ORDER_RANDOM, "order random", NULL},
        {o->ltl != NULL, "ltl", NULL},
        {o->assertion != NULL, "assert", NULL},
        {o->automaton != NULL, "automaton", NULL},
        {o->tester && o->refines, "refines", NULL},
        {0},
    };
    const struct clash *clash = first_given(list);
    if (!o->tester && !o->refines) return true;
    if (clash)
        return problem_set(why, EXIT_BAD_INPUT, "%s without --%s; leave it out",
                           o->tester ? "testers are run" : "specifications are testers, and run", clash->name);
    return only_this(o, o->tester ? "a tester" : "a specification", why);
}

static bool formula_agrees(const struct options *o, struct problem *why) {
    const struct clash list[] = {
        {o->method != 0, "method", ": they choose stubborn sets in their own way"},
        {o->symmetry, "symmetry", ": propositions may tell symmetric states apart"},
        {o->checkpoint != NULL, "checkpoint", ""},
        {o->resume != NULL, "resume", ""},
        {o->certificate != NULL, "certificate", ""},
        asks_besides(o),
        {o->order == ORDER_RANDOM, "order random", ""},
        {0},
    };
    const struct clash *clash = first_given(list);
    if (clash)
        return problem_set(why, EXIT_BAD_INPUT, "%s are checked without --%s%s; leave it out",
                           o->automaton ? "automata" : "formulas", clash->name, clash->reason);
    if (o->automaton && (o->ltl || o->assertion))
        return problem_set(why, EXIT_BAD_INPUT, "a formula or an automaton, not both: leave --%s or --automaton out",
                           o->ltl ? "ltl" : "assert");
    if (o->ltl && o->assertion)
        return problem_set(why, EXIT_BAD_INPUT, "one formula at a time: leave --ltl or --assert out");
    return only_this(o, o->automaton ? "an automaton" : "a formula", why);
}

/* What needs a formula, where there is none. */
static bool no_formula_agrees(const struct options *o, struct problem *why) {
    if (o->tester || o->refines || (!o->algorithm && !o->favour)) return true;
    return problem_set(why, EXIT_BAD_INPUT,
                       "--%s is for formulas: give one with --ltl FORMULA or --assert NAME, or an automaton with "
                       "--automaton FILE",
                       o->algorithm ? "algorithm" : "error");
}

/* Fairness without a formula is for must progress. */
static bool fairness_agrees(const struct options *o, struct problem *why) {
    const char *fair = o->weak_fair     ? "weak-fair"
                       : o->strong_fair ? "strong-fair"
                       : o->fair_choice ? "fair-choice"
                                        : NULL;
    if (!fair || has_formula(o)) return true;
    if (o->tester || o->refines)
        return problem_set(why, EXIT_BAD_INPUT,
                           "--%s is for formulas and must progress, and %s have no fairness; leave it out", fair,
                           o->tester ? "testers" : "specifications");
    const struct clash list[] = {
        {o->stubborn, "stubborn",
         "fairness depends on all enabled transitions, and stubborn sets leave some of them out"},
        {o->symmetry, "symmetry", "fairness tells symmetric transitions apart"},
        {o->checkpoint != NULL, "checkpoint", "a search for fair executions cannot be saved"},
        {o->resume != NULL, "resume", "a search for fair executions cannot be saved"},
        {o->certificate != NULL, "certificate", "there are no certificates for must progress of fair executions"},
        {o->infinitely != NULL, "infinitely", "infinite occurrence is checked for all executions, fair or not"},
        {o->order == ORDER_RANDOM, "order random", "must progress needs the complete state space"},
        {o->store || o->overflow, o->store ? "store" : "overflow", "must progress needs an exact store"},
        {o->no_must_progress, "no-must-progress", "without a formula, fairness is for must progress"},
        {0},
    };
    const struct clash *clash = first_given(list);
    return !clash || problem_set(why, EXIT_BAD_INPUT, "--%s does not go together with --%s: %s; leave one of them out",
                                 fair, clash->name, clash->reason);
}

/* Shortest cycles are looked for in all that there is. */
static bool shortest_agrees(const struct options *o, struct problem *why) {
    const struct clash list[] = {
        {o->stubborn, "stubborn", "stubborn sets may leave out the shortest executions"},
        {o->symmetry, "symmetry", "a cycle of representatives need not be one of the model"},
        {o->weak_fair != NULL, "weak-fair", "a fair cycle must be long, and a shortest one is hard to find"},
        {o->strong_fair != NULL, "strong-fair", "a fair cycle must be long, and a shortest one is hard to find"},
        {o->fair_choice, "fair-choice", "a fair cycle must be long, and a shortest one is hard to find"},
        {o->order == ORDER_DFS, "order dfs", "a shortest way is found breadth-first"},
        {o->order == ORDER_RANDOM, "order random", "all states must be looked at"},
        {o->store || o->overflow, o->store ? "store" : "overflow", "cycles need an exact store"},
        {o->tester != NULL, "tester", "it is for formulas, automata and progress"},
        {o->refines != NULL, "refines", "it is for formulas, automata and progress"},
        {o->infinitely != NULL, "infinitely", "it is for formulas, automata and progress"},
        {!algorithm_takes((enum ltl_algorithm)o->algorithm, ENGINE_SHORTEST), "algorithm",
         "shortest cycles need the whole product: 'levels'"},
        {0},
    };
    const struct clash *clash = o->shortest ? first_given(list) : NULL;
    return !clash || problem_set(why, EXIT_BAD_INPUT,
                                 "--shortest does not go together with --%s: %s; leave one of "
                                 "them out",
                                 clash->name, clash->reason);
}

/* ---- The search ---- */

static bool saving_agrees(const struct options *o, struct problem *why) {
    if (o->every > 0 && !o->checkpoint && !o->resume)
        return problem_set(why, EXIT_BAD_INPUT, "--every needs --checkpoint DIR or --resume DIR");
    if (o->checkpoint && o->resume && strcmp(o->checkpoint, o->resume) != 0)
        return problem_set(why, EXIT_BAD_INPUT, "--resume %s keeps saving there; leave --checkpoint %s out", o->resume,
                           o->checkpoint);
    bool resumes = engine_of_order(o->order)->takes & ENGINE_RESUMES;
    if ((o->checkpoint || o->resume) && (!resumes || o->store || o->overflow))
        return problem_set(why, EXIT_BAD_INPUT,
                           "only a breadth-first search with an exact store can be saved: leave %s out",
                           !resumes   ? "--order"
                           : o->store ? "--store"
                                      : "--overflow");
    return true;
}

static bool certificate_agrees(const struct options *o, struct problem *why) {
    if (!o->certificate) return true;
    if (strcmp(o->certificate, "-") == 0 || !*o->certificate)
        return problem_set(why, EXIT_BAD_INPUT,
                           "--certificate '%s': it must be the name of a file; standard output cannot be used",
                           o->certificate);
    const struct clash list[] = {
        {o->order == ORDER_RANDOM, "order random", "random search proves nothing"},
        {o->store != STORE_EXACT, "store", "only an exact store proves that something holds"},
        {0},
    };
    const struct clash *clash = first_given(list);
    return !clash ||
           problem_set(why, EXIT_BAD_INPUT, "--certificate does not go together with --%s: %s; leave one of them out",
                       clash->name, clash->reason);
}

static bool store_agrees(const struct options *o, struct problem *why) {
    if (o->hash_bits && (o->hash_bits < 16 || o->hash_bits > 63))
        return problem_set(why, EXIT_BAD_INPUT, "--hash-bits %llu: it must be from 16 to 63",
                           (unsigned long long)o->hash_bits);
    if (o->hash_bits && o->store != STORE_HASH_COMPACT)
        return problem_set(why, EXIT_BAD_INPUT, "--hash-bits needs --store hash-compact");
    if (o->hashes && o->store != STORE_BITSTATE && !o->overflow)
        return problem_set(why, EXIT_BAD_INPUT, "--hashes needs --store bitstate or --overflow bitstate");
    if (o->store && o->overflow)
        return problem_set(why, EXIT_BAD_INPUT, "--overflow is for an exact store: leave --store or --overflow out");
    const struct engine *engine = engine_of_order(o->order);
    if (!(engine->takes & ENGINE_INEXACT) && (o->store || o->overflow))
        return problem_set(why, EXIT_BAD_INPUT, "--order %s has a store of its own: leave --%s out", engine->name,
                           o->store ? "store" : "overflow");
    if (o->hashes > 8)
        return problem_set(why, EXIT_BAD_INPUT, "--hashes %llu: it must be from 1 to 8", (unsigned long long)o->hashes);
    return true;
}

/* A limit on the whole process that is passed before anything is done can never be kept. */
static bool memory_agrees(const struct options *o, struct problem *why) {
    uint64_t used = memory_resident();
    char limit[16], taken[16];
    bool whole = o->command & (COMMAND_CHECK | COMMAND_AUDIT | COMMAND_LTS | COMMAND_STUBBORN);
    if (!whole || !o->max_memory || o->max_memory >= used) return true;
    text_bytes((double)o->max_memory, limit);
    text_bytes((double)used, taken);
    return problem_set(
        why, EXIT_BAD_INPUT,
        "--max-memory: %s is less than the %s that the program itself takes; a SIZE is in bytes unless it "
        "ends in K, M or G, as 500M does",
        limit, taken);
}

/* Decision diagrams have all states, and in no order. */
static bool engine_agrees(const struct options *o, struct problem *why) {
    const struct clash list[] = {
        {o->stubborn, "stubborn", "decision diagrams have all states"},
        {o->symmetry, "symmetry", "decision diagrams have all states"},
        {o->order != ORDER_BFS, "order", "decision diagrams are not made in the order of a search"},
        {o->store || o->overflow, o->store ? "store" : "overflow", "decision diagrams are a store of their own"},
        {o->max_states != 0, "max-states", "many states may be a small decision diagram; use --max-memory or --time"},
        {o->checkpoint || o->resume, o->resume ? "resume" : "checkpoint", "decision diagrams cannot be saved"},
        {o->certificate != NULL, "certificate", "certificates list states, one by one"},
        {o->shortest, "shortest", "cycles are found in another way"},
        {o->strict, "strict", "the model's code is not executed"},
        {o->tables != 0, "tables", "the model's code is not executed"},
        {o->ltl != NULL, "ltl", "decision diagrams do not know formulas of linear temporal logic yet"},
        {o->assertion != NULL, "assert", "decision diagrams do not know formulas of linear temporal logic yet"},
        {o->automaton != NULL, "automaton", "decision diagrams do not know automata yet"},
        {o->tester != NULL, "tester", "decision diagrams do not know testers"},
        {o->refines != NULL, "refines", "decision diagrams do not know testers"},
        {o->weak_fair || o->strong_fair || o->fair_choice,
         o->weak_fair     ? "weak-fair"
         : o->strong_fair ? "strong-fair"
                          : "fair-choice",
         "decision diagrams do not know fairness"},
        {0},
    };
    const struct clash *clash = o->engine == STATES_SYMBOLIC ? first_given(list) : NULL;
    return !clash || problem_set(why, EXIT_BAD_INPUT,
                                 "--engine symbolic does not go together with --%s: %s; leave one of them out",
                                 clash->name, clash->reason);
}

static bool random_agrees(const struct options *o, struct problem *why) {
    if (o->command == COMMAND_SIMULATE || o->order == ORDER_RANDOM || (!o->seed && !o->depth)) return true;
    return problem_set(why, EXIT_BAD_INPUT, "--%s needs --order random", o->seed ? "seed" : "depth");
}

static bool is_lost(const struct options *o, const struct property_row *row) {
    return o->symmetry && (row->symmetry & LOST);
}

/* Of a part of the edges, even what is violated says nothing. */
static bool is_lost_by_sets(const struct options *o, const struct property_row *row) {
    return o->stubborn && (row->stubborn & LOST);
}

/* Can it be answered only when all states are there? */
static bool is_late(const struct options *o, const struct property_row *row) {
    return row->when == AFTER && !(o->order == ORDER_DFS && row->needs & DFS_FINDS);
}

static bool questions_agree(const struct options *o, struct problem *why) {
    if (o->termination && o->no_termination)
        return problem_set(why, EXIT_BAD_INPUT,
                           "--termination and --no-termination contradict each other; leave one of them out");
    const struct property_option *lost = asks(o, is_lost), *late = asks(o, is_late);
    const struct property_option *by_sets = asks(o, is_lost_by_sets);
    if (by_sets)
        return problem_set(why, EXIT_BAD_INPUT, "--%s does not go together with --stubborn: %s; leave one of them out",
                           by_sets->name, "stubborn sets leave executions out");
    if (o->ctl && (o->checkpoint || o->resume))
        return problem_set(
            why, EXIT_BAD_INPUT,
            "--ctl does not go together with --%s: what is saved does not have it; leave one of them out",
            o->resume ? "resume" : "checkpoint");
    if (lost)
        return problem_set(why, EXIT_BAD_INPUT, "--%s does not go together with --symmetry: %s; leave one of them out",
                           lost->name, property_row(lost->property)->symmetry_gap);
    if (o->no_audit && !o->stubborn && !o->symmetry && o->preserve < 2)
        return problem_set(
            why, EXIT_BAD_INPUT,
            "--no-audit is about the rules of --stubborn, --symmetry and --preserve: give one of these, or "
            "leave --no-audit out");
    if (o->swaps && !o->symmetry)
        return problem_set(
            why, EXIT_BAD_INPUT,
            "--swaps is about executions that were found with --symmetry: give that, or leave --swaps out");
    if (late && o->order == ORDER_RANDOM)
        return problem_set(why, EXIT_BAD_INPUT,
                           "--%s needs the complete state space, and --order random does not build it; leave one of "
                           "them out",
                           late->name);
    return true;
}

/* With --overflow, all may be exact in the end. */
static bool inexact_agrees(const struct options *o, struct problem *why) {
    const struct property_option *late = asks(o, is_late);
    if (!o->store || !late) return true;
    return problem_set(
        why, EXIT_BAD_INPUT,
        "--%s needs the complete state space, and --store %s may leave states out; leave one of them out", late->name,
        store_name((enum store_kind)o->store));
}

static bool strict_agrees(const struct options *o, struct problem *why) {
    return !o->strict || !o->fast ||
           problem_set(why, EXIT_BAD_INPUT,
                       "--strict checks the model's code in every way, and --fast leaves checks out; leave one of them "
                       "out");
}

static bool coverage_agrees(const struct options *o, struct problem *why) {
    bool other = has_formula(o) || o->automaton || o->tester || o->refines;
    if (!o->coverage || (!other && o->order != ORDER_RANDOM && !o->resume)) return true;
    return problem_set(why, EXIT_BAD_INPUT, "--coverage is about a complete search of the model itself: leave out %s",
                       other       ? "formulas, automata and testers"
                       : o->resume ? "--resume"
                                   : "--order random");
}

static bool output_agrees(const struct options *o, struct problem *why) {
    if (o->trace_file && !pictures_know(o->trace_file))
        return problem_set(why, EXIT_BAD_INPUT,
                           "--trace-file %s: the end of its name tells what is written: .svg, .mmd, .html or .json",
                           o->trace_file);
    bool to_standard_output =
        o->output ? strcmp(o->output, "-") == 0 : o->command & (COMMAND_MINIMIZE | COMMAND_DRAW | COMMAND_TESTER);
    if (to_standard_output && o->json && strcmp(o->json, "-") == 0)
        return problem_set(why, EXIT_BAD_INPUT,
                           "--json - takes standard output, so the result must go elsewhere: -o FILE");
    return true;
}

/* A macro may have no value. */
static bool parameters_agree(const struct options *o, struct problem *why) {
    bool asset = (o->model && suffix_type(o->model).kind == FILE_ASSET) ||
                 (o->second && suffix_type(o->second).kind == FILE_ASSET);
    for (size_t i = 0; i < o->parameter_count && !asset; i++)
        if (o->parameters[i].bare)
            return problem_set(why, EXIT_BAD_INPUT, "-p %s: write -p NAME=VALUE, as in -p n=5", o->parameters[i].name);
    return true;
}

bool options_agree(const struct options *o, struct problem *why) {
    if (!memory_agrees(o, why) || !parameters_agree(o, why)) return false;
    if (!tester_agrees(o, why) || !(has_formula(o) ? formula_agrees : no_formula_agrees)(o, why)) return false;
    if (!fairness_agrees(o, why) || !shortest_agrees(o, why) || !spec_agrees(o, why)) return false;
    if (o->command == COMMAND_LTL) return ltl_agrees(o, why);
    if (o->command == COMMAND_COMPARE) return compare_agrees(o, why);
    if (!files_given(o, why)) return false;
    if (!stubborn_agrees(o, why)) return false;
    if (o->method && !o->stubborn && o->preserve < 2 && o->command != COMMAND_STUBBORN)
        return problem_set(why, EXIT_BAD_INPUT, "--method needs %s: which states may be left out?",
                           o->command == COMMAND_CHECK
                               ? "--stubborn"
                               : "--preserve deadlocks, deadlock-traces, traces, fair-testing or tree-failures");
    if (!saving_agrees(o, why) || !certificate_agrees(o, why)) return false;
    if (o->finitely && !o->infinitely)
        return problem_set(why, EXIT_BAD_INPUT,
                           "--finitely needs --infinitely: which transition occurs infinitely often?");
    if (!engine_agrees(o, why) || !store_agrees(o, why) || !random_agrees(o, why) || !inexact_agrees(o, why))
        return false;
    if (!questions_agree(o, why) || !output_agrees(o, why) || !coverage_agrees(o, why) || !strict_agrees(o, why))
        return false;
    if (o->threads > MOST_THREADS)
        return problem_set(why, EXIT_BAD_INPUT, "--threads %llu: at most %d are possible",
                           (unsigned long long)o->threads, MOST_THREADS);
    return true;
}
