#include <stdlib.h>
#include <sys/stat.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/load_lts.h"
#include "cli/options/options_table.h"
#include "model/c/c_model.h"
#include "model/network/network_model.h"
#include "reduce/derived/derived_ts.h"
#include "reduce/guided_ts.h"

/* Seconds. --time begins when the model is loaded; a compiler may take as long as that, and so much more: an answer is
 * wanted soon, but no search of some milliseconds should fail for it. */
#define COMPILER_MORE 0.8

static struct ts *open_plain_c(const struct options *o, struct reduction reduction, struct problem *why) {
    struct c_model_options c = {
        .compile = {.path = o->model,
                    .compiler = o->compiler,
                    .parameters = o->parameters,
                    .parameter_count = o->parameter_count,
                    .reduction = reduction,
                    .fast = o->fast,
                    .no_cache = o->no_cache,
                    .interrupted = o->interrupted,
                    .deadline = o->time > 0 ? o->began + o->time + COMPILER_MORE : 0,
                    .warnings = stderr},
        .endless = o->endless,
        .tables = (enum c_tables)o->tables,
        .strict = o->strict ? C_STRICT_ALWAYS : C_STRICT_SAMPLE,
        .rules_optional = o->rules == OPTION_RULES_AUTO,
    };
    if (o->process) {
        problem_set(why, EXIT_BAD_INPUT, "%s: --process is for FSP files", o->model);
        return NULL;
    }
    return c_model_open(&c, why);
}

/* The same, expanded by sets of reduce/guided_ts.h, of written rules. */
static struct ts *open_guided_c(const struct options *o, struct reduction reduction, enum guided_ts_goal goal,
                                struct problem *why) {
    reduction.stubborn = false;
    struct ts *ts = open_plain_c(o, reduction, why);
    return ts ? guided_ts_open(ts, goal, why) : NULL;
}

/* Some properties are preserved only if the model is always may-terminating, so that it will be checked whether it is.
 * Else, sets that do without do as well; but certificates do not show that they do. */
static enum derived_ts_goal goal_of(const struct options *o, const struct ts *ts) {
    bool progress = (ts_has(ts, TS_MAY_PROGRESS) && !o->no_may_progress) || o->infinitely || o->home;
    bool ends = o->termination || o->certificate || (progress && !o->no_termination);
    if (o->no_check_state) return DERIVED_TS_DEADLOCKS;
    return ends ? DERIVED_TS_ENDS : DERIVED_TS_ENDLESS;
}

/* Formulas, automata and testers guide stubborn sets, while they watch the model. */
static bool is_watched(const struct options *o) {
    return o->command == COMMAND_CHECK && (o->ltl || o->assertion || o->automaton || o->tester || o->refines);
}

static struct ts *derive(const struct options *o, struct ts *ts, enum derived_ts_goal goal, struct problem *why) {
    struct effort effort = effort_of(o);
    return derived_ts_open(ts, goal, &effort, why);
}

/* The same, by written rules and derived ones. */
static struct ts *open_both_c(const struct options *o, struct ts *ts, struct reduction reduction, struct problem *why) {
    bool written = ts_has(ts, TS_OBLIGATIONS);
    if (written && reduction.preserve != PRESERVE_DEADLOCK_TRACES) return derive(o, ts, DERIVED_TS_BOTH, why);
    problem_set(why, EXIT_BAD_INPUT,
                written ? "%s: sets of both written and derived rules do not preserve traces; take "
                          "--rules written or derived"
                        : "%s: --rules both needs obligations, and there are none: MODEL(...) does "
                          "not name an .obligations function",
                ts->path);
    return ts->ops->close(ts), NULL;
}

/* The same, expanded by sets that are derived from its code. */
static struct ts *open_derived_c(const struct options *o, struct reduction reduction, struct problem *why) {
    reduction.stubborn = false;
    struct ts *ts = open_plain_c(o, reduction, why);
    if (!ts) return NULL;
    enum derived_ts_goal goal = goal_of(o, ts);
    if (o->rules == OPTION_RULES_BOTH && !is_watched(o)) return open_both_c(o, ts, reduction, why);
    bool traces = reduction.preserve == PRESERVE_DEADLOCK_TRACES;
    bool must = reduction.progress && ts_has(ts, TS_MUST_PROGRESS) && !reduction.symmetry;
    if (is_watched(o)) return derive(o, ts, DERIVED_TS_WATCHED, why);
    if (!traces && !must) return derive(o, ts, goal, why);
    ts = derive(o, ts, DERIVED_TS_WATCHED, why);
    if (!ts) return NULL;
    return guided_ts_open(ts,
                          traces                       ? GUIDED_TS_ACTIONS
                          : goal == DERIVED_TS_ENDLESS ? GUIDED_TS_MUST_ENDLESS
                                                       : GUIDED_TS_MUST,
                          why);
}

