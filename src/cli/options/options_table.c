#include "cli/options/options_table.h"

#include <string.h>

#include "base/text.h"

const struct command_row command_table[] = {
    {COMMAND_CHECK, "check", "MODEL [option]...", "build the state space and check the model"},
    {COMMAND_RUN, "run", "MODEL [option]...",
     "show a typical execution: the lowest-numbered enabled transition first, to a cycle or a terminal state"},
    {COMMAND_AUDIT, "audit", "MODEL [option]...",
     "test the obligations of a model against conditions D1 and D2, and its symmetry map"},
    {COMMAND_SIMULATE, "simulate", "MODEL [option]...",
     "walk through a model step by step, in both directions; reads commands (help lists them) from a terminal or a "
     "pipe"},
    {COMMAND_REPLAY, "replay", "MODEL TRACE.json [option]...", "replay the execution that check --json wrote"},
    {COMMAND_VERIFY, "verify", "MODEL CERTIFICATE [option]...",
     "confirm, state by state, the certificate that check --certificate wrote; parameters that are not given with "
     "-p are taken from the certificate, and shown"},
    {COMMAND_STUBBORN, "stubborn", "MODEL [--state N | --after T,U,...] [option]...",
     "show the stubborn set of a state, the obligations that led to it, and which condition required each of them"},
    {COMMAND_FACTS, "facts", "MODEL [option]...",
     "show what is proved of a C model without a search: what its transitions read and write, when they are enabled, "
     "which do not accord, and what can never be"},
    {COMMAND_LTS, "lts", "MODEL [option]...",
     "build the labelled transition system of a model with actions, full or reduced, and write it to a file"},
    {COMMAND_COMPARE, "compare", "A B --eq REL | A B --preorder REL | A --passes TEST [option]...",
     "decide whether two LTSs are equivalent, whether the first is below the second, or whether an LTS passes a "
     "test"},
    {COMMAND_INFO, "info", "LTS [option]...",
     "show what an LTS has: states, edges, labels, deadlocks, invisible cycles, bottom components"},
    {COMMAND_MINIMIZE, "minimize", "LTS [option]...", "replace an LTS by a smaller equivalent one"},
    {COMMAND_DRAW, "draw", "LTS [option]...", "draw an LTS; Graphviz makes the picture"},
    {COMMAND_TESTER, "tester", "SPEC --preorder REL [option]...",
     "turn a specification into a tester: a process in FSP that check --tester runs in parallel with a model, to "
     "decide whether the model is below the specification"},
    {COMMAND_LTL, "ltl", "'FORMULA' | FILE.hoa [option]...",
     "show the Buchi automaton and the testing automaton of a formula of linear temporal logic, convert automata, "
     "or compare the sequences that two of them accept"},
    {0},
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
    STUBBORN = COMMAND_STUBBORN,
    FACTS = COMMAND_FACTS,
    TESTER = COMMAND_TESTER,
    SIMULATE = COMMAND_SIMULATE,
    READERS = COMMANDS_OF_LTSS,
    ALL = CHECK | RUN | SIMULATE | AUDIT | REPLAY | VERIFY | LTS | STUBBORN | FACTS | READERS,
};

static const char checks[] = "Checks";

#define PROPERTY_TAKES_OFF TAKES_NOTHING
#define PROPERTY_TAKES_ON TAKES_NOTHING
#define PROPERTY_TAKES_HOW TAKES_NOTHING
#define PROPERTY_TAKES_ASK TAKES_ONE_TEXT
#define PROPERTY_TAKES_OF TAKES_ONE_TEXT

