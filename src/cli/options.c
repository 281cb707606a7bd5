#include "cli/options.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/team.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/picture.h"

/* ---- The tables ---- */

static const struct command_row {
    enum command command;
    const char *name, *arguments, *summary;
} commands[] = {
    {COMMAND_CHECK, "check", "MODEL [option]...", "build the state space and check the model"},
    {COMMAND_RUN, "run", "MODEL [option]...",
     "show a typical execution: the lowest-numbered enabled transition first, to a cycle or a terminal state"},
    {COMMAND_AUDIT, "audit", "MODEL [option]...",
     "check the obligations of a model against conditions D1 and D2, and its symmetry map"},
    {COMMAND_REPLAY, "replay", "MODEL TRACE.json [option]...", "replay the execution that check --json has written"},
    {COMMAND_VERIFY, "verify", "MODEL CERTIFICATE [option]...",
     "confirm, state by state, the certificate that check --certificate has written"},
    {COMMAND_LTS, "lts", "MODEL [option]...",
     "build the labelled transition system of a model with actions, full or reduced, and write it as an .aut file"},
    {COMMAND_COMPARE, "compare", "A B --eq REL | --preorder REL [option]...",
     "tell whether two LTSs are equivalent, or whether the first is below the second"},
    {COMMAND_MINIMIZE, "minimize", "LTS [option]...", "make an LTS smaller, so that it stays equivalent"},
    {COMMAND_DRAW, "draw", "LTS [option]...", "draw an LTS; Graphviz makes the picture"},
    {COMMAND_LTL, "ltl", "'FORMULA' | --hoa FILE [option]...",
     "show the Buchi automaton and the testing automaton of a formula of linear temporal logic"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

enum kind {
    FLAG,
    NUMBER,
    SIZE,
    SECONDS,
    TEXT,
    PARAMETER,
    SCAN,
    STORE,
    OVERFLOW,
    ORDER,
    RELATION,
    PRESERVE,
    METHOD,
    TARGET,
    ALGORITHM,
    FAVOUR,
};

enum {
    CHECK = COMMAND_CHECK,
    RUN = COMMAND_RUN,
    AUDIT = COMMAND_AUDIT,
    REPLAY = COMMAND_REPLAY,
    VERIFY = COMMAND_VERIFY,
    LTS = COMMAND_LTS,
    COMPARE = COMMAND_COMPARE,
    MINIMIZE = COMMAND_MINIMIZE,
    DRAW = COMMAND_DRAW,
    LTL = COMMAND_LTL,
    READERS = MINIMIZE | DRAW | COMPARE, /* of LTSs, which may be made of models */
    ALL = CHECK | RUN | AUDIT | REPLAY | VERIFY | LTS | READERS,
};
enum { MOST_THREADS = 1024 };

static const struct option_row {
    const char *group; /* heads a new group */
    const char *name;
    char letter;
    const char *argument; /* NULL: none */
    enum kind kind;
    size_t offset;
    unsigned commands;
    const char *help;
} rows[] = {
#define AT(member) offsetof(struct options, member)
    {"Model", "param", 'p', "NAME=VALUE", PARAMETER, 0, ALL, "set a parameter of the model; may be repeated"},
    {0, "process", 0, "NAME", TEXT, AT(process), ALL,
     "FSP: the process to look at (default: the composite process whose name comes first in the alphabet)"},
    {0, "process2", 0, "NAME", TEXT, AT(process2), COMPARE,
     "FSP: the process of the second file (default: as --process)"},
    {0, "fast", 0, NULL, FLAG, AT(fast), CHECK, "leave out the checks of the model's code that cost time"},
    {0, "model-timeout", 0, "TIME", SECONDS, AT(endless), ALL,
     "call model code endless after this much processor time (default 5s)"},
    {0, "cc", 0, "PROGRAM", TEXT, AT(compiler), ALL, "the C compiler (default: $ONAGER_CC, cc, gcc or clang)"},
    {0, "no-cache", 0, NULL, FLAG, AT(no_cache), ALL, "compile the model anew and do not keep the result"},
    {"Reductions", "stubborn", 0, NULL, FLAG, AT(stubborn), CHECK,
     "fire only the stubborn sets that the obligations define"},
    {0, "symmetry", 0, NULL, FLAG, AT(symmetry), CHECK, "replace every state by its symmetry representative"},
    {0, "scan", 0, "ORDER", SCAN, AT(forward), CHECK | LTS | READERS,
     "try transitions, or starting points of stubborn sets, 'backward' (default) or 'forward'"},
    {0, "preserve", 0, "WHAT", PRESERVE, AT(preserve), LTS | READERS,
     "what the LTS must have in common with the full one: 'all' (default: it is the full one), 'deadlocks', 'traces', "
     "'fair-testing' or 'tree-failures'"},
    {0, "method", 0, "HOW", METHOD, AT(method), CHECK | LTS | READERS,
     "processes: how stubborn sets are found: 'esc' (default), the first enabled strong component of obligations; "
     "'cheapest', the smallest one; 'deletion', all that can be left out is"},
    {"Search", "order", 0, "ORDER", ORDER, AT(order), CHECK,
     "'bfs' (default): breadth-first, for shortest counterexamples; 'dfs': depth-first, which finds out on the fly "
     "whether the model is always may-terminating; 'random': random walks and searches until --time is over, for "
     "models that are too big; it may find errors and proves nothing"},
    {0, "threads", 0, "N", NUMBER, AT(threads), CHECK | LTS | READERS,
     "so many threads (default: one a processor); for formulas, automata and testers, see --algorithm levels"},
    {0, "seed", 0, "N", NUMBER, AT(seed), CHECK, "--order random: what chance begins with (default 1)"},
    {0, "depth", 0, "N", NUMBER, AT(depth), CHECK, "--order random: no execution is longer (default: about a million)"},
    {"Checks", "no-check-state", 0, NULL, FLAG, AT(no_check_state), CHECK, "do not look for bad states"},
    {0, "no-check-deadlock", 0, NULL, FLAG, AT(no_check_deadlock), CHECK, "do not look for illegal deadlocks"},
    {0, "no-may-progress", 0, NULL, FLAG, AT(no_may_progress), CHECK, "do not check may progress"},
    {0, "no-must-progress", 0, NULL, FLAG, AT(no_must_progress), CHECK, "do not check must progress"},
    {0, "no-progress", 0, NULL, FLAG, AT(no_progress), CHECK, "FSP: do not check the progress properties"},
    {0, "termination", 0, NULL, FLAG, AT(termination), CHECK,
     "check that the model is always may-terminating (with --stubborn, that is checked when it is needed)"},
    {0, "no-termination", 0, NULL, FLAG, AT(no_termination), CHECK,
     "do not check it with --stubborn either; what depends on it becomes inconclusive"},
    {0, "terminal-not-may", 0, NULL, FLAG, AT(terminal_not_may), CHECK,
     "terminal states are not may-progress states by themselves"},
    {0, "terminal-not-must", 0, NULL, FLAG, AT(terminal_not_must), CHECK,
     "terminal states are not must-progress states by themselves"},
    {0, "infinitely", 0, "T", TEXT, AT(infinitely), CHECK,
     "look for an execution where transition T (number or name) occurs infinitely often"},
    {0, "finitely", 0, "U,...", TEXT, AT(finitely), CHECK, "... while each of these occurs only finitely often"},
    {"Formulas", "ltl", 0, "FORMULA", TEXT, AT(ltl), CHECK,
     "check that every execution satisfies a formula of linear temporal logic, such as 'G(request -> F grant)', and "
     "nothing else; its propositions are those of the model, or, in FSP, actions and fluents"},
    {0, "assert", 0, "NAME", TEXT, AT(assertion), CHECK, "FSP: check the formula that the file calls NAME"},
    {0, "automaton", 0, "FILE", TEXT, AT(automaton), CHECK,
     "check that no execution is accepted by the automaton in FILE (HOA, Buchi or testing), and nothing else; one that "
     "ends is accepted by deadlock acceptance"},
    {0, "tester", 0, "NAME", TEXT, AT(tester), CHECK,
     "run a tester process beside the model, and look for what it finds illegal, and for nothing else: a process of "
     "the model's FSP file, FILE.fsp:NAME, or FILE.hoa"},
    {0, "algorithm", 0, "HOW", ALGORITHM, AT(algorithm), CHECK,
     "'nested': nested depth-first search; 'cvwy': the same without its early ends; 'tarjan': strong components; "
     "'one-pass': one search for livelocks, by a testing automaton, in the order of --order; 'levels': the whole "
     "product first, level by level, by all threads, and then strong components (default: levels if --threads N is "
     "given and N > 1; else, by one thread, one-pass if it suffices, or tarjan)"},
    {0, "error", 0, "WHEN", FAVOUR, AT(favour), CHECK,
     "depth-first, of the automaton's choices for a move of the model, try those where it accepts 'first' or 'last' "
     "(default: as they come)"},
    {0, "weak-fair", 0, "SET,...", TEXT, AT(weak_fair), CHECK,
     "formulas, automata and must progress: consider only executions that are weakly fair to each set of transitions: "
     "it is not enabled for ever without occurring. A set is written T+U+...: numbers, or names in which * stands for "
     "anything; 'all': each transition; 'processes' (FSP): what each process takes part in"},
    {0, "strong-fair", 0, "SET,...", TEXT, AT(strong_fair), CHECK,
     "the same, strongly fair: what is enabled infinitely often occurs infinitely often"},
    {0, "fair-choice", 0, NULL, FLAG, AT(fair_choice), CHECK,
     "consider only executions that end up in a terminal strong component, as LTSA does"},
    {"States", "store", 0, "KIND", STORE, AT(store), CHECK,
     "keep the states found 'exact' (default), or inexactly in less memory: 'hash-compact', or 'bitstate', which "
     "takes what --max-memory allows, or 128M"},
    {0, "hash-bits", 0, "N", NUMBER, AT(hash_bits), CHECK,
     "with --store hash-compact: bits of the hash of a state, 16 to 63 (default 56)"},
    {0, "hashes", 0, "N", NUMBER, AT(hashes), CHECK,
     "with --store bitstate: bits for each state, 1 to 8 (default 3; 2 is double bitstate)"},
    {0, "overflow", 0, "WHAT", OVERFLOW, AT(overflow), CHECK,
     "when the memory is full: 'stop' (default), or go on inexactly with 'bitstate'"},
    {"Limits", "max-states", 0, "N", NUMBER, AT(max_states), CHECK | AUDIT | LTS | READERS,
     "stop after this many states"},
    {0, "max-memory", 0, "SIZE", SIZE, AT(max_memory), CHECK | AUDIT | LTS | READERS,
     "stop at this much memory, such as 500M or 2G (default: 90 % of what is available)"},
    {0, "time", 0, "TIME", SECONDS, AT(time), CHECK | AUDIT | LTS | READERS,
     "stop after this time, such as 10s, 5m or 1h"},
    {0, "samples", 0, "N", NUMBER, AT(samples), AUDIT, "audit so many states, evenly spread, instead of all"},
    {"Long runs", "checkpoint", 0, "DIR", TEXT, AT(checkpoint), CHECK,
     "save the search in folder DIR now and then, so that it can go on after a crash or an interruption"},
    {0, "every", 0, "TIME", SECONDS, AT(every), CHECK, "how often (default 10m)"},
    {0, "resume", 0, "DIR", TEXT, AT(resume), CHECK,
     "go on with the search that is saved in DIR, and keep saving it there; limits may be "
     "others than before"},
    {"Certificates", "certificate", 0, "FILE", TEXT, AT(certificate), CHECK,
     "if the checks hold, write to FILE what 'onager verify' needs to confirm it without a search"},
    {0, "outside", 0, "N", NUMBER, AT(outside), VERIFY,
     "follow transitions outside a stubborn set to so many states (default 100000)"},
    {"LTSs", "eq", 0, "REL", RELATION, AT(eq), MINIMIZE,
     "what the result shares with the original (default branching-div): strong, branching, branching-div, weak, trace "
     "give the least LTS there is; stable-failures, cffd, failures-divergences, tree-failures, fair-testing a smaller "
     "one that need not be the least"},
    {0, "eq", 0, "REL", RELATION, AT(eq), COMPARE,
     "are they equivalent? REL is strong, branching, branching-div, weak, trace, stable-failures, cffd, "
     "failures-divergences, tree-failures or fair-testing"},
    {0, "preorder", 0, "REL", RELATION, AT(preorder), COMPARE,
     "is every behaviour of the first one of the second? REL as above, but not branching; strong and weak are "
     "simulation"},
    {0, "alphabet", 0, "A,B,...", TEXT, AT(alphabet), COMPARE,
     "these labels may occur, no others (default: those of both)"},
    {0, "test", 0, "FILE.aut", TEXT, AT(test), COMPARE,
     "fair-testing: if they differ, write a test that tells them apart"},
    {0, "tau", 0, "NAME", TEXT, AT(tau), LTS | READERS,
     "how .aut files spell the invisible action (default: i and tau are read, i is written)"},
    {0, "max-drawn", 0, "N", NUMBER, AT(max_drawn), DRAW,
     "an LTS with more states is minimised first, and refused if it still has more (default 60)"},
    {"Automata", "hoa", 0, "FILE", TEXT, AT(hoa), LTL,
     "an automaton in HOA format, or its extension for testing automata, instead of a formula"},
    {0, "negate", 0, NULL, FLAG, AT(negate), LTL, "the automata for the negation of the formula"},
    {0, "to", 0, "FORM", TARGET, AT(to), LTL,
     "what to write: 'summary' (default), 'hoa' (the Buchi automaton), 'states' (with labels on states), 'testing' "
     "(the testing automaton), 'dot' and 'testing-dot' (pictures), 'spin-never'"},
    {"Output", "output", 'o', "FILE", TEXT, AT(output), LTS, "write the LTS to FILE, or to standard output (-)"},
    {0, "output", 'o', "FILE", TEXT, AT(output), MINIMIZE, "write the LTS there, as .aut (default: standard output)"},
    {0, "output", 'o', "FILE", TEXT, AT(output), DRAW,
     "write the picture there: .svg, .png, .pdf, or .dot, which needs no Graphviz (default: .dot to standard output)"},
    {0, "output", 'o', "FILE", TEXT, AT(output), LTL,
     "write it there (default: standard output); with a name that ends with .svg, .png, .pdf or .dot, a picture of the "
     "Buchi automaton, or, with --to testing, of the testing automaton"},
    {0, "json", 0, "FILE", TEXT, AT(json), ALL | LTL, "write a JSON document to FILE, or to standard output alone (-)"},
    {0, "quiet", 'q', NULL, FLAG, AT(quiet), ALL, "no progress line"},
#undef AT
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static const struct {
    int status;
    const char *meaning;
} statuses[] = {
    {EXIT_HOLDS, "holds"},
    {EXIT_VIOLATED, "violated: a counterexample is shown"},
    {EXIT_BAD_INPUT, "wrong usage, or a mistake in the model"},
    {EXIT_INCONCLUSIVE, "inconclusive: a limit was reached, or the reduction does not justify an answer"},
    {EXIT_INTERNAL, "internal error"},
};
enum { STATUSES = sizeof statuses / sizeof statuses[0] };

/* ---- Parsing ---- */

static const struct command_row *find_command(const char *name) {
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}

static const struct option_row *find_option(const char *name, size_t length, unsigned command) {
    for (int i = 0; i < ROWS; i++)
        if (strlen(rows[i].name) == length && strncmp(rows[i].name, name, length) == 0 && (rows[i].commands & command))
            return &rows[i];
    return NULL;
}

static const struct option_row *find_letter(char letter, unsigned command) {
    for (int i = 0; i < ROWS; i++)
        if (rows[i].letter == letter && (rows[i].commands & command)) return &rows[i];
    return NULL;
}

static const char *command_name(enum command command) {
    for (int i = 0; i < COMMANDS; i++)
        if (commands[i].command == command) return commands[i].name;
    return "?";
}

static bool unknown_option(const char *arg, enum command command, struct problem *why) {
    const char *names[ROWS];
    size_t n = 0;
    for (int i = 0; i < ROWS; i++)
        if (rows[i].commands & command) names[n++] = rows[i].name;
    char *name = text_format("%.*s", (int)strcspn(arg + 2, "="), arg + 2);
    const char *near = text_nearest(name, names, n);
    problem_set(why, EXIT_BAD_INPUT, "onager %s has no option %s%s%s%s\nTry: onager %s --help", command_name(command),
                arg, near ? "; did you mean --" : "", near ? near : "", near ? "?" : "", command_name(command));
    free(name);
    return false;
}

/* NAME=VALUE. A parameter that is given again takes the last value. */
static bool add_parameter(struct options *o, char *text, struct problem *why) {
    char *equals = strchr(text, '=');
    int64_t value;
    if (equals) *equals = 0;
    if (!equals || !text_is_identifier(text))
        return problem_set(why, EXIT_BAD_INPUT, "-p %s%s%s: write -p NAME=VALUE, as in -p n=5", text, equals ? "=" : "",
                           equals ? equals + 1 : "");
    if (!text_to_int(equals + 1, INT_MIN, INT_MAX, &value))
        return problem_set(why, EXIT_BAD_INPUT, "-p %s=%s: the value must be a whole number from %d to %d", text,
                           equals + 1, INT_MIN, INT_MAX);
    for (size_t i = 0; i < o->parameter_count; i++)
        if (strcmp(o->parameters[i].name, text) == 0) return o->parameters[i].value = value, true;
    o->parameters = memory_resize(o->parameters, (o->parameter_count + 1) * sizeof *o->parameters);
    o->parameters[o->parameter_count++] = (struct ts_parameter){text, value};
    return true;
}

static bool unknown_relation(const char *option, const char *text, struct problem *why) {
    const char *near = relation_nearest(text);
    return problem_set(why, EXIT_BAD_INPUT, "--%s %s: there is no such relation%s%s%s\nThere are: %s", option, text,
                       near ? "; did you mean " : "", near ? near : "", near ? "?" : "", RELATION_NAMES);
}

static bool set(struct options *o, const struct option_row *row, char *text, struct problem *why) {
    void *target = (char *)o + row->offset;
    int64_t number;
    bool good = true;
    if (!text) return *(bool *)target = true; /* only flags have no value */
    switch (row->kind) {
    case FLAG: break;
    case TEXT: *(const char **)target = text; break;
    case PARAMETER: return add_parameter(o, text, why);
    case NUMBER:
        good = text_to_int(text, 1, INT64_MAX, &number);
        if (good) *(uint64_t *)target = (uint64_t)number;
        break;
    case SIZE: good = text_to_size(text, target) && *(uint64_t *)target > 0; break;
    case SECONDS: good = text_to_seconds(text, target) && *(double *)target > 0; break;
    case SCAN:
        *(bool *)target = strcmp(text, "forward") == 0;
        good = *(bool *)target || strcmp(text, "backward") == 0;
        break;
    case OVERFLOW: good = text_choice(text, "stop bitstate", target); break;
    case STORE: good = text_choice(text, "exact hash-compact bitstate", target); break;
    case ORDER: good = text_choice(text, "bfs dfs random", target); break;
    case TARGET: good = text_choice(text, "summary hoa states testing dot testing-dot spin-never", target); break;
    case RELATION:
        if (text_choice(text, RELATION_NAMES, target)) return true;
        return unknown_relation(row->name, text, why);
    case PRESERVE:
        good = text_choice(text, "all deadlocks traces fair-testing tree-failures", target);
        *(int *)target += good;
        break;
    case METHOD:
        good = text_choice(text, "esc cheapest deletion", target);
        *(int *)target += good;
        break;
    case ALGORITHM:
        good = text_choice(text, "nested cvwy tarjan one-pass levels", target);
        *(int *)target += good;
        break;
    case FAVOUR:
        good = text_choice(text, "first last", target);
        *(int *)target += good;
        break;
    }
    if (good) return true;
    static const char *const examples[] = {
        [NUMBER] = "a positive whole number",
        [SIZE] = "a size such as 500M or 2G",
        [SECONDS] = "a time such as 10s or 5m",
        [SCAN] = "'backward' or 'forward'",
        [OVERFLOW] = "'stop' or 'bitstate'",
        [STORE] = "'exact', 'hash-compact' or 'bitstate'",
        [ORDER] = "'bfs', 'dfs' or 'random'",
        [PRESERVE] = "'all', 'deadlocks', 'traces', 'fair-testing' or 'tree-failures'",
        [METHOD] = "'esc', 'cheapest' or 'deletion'",
        [ALGORITHM] = "'nested', 'cvwy', 'tarjan', 'one-pass' or 'levels'",
        [FAVOUR] = "'first' or 'last'",
        [TARGET] = "'summary', 'hoa', 'states', 'testing', 'dot', 'testing-dot' or 'spin-never'",
    };
    return problem_set(why, EXIT_BAD_INPUT, "--%s %s: it must be %s", row->name, text, examples[row->kind]);
}

/* One argument that begins with '-', and perhaps the next one. */
static bool parse_option(struct options *o, int argc, char **argv, int *i, struct problem *why) {
    char *arg = argv[*i], *value = NULL;
    const struct option_row *row;
    if (arg[1] == '-') {
        size_t length = strcspn(arg + 2, "=");
        row = find_option(arg + 2, length, o->command);
        if (arg[2 + length] == '=') value = arg + 3 + length;
    } else {
        row = find_letter(arg[1], o->command);
        if (row && arg[2]) value = arg + 2;
    }
    if (!row && arg[1] == '-') return unknown_option(arg, o->command, why);
    if (!row)
        return problem_set(why, EXIT_BAD_INPUT, "onager %s has no option %s\nTry: onager %s --help",
                           command_name(o->command), arg, command_name(o->command));
    if (!row->argument && value)
        return problem_set(why, EXIT_BAD_INPUT, "--%s takes no value, but was given '%s'", row->name, value);
    if (row->argument && !value) {
        if (*i + 1 >= argc)
            return problem_set(why, EXIT_BAD_INPUT, "--%s needs a value: --%s %s", row->name, row->name, row->argument);
        value = argv[++*i];
    }
    return set(o, row, value, why);
}

static bool parse_command(struct options *o, const char *name, struct problem *why) {
    const struct command_row *row = find_command(name);
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return o->command = COMMAND_HELP, true;
    if (strcmp(name, "--version") == 0) return o->command = COMMAND_VERSION, true;
    if (strcmp(name, "--man") == 0) return o->command = COMMAND_MAN, true;
    if (row) return o->command = row->command, true;
    const char *names[COMMANDS];
    for (int i = 0; i < COMMANDS; i++) names[i] = commands[i].name;
    const char *near = text_nearest(name, names, COMMANDS);
    size_t n = strlen(name);
    if (n > 2 && strcmp(name + n - 2, ".c") == 0)
        return problem_set(why, EXIT_BAD_INPUT, "say what to do with it: onager check %s", name);
    return problem_set(why, EXIT_BAD_INPUT, "onager has no command '%s'%s%s%s\nTry: onager --help", name,
                       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Where the JSON document goes is known before anything can be wrong with the other options. */
static void find_json(struct options *o, int argc, char **argv) {
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--json=-") == 0) o->json = "-";
        if (strcmp(argv[i], "--json") == 0 && i + 1 < argc) o->json = argv[i + 1];
    }
}

static bool wants_help(int argc, char **argv) {
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
    return false;
}

static bool complete_compare(const struct options *o, struct problem *why) {
    if (!o->model || !o->second)
        return problem_set(why, EXIT_BAD_INPUT, "onager compare needs two files: onager compare A.aut B.aut --eq REL");
    if (o->eq == RELATIONS && o->preorder == RELATIONS)
        return problem_set(why, EXIT_BAD_INPUT, "say how to compare them: --eq REL or --preorder REL, REL one of\n%s",
                           RELATION_NAMES);
    if (o->eq != RELATIONS && o->preorder != RELATIONS)
        return problem_set(why, EXIT_BAD_INPUT, "one question at a time: leave --eq or --preorder out");
    return true;
}

/* What does not go together with a formula, or needs one. */
static bool complete_formula(const struct options *o, struct problem *why) {
    bool given = o->ltl || o->assertion || o->automaton;
    const struct {
        bool with, without;
        const char *name;
    } rows_of[] = {
        {o->method != 0, false, "method"},
        {o->symmetry, false, "symmetry"},
        {o->checkpoint != NULL, false, "checkpoint"},
        {o->resume != NULL, false, "resume"},
        {o->certificate != NULL, false, "certificate"},
        {o->infinitely != NULL, false, "infinitely"},
        {o->termination, false, "termination"},
        {o->order == ORDER_RANDOM, false, "order random"},
        {false, o->algorithm != 0 && !o->tester, "algorithm"},
        {false, o->favour != 0 && !o->tester, "error"},
    };
    for (size_t i = 0; i < sizeof rows_of / sizeof rows_of[0]; i++) {
        if (given && rows_of[i].with)
            return problem_set(why, EXIT_BAD_INPUT, "%s are checked without --%s%s; leave it out",
                               o->automaton ? "automata" : "formulas", rows_of[i].name,
                               o->method     ? ": they choose stubborn sets in their own way"
                               : o->symmetry ? ": propositions may tell symmetric states apart"
                                             : "");
        if (!given && rows_of[i].without)
            return problem_set(
                why, EXIT_BAD_INPUT,
                "--%s is for formulas: give one with --ltl FORMULA or --assert NAME, or an automaton with "
                "--automaton FILE",
                rows_of[i].name);
    }
    if (o->automaton && (o->ltl || o->assertion))
        return problem_set(why, EXIT_BAD_INPUT, "a formula or an automaton, not both: leave --%s or --automaton out",
                           o->ltl ? "ltl" : "assert");
    return !o->ltl || !o->assertion ||
           problem_set(why, EXIT_BAD_INPUT, "one formula at a time: leave --ltl or --assert out");
}

/* Fairness without a formula is for must progress. */
static bool complete_fairness(const struct options *o, struct problem *why) {
    const char *fair = o->weak_fair     ? "weak-fair"
                       : o->strong_fair ? "strong-fair"
                       : o->fair_choice ? "fair-choice"
                                        : NULL;
    if (!fair || o->ltl || o->assertion || o->automaton) return true;
    if (o->tester)
        return problem_set(why, EXIT_BAD_INPUT,
                           "--%s is for formulas and must progress, and testers know no fairness; leave it out", fair);
    const struct {
        bool given;
        const char *name, *reason;
    } rows_of[] = {
        {o->stubborn, "stubborn", "fairness is about all that is enabled, and stubborn sets leave some of it out"},
        {o->symmetry, "symmetry", "fairness tells symmetric transitions apart"},
        {o->checkpoint != NULL, "checkpoint", "a search for fair executions cannot be saved"},
        {o->resume != NULL, "resume", "a search for fair executions cannot be saved"},
        {o->certificate != NULL, "certificate", "there are no certificates for must progress of fair executions"},
        {o->infinitely != NULL, "infinitely", "infinite occurrence is asked of all executions, fair or not"},
        {o->order == ORDER_RANDOM, "order random", "must progress needs the complete state space"},
        {o->store || o->overflow, o->store ? "store" : "overflow", "must progress needs an exact store"},
        {o->no_must_progress, "no-must-progress", "without a formula, fairness is for must progress"},
    };
    for (size_t i = 0; i < sizeof rows_of / sizeof rows_of[0]; i++)
        if (rows_of[i].given)
            return problem_set(why, EXIT_BAD_INPUT, "--%s does not go together with --%s: %s; leave one of them out",
                               fair, rows_of[i].name, rows_of[i].reason);
    return true;
}

static bool complete_tester(const struct options *o, struct problem *why) {
    const char *without = o->symmetry                ? "symmetry"
                          : o->method                ? "method"
                          : o->checkpoint            ? "checkpoint"
                          : o->resume                ? "resume"
                          : o->certificate           ? "certificate"
                          : o->infinitely            ? "infinitely"
                          : o->termination           ? "termination"
                          : o->order == ORDER_RANDOM ? "order random"
                          : o->ltl                   ? "ltl"
                          : o->assertion             ? "assert"
                          : o->automaton             ? "automaton"
                                                     : NULL;
    return !o->tester || !without ||
           problem_set(why, EXIT_BAD_INPUT, "testers are run without --%s; leave it out", without);
}

static bool complete_ltl(const struct options *o, struct problem *why) {
    if (!o->model == !o->hoa)
        return problem_set(why, EXIT_BAD_INPUT,
                           "onager ltl needs %s: onager ltl 'G(request -> F grant)', or onager ltl --hoa FILE",
                           o->model ? "either a formula or a file, not both" : "a formula");
    if (o->hoa && o->negate)
        return problem_set(why, EXIT_BAD_INPUT, "--negate is for formulas; automata of files cannot be negated");
    if (o->json && (o->to || picture_is(o->output)))
        return problem_set(why, EXIT_BAD_INPUT, "--json is for the summary: leave --to or --json out");
    return true;
}

static bool complete(const struct options *o, struct problem *why) {
    if (!complete_tester(o, why) || !complete_formula(o, why) || !complete_fairness(o, why)) return false;
    if (o->command == COMMAND_LTL) return complete_ltl(o, why);
    if (o->command == COMMAND_COMPARE) return complete_compare(o, why);
    if (!o->model)
        return problem_set(why, EXIT_BAD_INPUT, "onager %s needs %s\nTry: onager %s --help", command_name(o->command),
                           o->command & READERS ? "an LTS" : "a model", command_name(o->command));
    if (o->command == COMMAND_VERIFY && !o->file)
        return problem_set(why, EXIT_BAD_INPUT,
                           "onager verify needs a model and a certificate: onager verify %s CERTIFICATE", o->model);
    if (o->command == COMMAND_REPLAY && !o->trace)
        return problem_set(why, EXIT_BAD_INPUT, "onager replay needs a model and a trace: onager replay %s TRACE.json",
                           o->model);
    if (o->method && !o->stubborn && o->preserve < 2)
        return problem_set(why, EXIT_BAD_INPUT, "--method needs %s: which states may be left out?",
                           o->command == COMMAND_CHECK ? "--stubborn"
                                                       : "--preserve deadlocks, traces, fair-testing or tree-failures");
    if (o->every > 0 && !o->checkpoint && !o->resume)
        return problem_set(why, EXIT_BAD_INPUT, "--every needs --checkpoint DIR or --resume DIR: where to?");
    if (o->checkpoint && o->resume && strcmp(o->checkpoint, o->resume) != 0)
        return problem_set(why, EXIT_BAD_INPUT, "--resume %s goes on saving there; leave --checkpoint %s out",
                           o->resume, o->checkpoint);
    if ((o->checkpoint || o->resume) && (o->order != ORDER_BFS || o->store || o->overflow))
        return problem_set(why, EXIT_BAD_INPUT,
                           "only a breadth-first search with an exact store can be saved: leave %s out",
                           o->order != ORDER_BFS ? "--order"
                           : o->store            ? "--store"
                                                 : "--overflow");
    if (o->finitely && !o->infinitely)
        return problem_set(why, EXIT_BAD_INPUT,
                           "--finitely needs --infinitely: which transition occurs infinitely often?");
    if (o->hash_bits && (o->hash_bits < 16 || o->hash_bits > 63))
        return problem_set(why, EXIT_BAD_INPUT, "--hash-bits %llu: it must be from 16 to 63",
                           (unsigned long long)o->hash_bits);
    if (o->hash_bits && o->store != STORE_HASH_COMPACT)
        return problem_set(why, EXIT_BAD_INPUT, "--hash-bits needs --store hash-compact");
    if (o->hashes && o->store != STORE_BITSTATE && !o->overflow)
        return problem_set(why, EXIT_BAD_INPUT, "--hashes needs --store bitstate or --overflow bitstate");
    if (o->store && o->overflow)
        return problem_set(why, EXIT_BAD_INPUT, "--overflow is for an exact store: leave --store or --overflow out");
    if (o->order == ORDER_RANDOM && (o->store || o->overflow))
        return problem_set(why, EXIT_BAD_INPUT, "--order random has a store of its own: leave --%s out",
                           o->store ? "store" : "overflow");
    if (o->hashes > 8)
        return problem_set(why, EXIT_BAD_INPUT, "--hashes %llu: it must be from 1 to 8", (unsigned long long)o->hashes);
    if (o->infinitely && o->symmetry)
        return problem_set(why, EXIT_BAD_INPUT,
                           "--infinitely names one transition, and --symmetry confuses it with those of symmetric "
                           "processes; leave one of them out");
    if (o->order == ORDER_RANDOM && (o->infinitely || o->termination))
        return problem_set(why, EXIT_BAD_INPUT,
                           "--%s needs the complete state space, and --order random does not build it; leave one of "
                           "them out",
                           o->infinitely ? "infinitely" : "termination");
    bool to_standard_output = o->output ? strcmp(o->output, "-") == 0 : o->command & (MINIMIZE | DRAW);
    if (to_standard_output && o->json && strcmp(o->json, "-") == 0)
        return problem_set(why, EXIT_BAD_INPUT,
                           "--json - takes standard output, so the result must go elsewhere: -o FILE");
    if (o->threads > MOST_THREADS)
        return problem_set(why, EXIT_BAD_INPUT, "--threads %llu: at most %d are possible",
                           (unsigned long long)o->threads, MOST_THREADS);
    return true;
}

bool options_parse(struct options *o, int argc, char **argv, struct problem *why) {
    *o = (struct options){
        .endless = 5, .seed = 1, .outside = 100000, .eq = RELATIONS, .preorder = RELATIONS, .max_drawn = 60};
    if (argc < 2) return o->command = COMMAND_HELP, true;
    if (!parse_command(o, argv[1], why)) return false;
    if (o->command >= COMMAND_HELP) {
        const struct command_row *about = argc > 2 ? find_command(argv[2]) : NULL;
        if (about) o->about = about->command;
        return true;
    }
    if (wants_help(argc, argv)) {
        o->about = o->command;
        o->command = COMMAND_HELP;
        return true;
    }
    find_json(o, argc, argv);
    bool only_files = false;
    for (int i = 2; i < argc; i++) {
        if (!only_files && strcmp(argv[i], "--") == 0) {
            only_files = true;
        } else if (!only_files && argv[i][0] == '-' && argv[i][1]) {
            if (!parse_option(o, argc, argv, &i, why)) return false;
        } else if (!o->model) {
            o->model = argv[i];
        } else if (o->command == COMMAND_REPLAY && !o->trace) {
            o->trace = argv[i];
        } else if (o->command == COMMAND_VERIFY && !o->file) {
            o->file = argv[i];
        } else if (o->command == COMMAND_COMPARE && !o->second) {
            o->second = argv[i];
        } else {
            return problem_set(why, EXIT_BAD_INPUT, "one %s at a time: '%s' comes after '%s'",
                               o->command & READERS ? "LTS" : "model", argv[i], o->model);
        }
    }
    o->threads_given = o->threads > 0;
    if (!o->threads_given) o->threads = team_cores() < MOST_THREADS ? team_cores() : MOST_THREADS;
    return complete(o, why);
}

void options_fini(struct options *o) { free(o->parameters); }

/* ---- Help ---- */

/* Text that is broken into lines of at most 80 columns, indented by `indent`; the cursor is at `column`. */
static void wrap(const char *text, int indent, int column, FILE *out) {
    for (bool first = true; *text; first = false) {
        size_t n = strcspn(text, " ");
        if (!first && column + 1 + (int)n > 80) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', out);
            column++;
        }
        fwrite(text, 1, n, out);
        column += (int)n;
        text += n + (text[n] == ' ');
    }
    fputc('\n', out);
}

static void show_option(const struct option_row *row, FILE *out) {
    char head[64];
    int n = row->letter ? snprintf(head, sizeof head, "  -%c, --%s", row->letter, row->name)
                        : snprintf(head, sizeof head, "      --%s", row->name);
    if (row->argument) n += snprintf(head + n, sizeof head - (size_t)n, " %s", row->argument);
    if (n < 27) fprintf(out, "%-28s", head);
    else fprintf(out, "%s\n%28s", head, "");
    wrap(row->help, 28, 28, out);
}

static void help_command(const struct command_row *c, FILE *out) {
    fprintf(out, "Usage: onager %s %s\n\n", c->name, c->arguments);
    wrap(c->summary, 0, 0, out);
    const char *group = NULL, *shown = NULL;
    for (int i = 0; i < ROWS; i++) {
        if (rows[i].group) group = rows[i].group;
        if (!(rows[i].commands & c->command)) continue;
        if (group != shown) fprintf(out, "\n%s:\n", group);
        shown = group;
        show_option(&rows[i], out);
    }
    fprintf(out, "\nExit status:\n");
    for (int i = 0; i < STATUSES; i++) wrap(statuses[i].meaning, 5, fprintf(out, "  %d  ", statuses[i].status), out);
}

void options_help(enum command about, FILE *out) {
    for (int i = 0; i < COMMANDS; i++)
        if (commands[i].command == about) {
            help_command(&commands[i], out);
            return;
        }
    fprintf(out, "onager %s: checks models of concurrent systems\n\nUsage:\n", ONAGER_VERSION);
    for (int i = 0; i < COMMANDS; i++) {
        fprintf(out, "  onager %s %s\n          ", commands[i].name, commands[i].arguments);
        wrap(commands[i].summary, 10, 10, out);
    }
    fprintf(out,
            "  onager COMMAND --help\n  onager --version\n\nFirst steps:  onager check examples/token_ring.c -p n=5\n");
}

/* ---- The manual page ---- */

static void roff(const char *text, FILE *out) {
    if (*text == '.' || *text == '\'') fputs("\\&", out); /* else it would be a request */
    for (; *text; text++)
        if (*text == '-') fputs("\\-", out);
        else if (*text == '\\') fputs("\\e", out);
        else fputc(*text, out);
}

static void man_options(unsigned command, FILE *out) {
    for (int i = 0; i < ROWS; i++) {
        if (!(rows[i].commands & command)) continue;
        fputs(".TP\n", out);
        if (rows[i].letter) fprintf(out, "\\fB\\-%c\\fR, ", rows[i].letter);
        fputs("\\fB\\-\\-", out);
        roff(rows[i].name, out);
        fputs("\\fR", out);
        if (rows[i].argument) fprintf(out, " \\fI%s\\fR", rows[i].argument);
        fputc('\n', out);
        roff(rows[i].help, out);
        fputs(".\n", out);
    }
}

void options_man(FILE *out) {
    fprintf(out, ".TH ONAGER 1 \"\" \"onager %s\" \"User Commands\"\n.SH NAME\n", ONAGER_VERSION);
    fputs("onager \\- checks models of concurrent systems\n.SH SYNOPSIS\n", out);
    for (int i = 0; i < COMMANDS; i++) {
        fprintf(out, ".B onager %s\n.I ", commands[i].name);
        roff(commands[i].arguments, out);
        fputs("\n.br\n", out);
    }
    fputs(".SH DESCRIPTION\n"
          "A model is a C file that declares the variables of a state and a function that fires transitions. Onager "
          "compiles it, builds its state space, and answers whether a bad state can be reached, whether the system can "
          "stop where it must not, and whether it can lose the ability to make progress. Stubborn sets and symmetry "
          "keep the state space small. A violation is shown as an execution.\n"
          ".SH COMMANDS\n",
          out);
    for (int i = 0; i < COMMANDS; i++) {
        fprintf(out, ".SS onager %s\n", commands[i].name);
        roff(commands[i].summary, out);
        fputs(".\n", out);
        man_options(commands[i].command, out);
    }
    fputs(".SH EXIT STATUS\n", out);
    for (int i = 0; i < STATUSES; i++) {
        fprintf(out, ".TP\n\\fB%d\\fR\n", statuses[i].status);
        roff(statuses[i].meaning, out);
        fputc('\n', out);
    }
    fputs(".SH ENVIRONMENT\n"
          ".TP\n\\fBONAGER_CC\\fR\nthe C compiler for models\n"
          ".TP\n\\fBONAGER_CFLAGS\\fR\nfurther flags for it, separated by spaces\n"
          ".TP\n\\fBONAGER_INCLUDE\\fR\nthe folder of onager.h\n"
          ".TP\n\\fBXDG_CACHE_HOME\\fR\ncompiled models are kept in its folder onager (default: ~/.cache)\n"
          ".TP\n\\fBTMPDIR\\fR\nthe folder for the file that holds the states in the order of their finding (default: "
          "/var/tmp)\n"
          ".TP\n\\fBNO_COLOR\\fR\nno colours on terminals\n"
          ".SH EXAMPLES\n.nf\n"
          "onager check examples/token_ring.c \\-p n=8 \\-\\-stubborn \\-\\-symmetry\n"
          "onager check examples/peterson.c \\-p n=2 \\-p variant=1\n"
          "onager audit examples/token_ring.c \\-p n=3\n"
          ".fi\n",
          out);
}