static struct ts *open_c(const struct options *o, struct reduction reduction, struct problem *why) {
    bool stubborn = reduction.stubborn || (is_watched(o) && o->stubborn);
    if (stubborn && o->rules >= OPTION_RULES_DERIVED) return open_derived_c(o, reduction, why);
    struct ts *ts = open_plain_c(o, reduction, why);
    if (!ts || !stubborn) return ts;
    if (!ts->asset && !ts_has(ts, TS_OBLIGATIONS) && o->rules == OPTION_RULES_AUTO) {
        ts->ops->close(ts);
        return open_derived_c(o, reduction, why);
    }
    /* The sets of the plug-in itself are faster, and preserve less. */
    bool traces = reduction.preserve == PRESERVE_DEADLOCK_TRACES && reduction.stubborn;
    bool must = reduction.stubborn && reduction.progress && !reduction.symmetry && guided_ts_knows_must(ts);
    if (!traces && !must) return ts;
    ts->ops->close(ts);
    return open_guided_c(o, reduction, traces ? GUIDED_TS_ACTIONS : GUIDED_TS_MUST, why);
}

struct effort effort_to_read(const struct options *o) {
    return (struct effort){
        .deadline = o->time > 0 ? o->began + o->time : 0, .seconds = o->time, .interrupted = o->interrupted};
}

static struct ts *open_network(const struct options *o, struct reduction reduction, struct problem *why) {
    if (o->tables == C_TABLES_ALWAYS) {
        problem_set(why, EXIT_BAD_INPUT, "%s: --tables always is for C models", o->model);
        return NULL;
    }
    struct effort effort = effort_to_read(o);
    struct network_model_options n = {
        .effort = &effort,
        .path = o->model,
        .process = o->process,
        .parameters = o->parameters,
        .parameter_count = o->parameter_count,
        .foreign_parameters = o->foreign_parameters,
        .reduction = reduction,
        .logic = o->ltl || o->assertion || o->automaton,
        .assertion = o->assertion,
        .warnings = stderr,
        .lts = lts_options_of(o, o->model),
    };
    return network_model_open(&n, why);
}

/* ---- Languages ---- */

/* The one table of languages, by kinds of files; base/suffix.c has the suffixes of each. */
static const struct language {
    enum file_kind kind;
    const char *what;     /* NULL: told with another one */
    const char *suffixes; /* NULL: those of its kind */
    struct ts *(*open)(const struct options *o, struct reduction reduction, struct problem *why);
} languages[] = {
    {FILE_C, "a C model", NULL, open_c},
    {FILE_ASSET, "a model in ASSET's language", NULL, open_c},
    {FILE_FSP, "processes (FSP)", NULL, open_network},
    {FILE_AUT, "an LTS", ".aut, .fsm or .lts (of mCRL2)", open_network},
    {FILE_FSM, NULL, NULL, open_network},
    {FILE_MCRL2, NULL, NULL, open_network},
};

enum { LANGUAGES = sizeof languages / sizeof *languages };

static const struct language *language_of(enum file_kind kind) {
    for (int i = 0; i < LANGUAGES; i++)
        if (languages[i].kind == kind) return &languages[i];
    return NULL;
}

/* What is no ordinary file, a pipe or a device, may hold C, but not where LTSs are wanted. */
static bool may_hold_c(const struct options *o) {
    struct stat info;
    if (stat(o->model, &info) != 0 || S_ISDIR(info.st_mode)) return true; /* that is told later */
    return !S_ISREG(info.st_mode) && !(o->command & COMMANDS_OF_LTSS);
}

/* Which suffixes there are. To be freed. */
static char *known_suffixes(void) {
    char *list = memory_copy_string("");
    for (int i = 0; i < LANGUAGES; i++) {
        const struct language *l = &languages[i];
        if (!l->what) continue;
        char *suffixes = l->suffixes ? memory_copy_string(l->suffixes) : suffix_list(l->kind);
        char *longer = *list ? text_format("%s, that of %s with %s", list, l->what, suffixes)
                             : text_format("The name of %s ends with %s", l->what, suffixes);
        free(suffixes);
        free(list);
        list = longer;
    }
    return list;
}

/* A file whose name ends with nothing that is known is taken for C, if it may be. NULL: `why`. */
static const struct language *unknown_language(const struct options *o, enum file_kind kind, struct problem *why) {
    if (kind == FILE_DOT || kind == FILE_PICTURE) {
        problem_set(why, EXIT_BAD_INPUT, "%s: its name is that of a picture, which onager writes but does not read",
                    o->model);
        return NULL;
    }
    if (may_hold_c(o)) return language_of(FILE_C);
    char *known = known_suffixes();
    problem_set(why, EXIT_BAD_INPUT,
                "%s: its name does not say what is in it. %s, and .gz or .zst after it if it is packed%s", o->model,
                known, o->command & (COMMAND_LTS | COMMANDS_OF_LTSS) ? "; --from FORMAT reads an LTS of any name" : "");
    free(known);
    return NULL;
}

struct ts *open_model(const struct options *o, struct reduction reduction, struct problem *why) {
    enum file_kind kind = network_model_kind(o->model);
    if (is_lts_file(o, o->model) && !suffix_is_lts(kind)) kind = (enum file_kind)o->from;
    const struct language *language = language_of(kind);
    if (!language) language = unknown_language(o, kind, why);
    return language ? language->open(o, reduction, why) : NULL;
}

void use_process(struct options *o, const char *process) {
    if (!o->process && network_model_lacks_process(o->model)) o->process = process;
}

enum reduce_method method_of(const struct options *o) {
    return o->method ? (enum reduce_method)(o->method - 1) : METHOD_ESC;
}