#define AT(member) offsetof(struct options, member)
#define PROPERTY_OPTION(use, id, member, name, argument, help)                                                         \
    {checks, name, 0, argument, PROPERTY_TAKES_##use, AT(member), CHECK, help},

const struct option_row option_table[] = {
    {"Model", "param", 'p', "NAME=VALUE", TAKES_PARAMETER, 0, ALL,
     "set a parameter of the model; may be repeated for others. In ASSET's language, NAME is a macro, and =VALUE may "
     "be left out"},
    {0, "process", 0, "NAME", TAKES_ONE_TEXT, AT(process), ALL,
     "FSP: the process to look at (default: the composite process whose name comes first in the alphabet)"},
    {0, "process2", 0, "NAME", TAKES_ONE_TEXT, AT(process2), COMPARE,
     "FSP: the process of the second file (default: as --process)"},
    {0, "fast", 0, NULL, TAKES_NOTHING, AT(fast), CHECK, "leave out the slow checks of the model's code"},
    {0, "strict", 0, NULL, TAKES_NOTHING, AT(strict), CHECK | AUDIT | LTS,
     "watch the model's code in every expansion, not only in a sample: values that do not fit, indices and "
     "pointers that leave their variable. Slow"},
    {0, "tables", 0, "WHEN", TAKES_TABLES, AT(tables), CHECK,
     "look successors up in tables where a transition depends on few variables: 'auto' (default: after 262144 states), "
     "'always' (an error or a note says where that is impossible) or 'never'. The result is the same"},
    {0, "model-timeout", 0, "TIME", TAKES_SECONDS, AT(endless), ALL,
     "a call of model code that takes more processor time than this is an error, an endless loop (default 5s)"},
    {0, "cc", 0, "PROGRAM", TAKES_TEXT, AT(compiler), ALL,

     "the C compiler (default: $ONAGER_CC, cc, gcc or clang); in ASSET's language, g++ (default: $ONAGER_CXX or g++)"},
    {0, "no-cache", 0, NULL, TAKES_NOTHING, AT(no_cache), ALL,
     "compile the model even if a compiled one is in the cache, and do not keep the result"},
    {"Reductions", "stubborn", 0, NULL, TAKES_NOTHING, AT(stubborn), CHECK,
     "fire only the transitions of a stubborn set"},
    {0, "rules", 0, "WHICH", TAKES_RULES, AT(rules), CHECK | LTS,
     "C models: which rules stubborn sets are made of: 'written' ones, the obligations of the model, ones that are "
     "'derived' "
     "from its code, or, in each state, those of 'both' that leave more out (default: 'auto', written ones if there "
     "are any)"},
    {0, "reduce", 0, "WHEN", TAKES_REDUCE, AT(reduce), CHECK,
     "'auto': use stubborn sets, of derived rules, if they preserve all that is checked and a sample of states shows "
     "that they pay; the report says what was chosen, and why (default: 'no', only with --stubborn)"},
    {0, "symmetry", 0, NULL, TAKES_NOTHING, AT(symmetry), CHECK, "replace every state by its symmetry representative"},
    {0, "swaps", 0, NULL, TAKES_NOTHING, AT(swaps), CHECK,
     "with --symmetry: show executions of representatives, and mark the states that the map has changed (default: "
     "executions of the model itself)"},
    {0, "no-audit", 0, NULL, TAKES_NOTHING, AT(no_audit), CHECK | LTS | READERS,
     "with --stubborn, --symmetry or --preserve: trust the obligations and the symmetry map of a C "
     "model (default: they are audited on a sample of the states)"},
    {0, "scan", 0, "ORDER", TAKES_SCAN, AT(forward), CHECK | LTS | STUBBORN | READERS,
     "the order in which transitions, or starting points of stubborn sets, are tried: 'backward' (default) or "
     "'forward'"},
    {0, "preserve", 0, "WHAT", TAKES_PRESERVE, AT(preserve), LTS | READERS,
     "what the LTS must have in common with the full one: 'all' (default: it is the full one), 'deadlocks', "
     "'deadlock-traces' (deadlocks, and the traces that lead to each), 'traces', 'fair-testing' or 'tree-failures'"},
    {0, "preserve", 0, "WHAT", TAKES_PRESERVE, AT(preserve), STUBBORN,
     "processes: what the sets preserve: 'deadlocks', 'deadlock-traces', 'traces', 'fair-testing' or 'tree-failures' "
     "(default: deadlocks and safety, as check --stubborn does)"},
    {0, "method", 0, "HOW", TAKES_METHOD, AT(method), CHECK | LTS | STUBBORN | READERS,
     "processes: how to find stubborn sets: 'esc' (default): the first enabled strong component of the obligations; "
     "'cheapest': the smallest such component; 'deletion': leave out transitions until none can be left out"},
    {"State", "state", 0, "N", TAKES_ONE_TEXT, AT(state), STUBBORN,
     "the state with number N, from 0, in the order in which check --stubborn, or lts --preserve, finds states; "
     "from 'traces' on, what condition SV required there is shown, too (default: the initial state)"},
    {0, "after", 0, "T,U,...", TAKES_ONE_TEXT, AT(after), STUBBORN,
     "the state after these transitions (numbers or names), one after the other, from the initial state"},
    {0, "clsr", 0, "A,B,...", TAKES_ONE_TEXT, AT(clsr), STUBBORN,
     "also show the closure of these actions, or transitions of a C model: all that they oblige, directly or "
     "indirectly"},
    {0, "all", 0, NULL, TAKES_NOTHING, AT(all), STUBBORN,
     "show the obligations of all actions (default: those of the set, and of the way to it)"},
    {"Search", "order", 0, "ORDER", TAKES_ORDER, AT(order), CHECK,
     "'bfs' (default): breadth-first; counterexamples are shortest. 'dfs': depth-first; decides on the fly whether "
     "the model is always may-terminating. 'random': random walks and searches, for models that are too big; stops "
     "at --time, at another limit or at Ctrl-C; may find errors, but proves nothing"},
    {0, "engine", 0, "ENGINE", TAKES_ENGINE, AT(engine), CHECK,
     "how states are kept: 'explicit' (default): one by one; 'symbolic': C models as decision diagrams, made of what "
     "is proved "
     "of the model (onager facts). The answer and the counterexample are the same; there is no depth. Where something "
     "is not known of the model's code, the answer is inconclusive, and says why"},
    {0, "threads", 0, "N", TAKES_NUMBER, AT(threads), CHECK | AUDIT | LTS | STUBBORN | READERS,
     "use N threads (default: one per processor). The result is the same for every N, except when a limit is reached, "
     "and with --store bitstate and --order random. Formulas, automata and testers: N > 1 chooses an --algorithm that "
     "uses threads (graph or levels); the verdict is the same as with one thread, the counts and the execution may "
     "differ. A note says where only one thread can be used"},
    {0, "seed", 0, "N", TAKES_NUMBER, AT(seed), CHECK | SIMULATE,
     "seed of the random numbers of --order random, and of onager simulate (default 1)"},
    {0, "depth", 0, "N", TAKES_NUMBER, AT(depth), CHECK,
     "--order random: longest execution, in steps (default: about a million)"},
    PROPERTY_OPTIONS(PROPERTY_OPTION){
        "Formulas", "ltl", 0, "FORMULA", TAKES_ONE_TEXT, AT(ltl), CHECK,
        "check that every execution satisfies a formula of linear temporal logic, such as 'G(request -> F grant)', and "
        "nothing else; its propositions are those of the model, or, in FSP, actions and fluents"},
    {0, "assert", 0, "NAME", TAKES_ONE_TEXT, AT(assertion), CHECK, "FSP: check the formula that the file calls NAME"},
    {0, "automaton", 0, "FILE", TAKES_ONE_TEXT, AT(automaton), CHECK,
     "check only that the automaton in FILE (HOA, Buchi or testing) accepts no execution; an execution that ends "
     "is accepted by deadlock acceptance"},
    {0, "tester", 0, "NAME", TAKES_ONE_TEXT, AT(tester), CHECK,
     "run a tester process in parallel with the model, and check only for what it finds illegal: a process of the "
     "model's FSP file, FILE.fsp:NAME, or FILE.hoa"},
    {0, "refines", 0, "SPEC", TAKES_ONE_TEXT, AT(refines), CHECK,
     "check that the model is below a specification, in the preorder that --preorder names. SPEC is a process of "
     "the model's FSP file, FILE.fsp:NAME or FILE.aut. It becomes a tester, which runs in parallel with the model; "
     "the LTS of the model is not built"},
    {0, "preorder", 0, "REL", TAKES_ONE_TEXT, AT(below), CHECK,
     "with --refines: trace, stable-failures, csp-stable-failures, cffd, ndfd or failures-divergences, as in onager "
     "compare"},
    {0, "algorithm", 0, "HOW", TAKES_ALGORITHM, AT(algorithm), CHECK,
     "on the fly: 'nested': nested depth-first search; 'cvwy': the same without early ends; 'tarjan': strong "
     "components; 'one-pass': one search for livelocks with a testing automaton, in the order of --order. By all "
     "threads: 'levels': the whole product, breadth-first, then strong components; 'graph': the graph of the model, "
     "then the product on its numbers, for formulas about states. Default: one-pass or tarjan for 65536 states, then "
     "graph where it is possible; with --threads N, N > 1: graph, or levels"},
    {0, "shortest", 0, NULL, TAKES_NOTHING, AT(shortest), CHECK,
     "formulas, automata and progress: show an execution with a shortest cycle, and of those one with a shortest way "
     "to it (in steps of model and automaton together); executions that need no cycle come first. This looks at all "
     "states and all cycles, and may take much longer"},
    {0, "error", 0, "WHEN", TAKES_FAVOUR, AT(favour), CHECK,
     "depth-first searches: try accepting transitions of the automaton 'first' or 'last' (default: in the order of "
     "the automaton)"},
    {0, "weak-fair", 0, "SET,...", TAKES_ONE_TEXT, AT(weak_fair), CHECK,
     "formulas, automata and must progress: consider only executions that are weakly fair to each set of "
     "transitions: a set that stays enabled for ever occurs infinitely often. A set is written T+U+...: numbers, "
     "or names in which * stands for anything; 'all': each transition; 'processes' (FSP): what each process takes "
     "part in"},
    {0, "strong-fair", 0, "SET,...", TAKES_ONE_TEXT, AT(strong_fair), CHECK,
     "the same, strongly fair: a set that is enabled infinitely often occurs infinitely often"},
    {0, "fair-choice", 0, NULL, TAKES_NOTHING, AT(fair_choice), CHECK,
     "consider only executions that take, in each state that they visit infinitely often, every transition that is "
     "enabled there infinitely often"},
    {"States", "store", 0, "KIND", TAKES_STORE, AT(store), CHECK,
     "keep the states found 'exact' (default), or inexactly in less memory: 'hash-compact', or 'bitstate', which "
     "takes what --max-memory allows, or 128M"},
    {0, "hash-bits", 0, "N", TAKES_NUMBER, AT(hash_bits), CHECK,
     "with --store hash-compact: bits of the hash of a state, 16 to 63 (default 56)"},
    {0, "hashes", 0, "N", TAKES_NUMBER, AT(hashes), CHECK,
     "with --store bitstate: bits for each state, 1 to 8 (default 3; 2 is double bitstate)"},
    {0, "overflow", 0, "WHAT", TAKES_OVERFLOW, AT(overflow), CHECK,
     "when the memory is full: 'stop' (default), or go on inexactly with 'bitstate'"},
    {"Limits", "max-states", 0, "N", TAKES_NUMBER, AT(max_states), CHECK | AUDIT | LTS | STUBBORN | READERS,
     "stop after this many states"},
    {0, "max-memory", 0, "SIZE", TAKES_SIZE, AT(max_memory), CHECK | AUDIT | LTS | STUBBORN | READERS,
     "stop at this much memory, such as 500M or 2G (default: 90 % of what is available)"},
    {0, "time", 0, "TIME", TAKES_SECONDS, AT(time), CHECK | AUDIT | LTS | STUBBORN | READERS,
     "stop after this time, such as 10s, 5m or 1h (default: never; onager audit: 20s after the state space is "
     "built)"},
    {0, "samples", 0, "N", TAKES_NUMBER, AT(samples), AUDIT, "audit N states, evenly spread, instead of all"},
    {"Long runs", "checkpoint", 0, "DIR", TAKES_TEXT, AT(checkpoint), CHECK,
     "save the search in folder DIR at intervals; --resume DIR continues it after a crash or an interruption"},
    {0, "every", 0, "TIME", TAKES_SECONDS, AT(every), CHECK,
     "time between two checkpoints (default 10m); longer if saving is slow: at least nine times what the last save "
     "took"},
    {0, "resume", 0, "DIR", TAKES_TEXT, AT(resume), CHECK,
     "continue the search that is saved in DIR, and keep saving it there; its limits may differ from before"},
    {"Certificates", "certificate", 0, "FILE", TAKES_TEXT, AT(certificate), CHECK,
     "if the checks hold, write to FILE what 'onager verify' needs to confirm it without a search"},
    {0, "outside", 0, "N", TAKES_NUMBER, AT(outside), VERIFY,
     "follow transitions outside a stubborn set to at most N states (default 100000)"},
    {"LTSs", "eq", 0, "REL", TAKES_RELATION, AT(eq), MINIMIZE,
     "the equivalence of result and original (default branching-div); REL as for onager compare. strong, "
     "branching, branching-div, weak, weak-div, ready-simulation and simulation give the least LTS there is; trace "
     "and strong-trace the least deterministic one; weak-simulation and taustar the least one without invisible "
     "edges; the others a smaller one that need not be the least"},
    {0, "eq", 0, "REL", TAKES_RELATION, AT(eq), COMPARE,
     "decide whether they are equivalent. REL is one of strong, branching, branching-div, weak, weak-div, taustar "
     "(bisimilarities); coupled-simulation, ready-simulation, simulation, weak-simulation; trace, "
     "ordinary-failures, stable-failures, csp-stable-failures, cffd, ndfd, failures-divergences; tree-failures, "
     "fair-testing; strong-trace, strong-failures (where tau is a label like others). Names of mCRL2 and CADP are "
     "understood, too, but 'trace' is their weak-trace"},
    {0, "preorder", 0, "REL", TAKES_RELATION, AT(preorder), COMPARE,
     "decide whether the first is below the second: each of its behaviours is one of the second. REL as above, but "
     "not branching, branching-div and weak-div; strong means simulation, weak and taustar mean weak-simulation"},
    {0, "stability", 0, NULL, TAKES_NOTHING, AT(stability), COMPARE | MINIMIZE,
     "also compare initial stability: whether an invisible step is possible at the start (with --preorder: a "
     "stable second needs a stable first). Then failures and tests are congruences for choice"},
    {0, "preorder", 0, "REL", TAKES_ONE_TEXT, AT(below), TESTER,
     "the preorder that the tester decides: trace, stable-failures, csp-stable-failures, cffd, ndfd or "
     "failures-divergences"},
    {0, "alphabet", 0, "A,B,...", TAKES_ONE_TEXT, AT(alphabet), TESTER,
     "more labels that the tester sees, which the specification cannot do (default: only those of the specification)"},
    {0, "alphabet", 0, "A,B,...", TAKES_ONE_TEXT, AT(alphabet), COMPARE,
     "only these labels may occur (default: those of both)"},
    {0, "test", 0, "FILE.aut", TAKES_TEXT, AT(test), COMPARE,
     "fair-testing: if they differ, write a test that tells them apart"},
    {0, "no-witness", 0, NULL, TAKES_NOTHING, AT(no_witness), COMPARE,
     "decide only whether they differ: do not search for a formula, trace or test that tells them apart"},
    {0, "passes", 0, "TEST", TAKES_ONE_TEXT, AT(passes), COMPARE,
     "decide whether A passes a test (fair testing): from each state of the two in parallel, success must be "
     "reachable. TEST is FILE.fsp:NAME, FILE.aut, or a process of A's FSP file"},
    {0, "success", 0, "NAME", TAKES_ONE_TEXT, AT(success), COMPARE,
     "--passes: the label that means success in the test (default: success)"},
    {0, "tau", 0, "NAME,...", TAKES_TEXT, AT(tau), LTS | READERS,
     "how files spell the invisible action; the first NAME is written (default: .aut: i and tau are read, and what was "
     "read is written, or i; .fsm: tau; .lts has another way)"},
    {0, "hide", 0, "A,B*,...", TAKES_ONE_TEXT, AT(hide), LTS | READERS,
     "make these actions invisible; * stands for anything, unless the name is in quotes"},
    {0, "show", 0, "A,B*,...", TAKES_ONE_TEXT, AT(show), LTS | READERS, "make all other actions invisible"},
    {0, "rename", 0, "A=B,...", TAKES_ONE_TEXT, AT(rename), LTS | READERS,
     "give actions other names; A*=B* keeps what * stands for"},
    {0, "from", 0, "FORMAT", TAKES_FORMAT, AT(from), LTS | READERS,
     "the format of standard input (-), or of a file whose name does not tell it: 'aut' (default), 'fsm' or 'lts' "
     "(of mCRL2)"},
    {0, "to", 0, "FORMAT", TAKES_WRITTEN_FORMAT, AT(format), LTS | MINIMIZE,
     "the format of standard output, or of a file whose name does not tell it: 'aut' (default), 'fsm', 'lts' "
     "(of mCRL2) or 'dot'"},
    {0, "max-drawn", 0, "N", TAKES_NUMBER, AT(max_drawn), DRAW,
     "an LTS with more states is minimised first, and refused if it still has more (default 60)"},
    {"Automata", "hoa", 0, "FILE", TAKES_ONE_TEXT, AT(hoa), LTL,
     "an automaton in HOA format, or its extension for testing automata, instead of a formula; a FILE whose name ends "
     "with .hoa needs no --hoa"},
    {0, "negate", 0, NULL, TAKES_NOTHING, AT(negate), LTL, "the automata for the negation of the formula"},
    {0, "equals", 0, "B", TAKES_ONE_TEXT, AT(equals), LTL,
     "decide whether B, a formula or a FILE.hoa, accepts the same sequences; if not, show one that tells them "
     "apart. Finite sequences count if one of the two is an automaton and both say which of these they accept"},
    {0, "no-finite", 0, NULL, TAKES_NOTHING, AT(no_finite), LTL,
     "remove finite acceptance: express it by infinite, deadlock and livelock acceptance"},
    {0, "infinite-only", 0, NULL, TAKES_NOTHING, AT(infinite_only), LTL,
     "ignore finite sequences: no deadlock acceptance, and more states of a testing automaton may get finite "
     "acceptance"},
    {0, "no-simplify", 0, NULL, TAKES_NOTHING, AT(no_simplify), LTL,
     "do not make automata smaller: show what a file has, and what the conversions alone make of it"},
    {0, "to", 0, "FORM", TAKES_TARGET, AT(to), LTL,
     "what to write: 'summary' (default), 'hoa' (the Buchi automaton), 'states' (with labels on states), 'testing' "
     "(the testing automaton), 'unfolded' (the same, where each state has one valuation), 'dot' and 'testing-dot' "
     "(pictures), 'spin-never'"},
    {"Output", "output", 'o', "FILE", TAKES_TEXT, AT(output), LTS,
     "write the LTS to FILE: .aut, .fsm or .lts (of mCRL2), also with .gz or .zst after it, or .dot; or to standard "
     "output (-)"},
    {0, "output", 'o', "FILE", TAKES_TEXT, AT(output), MINIMIZE,
     "write the LTS to FILE: .aut, .fsm or .lts (of mCRL2), also with .gz or .zst after it, or .dot (default: "
     "standard output, as .aut)"},
    {0, "output", 'o', "FILE", TAKES_TEXT, AT(output), TESTER,
     "write the tester to FILE, as .fsp (default: standard output)"},
    {0, "output", 'o', "FILE", TAKES_TEXT, AT(output), DRAW,
     "write the picture to FILE: .svg, .png, .pdf, or .dot, which needs no Graphviz (default: .dot to standard "
     "output)"},
    {0, "output", 'o', "FILE", TAKES_TEXT, AT(output), STUBBORN,
     "write a picture of the obligations to FILE: .svg, .png, .pdf, or .dot, which needs no Graphviz"},
    {0, "output", 'o', "FILE", TAKES_TEXT, AT(output), LTL,
     "write to FILE (default: standard output); with a name that ends with .svg, .png, .pdf or .dot, a picture of "
     "the Buchi automaton, or, with --to testing, of the testing automaton"},
    {0, "trace", 0, "FORM", TAKES_FORM, AT(form), CHECK | RUN | AUDIT | REPLAY | SIMULATE,
     "how an execution is shown: 'steps' (default): number, step, what changed; 'states': one state a line, as the "
     "model "
     "prints it (default of models in ASSET's language); 'full': steps with the whole state; 'lanes': a column for "
     "each process; 'by-process': what each process does, and what it waits for at the end; 'chart': a sequence chart"},
    {0, "trace-file", 0, "FILE", TAKES_TEXT, AT(trace_file), CHECK | RUN | REPLAY,
     "also write the execution to FILE: .svg or .mmd (a sequence chart; the second for Mermaid), .html (a page that "
     "plays it) or .json (for onager replay)"},
    {0, "coverage", 0, NULL, TAKES_NOTHING, AT(coverage), CHECK,
     "of a complete search, also show how often each transition fires, variables that never change, values that are "
     "never taken, and propositions that never hold"},
    {0, "html", 0, "FILE", TAKES_TEXT, AT(html), CHECK,
     "also write the answer as a page, with the execution if there is one, and the coverage with --coverage; it loads "
     "nothing from anywhere"},
    {0, "json", 0, "FILE", TAKES_TEXT, AT(json), ALL | LTL,
     "write a JSON document to FILE, or to standard output alone (-)"},
    {0, "quiet", 'q', NULL, TAKES_NOTHING, AT(quiet), ALL, "no progress line"},
    {0},
};

const struct property_option property_options[] = {
#define PROPERTY_OPTION_USE(use, id, member, name, ...) {USE_##use, PROP_##id, name, AT(member)},
    PROPERTY_OPTIONS(PROPERTY_OPTION_USE){0},
};

const struct status_row status_table[] = {
    {EXIT_HOLDS, "holds"},
    {EXIT_VIOLATED, "violated: a counterexample is shown"},
    {EXIT_BAD_INPUT, "wrong usage, a mistake in the model, or an output that cannot be written"},
    {EXIT_INCONCLUSIVE,
     "inconclusive: a limit was reached, it was interrupted, or the reduction does not justify an answer"},
    {EXIT_INTERNAL, "internal error"},
    {0},
};

bool property_option_given(const struct property_option *row, const struct options *o) {
    const void *member = (const char *)o + row->offset;
    bool text = row->use == USE_ASK || row->use == USE_OF;
    return text ? *(const char *const *)member != NULL : *(const bool *)member;
}

const struct command_row *command_find(const char *name) {
    for (const struct command_row *row = command_table; row->name; row++)
        if (strcmp(row->name, name) == 0) return row;
    return NULL;
}

const char *command_name(enum command command) {
    for (const struct command_row *row = command_table; row->name; row++)
        if (row->command == command) return row->name;
    return "?";
}

const char *command_nearest(const char *typo) {
    const char *names[sizeof command_table / sizeof command_table[0]];
    size_t n = 0;
    for (const struct command_row *row = command_table; row->name; row++) names[n++] = row->name;
    return text_nearest(typo, names, n);
}

const struct option_row *option_find(const char *name, size_t length, enum command command) {
    for (const struct option_row *row = option_table; row->name; row++)
        if (strlen(row->name) == length && strncmp(row->name, name, length) == 0 && (row->commands & command))
            return row;
    return NULL;
}

const struct option_row *option_find_letter(char letter, enum command command) {
    for (const struct option_row *row = option_table; row->name; row++)
        if (row->letter == letter && (row->commands & command)) return row;
    return NULL;
}

const char *option_nearest(const char *typo, enum command command) {
    const char *names[sizeof option_table / sizeof option_table[0]];
    size_t n = 0;
    for (const struct option_row *row = option_table; row->name; row++)
        if (row->commands & command) names[n++] = row->name;
    return text_nearest(typo, names, n);
}
