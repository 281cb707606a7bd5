/* The command line: every option, every kind of mistake. */
#include "unit.h"

#include "base/text.h"
#include "cli/options/options.h"
#include "cli/options/options_table.h"
#include "cli/threads_note.h"

enum { MOST = 40 };

/* Splits a line at spaces; \x7f stands for a space inside an argument. */
static int split(char *line, char **argv) {
    int n = 0;
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) {
        for (char *p = word; *p; p++)
            if (*p == 0x7f) *p = ' ';
        argv[n++] = word;
    }
    return n;
}

/* Parses "onager " + line; the words stay in `line`. */
static bool parse(struct options *o, struct problem *why, char *line) {
    char *argv[MOST] = {(char *)(uintptr_t) "onager"};
    *why = (struct problem){0};
    int n = split(line, argv + 1);
    return options_parse(o, n + 1, argv, why);
}

#define PARSED(o, line)                                                                                                \
    char words_[] = line;                                                                                              \
    struct options o;                                                                                                  \
    struct problem why_;                                                                                               \
    assert_true(parse(&o, &why_, words_));

/* ---- What is accepted ---- */

static void commands(void **unused) {
    static const struct {
        const char *line;
        enum command command, about;
    } rows[] = {
        {"", COMMAND_HELP, COMMAND_NONE},
        {"--help", COMMAND_HELP, COMMAND_NONE},
        {"-h", COMMAND_HELP, COMMAND_NONE},
        {"help", COMMAND_HELP, COMMAND_NONE},
        {"help check", COMMAND_HELP, COMMAND_CHECK},
        {"help replay", COMMAND_HELP, COMMAND_REPLAY},
        {"--help audit", COMMAND_HELP, COMMAND_AUDIT},
        {"--version", COMMAND_VERSION, COMMAND_NONE},
        {"--man", COMMAND_MAN, COMMAND_NONE},
        {"check m.c", COMMAND_CHECK, COMMAND_NONE},
        {"run m.c", COMMAND_RUN, COMMAND_NONE},
        {"audit m.c", COMMAND_AUDIT, COMMAND_NONE},
        {"replay m.c t.json", COMMAND_REPLAY, COMMAND_NONE},
        {"verify m.c certificate", COMMAND_VERIFY, COMMAND_NONE},
        {"help verify", COMMAND_HELP, COMMAND_VERIFY},
        {"check --help", COMMAND_HELP, COMMAND_CHECK},
        {"check m.c -h", COMMAND_HELP, COMMAND_CHECK},
        {"run --nonsense --help", COMMAND_HELP, COMMAND_RUN},
        {"audit --help", COMMAND_HELP, COMMAND_AUDIT},
        {"replay --help", COMMAND_HELP, COMMAND_REPLAY},
    };
    (void)unused;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char line[100];
        struct options o;
        struct problem why;
        snprintf(line, sizeof line, "%s", rows[i].line);
        print_message("onager %s\n", line);
        assert_true(parse(&o, &why, line));
        assert_int_equal(o.command, rows[i].command);
        assert_int_equal(o.about, rows[i].about);
        assert_int_equal(why.status, 0);
        options_fini(&o);
    }
}

static void flags(void **unused) {
    static const struct {
        const char *option;
        size_t offset;
    } rows[] = {
        {"--stubborn", offsetof(struct options, stubborn)},
        {"--symmetry", offsetof(struct options, symmetry)},
        {"--symmetry --swaps", offsetof(struct options, swaps)},
        {"--symmetry --no-audit", offsetof(struct options, no_audit)},
        {"--no-check-state", offsetof(struct options, no_check_state)},
        {"--no-check-deadlock", offsetof(struct options, no_check_deadlock)},
        {"--no-may-progress", offsetof(struct options, no_may_progress)},
        {"--no-must-progress", offsetof(struct options, no_must_progress)},
        {"--no-termination", offsetof(struct options, no_termination)},
        {"--termination", offsetof(struct options, termination)},
        {"--terminal-not-may", offsetof(struct options, terminal_not_may)},
        {"--terminal-not-must", offsetof(struct options, terminal_not_must)},
        {"--fast", offsetof(struct options, fast)},
        {"--no-cache", offsetof(struct options, no_cache)},
        {"--quiet", offsetof(struct options, quiet)},
        {"-q", offsetof(struct options, quiet)},
    };
    (void)unused;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int before = 0; before < 2; before++) {
            char line[100];
            struct options o;
            struct problem why;
            snprintf(line, sizeof line, before ? "check %s m.c" : "check m.c %s", rows[i].option);
            assert_true(parse(&o, &why, line));
            assert_string_equal(o.model, "m.c");
            for (size_t k = 0; k < COUNT(rows); k++) {
                bool asked = strncmp(rows[i].option, rows[k].option, strlen(rows[k].option)) == 0;
                assert_int_equal(*((const bool *)&o + rows[k].offset), asked || rows[k].offset == rows[i].offset);
            }
            options_fini(&o);
        }
}

static void values(void **unused) {
    (void)unused;
    PARSED(o, "check m.c -p n=5 -pk=-7 --param x=0x10 --scan forward --max-states 1000000000000 "
              "--max-memory=1.5G --time 2m --model-timeout 500ms --json - --cc /usr/bin/gcc --infinitely go\x7f"
              "1")
    assert_int_equal(o.parameter_count, 3);
    assert_string_equal(o.parameters[0].name, "n");
    assert_int_equal(o.parameters[0].value, 5);
    assert_string_equal(o.parameters[1].name, "k");
    assert_int_equal(o.parameters[1].value, -7);
    assert_string_equal(o.parameters[2].name, "x");
    assert_int_equal(o.parameters[2].value, 16);
    assert_true(o.forward);
    assert_int_equal(o.max_states, UINT64_C(1000000000000));
    assert_int_equal(o.max_memory, UINT64_C(3) << 29);
    assert_true(o.time == 120);
    assert_true(o.endless == 0.5);
    assert_string_equal(o.json, "-");
    assert_string_equal(o.compiler, "/usr/bin/gcc");
    assert_string_equal(o.infinitely, "go 1");
    options_fini(&o);
}

static void defaults(void **unused) {
    (void)unused;
    PARSED(o, "check m.c")
    assert_true(o.endless == 5 && o.time == 0 && o.max_states == 0 && o.max_memory == 0 && o.samples == 0);
    assert_true(o.order == ORDER_BFS && o.threads > 0 && o.seed == 1 && o.depth == 0);
    assert_true(!o.checkpoint && !o.resume && !o.certificate && o.every == 0 && o.outside == 100000);
    assert_true(!o.forward && !o.json && !o.compiler && !o.infinitely && !o.finitely && o.parameter_count == 0);
    options_fini(&o);
}

static void more_values(void **unused) {
    (void)unused;
    {
        PARSED(o, "audit m.c --samples 50 --time 1h --max-states 7 --max-memory 1T -p a=1")
        assert_int_equal(o.samples, 50);
        assert_true(o.time == 3600);
        options_fini(&o);
    }
    {
        PARSED(o, "check --order dfs m.c")
        assert_int_equal(o.order, ORDER_DFS);
        options_fini(&o);
    }
    {
        PARSED(o, "check --order=bfs m.c")
        assert_int_equal(o.order, ORDER_BFS);
        options_fini(&o);
    }
    {
        PARSED(o, "check --scan=backward --infinitely 0 --finitely 1,2,go\x7fnorth m.c")
        assert_false(o.forward);
        assert_string_equal(o.infinitely, "0");
        assert_string_equal(o.finitely, "1,2,go north");
        options_fini(&o);
    }
    {
        PARSED(o, "check m.c --order random --threads 7 --seed=12345678901 --depth 99")
        assert_true(o.order == ORDER_RANDOM && o.threads == 7 && o.seed == UINT64_C(12345678901) && o.depth == 99);
        options_fini(&o);
    }
    {
        PARSED(o, "check m.c --order bfs")
        assert_int_equal(o.order, ORDER_BFS);
        options_fini(&o);
    }
    {
        PARSED(o, "replay --json out.json m.c t.json -p n=2")
        assert_string_equal(o.model, "m.c");
        assert_string_equal(o.trace, "t.json");
        assert_string_equal(o.json, "out.json");
        options_fini(&o);
    }
    {
        PARSED(o, "check m.c --checkpoint dir --every 30s --resume dir --certificate why")
        assert_string_equal(o.checkpoint, "dir");
        assert_string_equal(o.resume, "dir");
        assert_string_equal(o.certificate, "why");
        assert_true(o.every == 30);
        options_fini(&o);
    }
    {
        PARSED(o, "verify m.c why --outside 7 -p n=2")
        assert_string_equal(o.model, "m.c");
        assert_string_equal(o.file, "why");
        assert_int_equal(o.outside, 7);
        options_fini(&o);
    }
    {
        PARSED(o, "check -- -x.c")
        assert_string_equal(o.model, "-x.c");
        options_fini(&o);
    }
    {
        PARSED(o, "replay -- -x.c --t.json")
        assert_string_equal(o.model, "-x.c");
        assert_string_equal(o.trace, "--t.json");
        options_fini(&o);
    }
}

/* ---- What is refused, and what is said ---- */

static void mistakes(void **unused) {
    static const struct {
        const char *line, *message[4]; /* parts of the message */
    } rows[] = {
        {"chekc m.c", {"no command 'chekc'", "did you mean 'check'?", "onager --help"}},
        {"chek", {"did you mean 'check'?"}},
        {"rn m.c", {"did you mean 'run'?"}},
        {"adit m.c", {"did you mean 'audit'?"}},
        {"xyzzy m.c", {"no command 'xyzzy'", "onager --help"}},
        {"m.c", {"onager check m.c"}},
        {"--stubborn m.c", {"no command '--stubborn'"}},
        {"check", {"needs a model", "onager check --help"}},
        {"run", {"onager run needs a model"}},
        {"audit -p n=2", {"onager audit needs a model"}},
        {"replay", {"needs a model"}},
        {"replay m.c", {"needs a model and a trace", "onager replay m.c TRACE.json"}},
        {"verify", {"needs a model"}},
        {"verify m.c", {"needs a model and a certificate", "onager verify m.c CERTIFICATE"}},
        {"verify m.c one two", {"'two'"}},
        {"check m.c --certificate -", {"--certificate '-'", "must be the name of a file"}},
        {"check m.c --certificate=", {"--certificate ''", "must be the name of a file"}},
        {"check m.c --certificate c --order random", {"--certificate", "--order random: random search proves nothing"}},
        {"check m.c --store bitstate --certificate c", {"--certificate", "--store: ", "only an exact store"}},
        {"check m.c --store hash-compact --certificate c", {"--certificate", "--store: ", "only an exact store"}},
        {"check m.c --store exact --order dfs --overflow bitstate --certificate c", {NULL}},
        {"check m.c --checkpoint a --resume b", {"--resume b", "leave --checkpoint a out"}},
        {"check m.c --checkpoint a --order dfs", {"breadth-first", "leave --order out"}},
        {"check m.c --resume a --store bitstate", {"exact store", "leave --store out"}},
        {"check m.c --resume a --overflow bitstate", {"exact store", "leave --overflow out"}},
        {"check m.c --store hash-compact --hash-bits 64", {"--hash-bits 64", "16 to 63"}},
        {"check m.c --hash-bits 40", {"--hash-bits needs --store hash-compact"}},
        {"check m.c --store bitstate --hash-bits 40", {"--hash-bits needs --store hash-compact"}},
        {"check m.c --hashes 2", {"--hashes needs --store bitstate"}},
        {"check m.c --store hash-compact --overflow bitstate", {"leave --store or --overflow out"}},
        {"check m.c --order random --store bitstate", {"--order random", "leave --store out"}},
        {"check m.c --overflow bitstate --order random", {"--order random", "leave --overflow out"}},
        {"check m.c --store bitstate --hashes 9", {"--hashes 9", "1 to 8"}},
        {"check m.c --store hash-compact --termination", {"--termination needs", "--store hash-compact may leave"}},
        {"check m.c --infinitely 1 --store bitstate", {"--infinitely needs", "--store bitstate may leave"}},
        {"check m.c --store bitstate --order dfs --infinitely 1", {"--infinitely needs"}},
        {"check m.c --store some", {"--store some", "'exact', 'hash-compact' or 'bitstate'"}},
        {"check m.c --overflow", {"--overflow needs a value"}},
        {"check m.c --overflow go", {"--overflow go", "'stop' or 'bitstate'"}},
        {"check m.c --every 5m", {"--every needs --checkpoint DIR or --resume DIR"}},
        {"check m.c --checkpoint d --every soon", {"--every soon: it must be a time"}},
        {"check a.c b.c", {"one model at a time", "'b.c'", "'a.c'"}},
        {"replay a.c t.json u.json", {"'u.json'"}},
        {"check m.c --stuborn", {"no option --stuborn", "did you mean --stubborn?", "onager check --help"}},
        {"check m.c --symetry", {"did you mean --symmetry?"}},
        {"check m.c --max-stats 5", {"did you mean --max-states?"}},
        {"check m.c --max-stats=5", {"did you mean --max-states?"}},
        {"check m.c --xyzzy", {"no option --xyzzy", "onager check --help"}},
        {"check m.c -x", {"no option -x", "onager check --help"}},
        {"check m.c --", {NULL}},
        {"check --", {"needs a model"}},
        {"run m.c --stubborn", {"onager run has no option --stubborn"}},
        {"audit m.c --fast", {"onager audit has no option --fast"}},
        {"check m.c --samples 5", {"onager check has no option --samples"}},
        {"check m.c -p", {"--param needs a value", "NAME=VALUE"}},
        {"check m.c --json", {"--json needs a value", "--json FILE"}},
        {"check m.c --time", {"--time needs a value"}},
        {"check m.c --stubborn=yes", {"--stubborn takes no value", "'yes'"}},
        {"check m.c -p n", {"-p n", "-p NAME=VALUE"}},
        {"check m.fsp -p n", {"-p n", "-p NAME=VALUE"}},
        {"check m.asset -p n -p n", {"-p n is given twice, as 1 and as 1"}},
        {"check m.asset -p 2", {"-p 2", "-p NAME=VALUE"}},
        {"check m.c -p =5", {"-p NAME=VALUE"}},
        {"check m.c -p 2n=5", {"-p NAME=VALUE"}},
        {"check m.c -p n-1=5", {"-p NAME=VALUE"}},
        {"check m.c -p n=", {"-p n=", "whole number"}},
        {"check m.c -p n=x", {"-p n=x", "whole number"}},
        {"check m.c -p n=1.5", {"-p n=1.5", "whole number"}},
        {"check m.c -p n=2147483648", {"-p n=2147483648", "2147483647"}},
        {"check m.c -p n=99999999999999999999", {"whole number"}},
        {"check m.c --max-states 0", {"--max-states 0", "positive whole number"}},
        {"check m.c --max-states -5", {"--max-states -5", "positive whole number"}},
        {"check m.c --max-states many", {"--max-states many"}},
        {"check m.c --max-states 1e6", {"--max-states 1e6"}},
        {"check m.c --max-memory lots", {"--max-memory lots", "500M or 2G"}},
        {"check m.c --max-memory 0", {"--max-memory 0"}},
        {"check m.c --max-memory 5X", {"--max-memory 5X"}},
        {"check m.c --time soon", {"--time soon", "10s or 5m"}},
        {"check m.c --time 0", {"--time 0"}},
        {"check m.c --time -1s", {"--time -1s"}},
        {"check m.c --model-timeout x", {"--model-timeout x"}},
        {"check m.c --scan sideways", {"--scan sideways", "'backward' or 'forward'"}},
        {"check m.c --order any", {"--order any", "'bfs', 'dfs' or 'random'"}},
        {"check m.c --threads 0", {"--threads 0"}},
        {"check m.c --threads 5000", {"--threads 5000", "at most"}},
        {"check m.c --seed x", {"--seed x"}},
        {"check m.c --depth 0", {"--depth 0"}},
        {"check m.c --seed 3", {"--seed needs --order random"}},
        {"check m.c --seed 1 --order dfs", {"--seed needs --order random"}},
        {"check m.c --depth 3", {"--depth needs --order random"}},
        {"check m.c --order random --termination", {"--termination", "--order random"}},
        {"check m.c --infinitely 1 --order random", {"--infinitely", "--order random"}},
        {"check m.c --finitely 1", {"--finitely needs --infinitely"}},
        {"check m.c --infinitely 1 --symmetry", {"--infinitely", "--symmetry"}},
        {"check m.c --swaps", {"--swaps", "--symmetry"}},
        {"check m.c --no-audit", {"--no-audit", "--stubborn"}},
    };
    (void)unused;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char line[100];
        struct options o;
        struct problem why;
        snprintf(line, sizeof line, "%s", rows[i].line);
        bool good = parse(&o, &why, line);
        print_message("onager %s\n    %s\n", rows[i].line, good ? "(fine)" : why.text);
        assert_int_equal(good, rows[i].message[0] == NULL);
        assert_int_equal(why.status, good ? EXIT_HOLDS : EXIT_BAD_INPUT);
        for (size_t k = 0; k < 4 && rows[i].message[k]; k++) assert_non_null(strstr(why.text, rows[i].message[k]));
        options_fini(&o);
        problem_fini(&why);
    }
}

/* What each kind takes, twice; those that take one of several words take any that are told apart. */
static const char *const samples[][2] = {
    [TAKES_NOTHING] = {NULL, NULL},
    [TAKES_TEXT] = {"a", "b"},
    [TAKES_ONE_TEXT] = {"a", "b"},
    [TAKES_PARAMETER] = {"x=1", "y=2"},
    [TAKES_NUMBER] = {"1", "2"},
    [TAKES_SIZE] = {"1G", "2G"},
    [TAKES_SECONDS] = {"1s", "2s"},
    [TAKES_SCAN] = {"forward", "backward"},
    [TAKES_STORE] = {"exact", "exact"},
    [TAKES_OVERFLOW] = {"stop", "stop"},
    [TAKES_ORDER] = {"bfs", "bfs"},
    [TAKES_ENGINE] = {"explicit", "symbolic"},
    [TAKES_RELATION] = {"weak", "weak"},
    [TAKES_PRESERVE] = {"all", "all"},
    [TAKES_METHOD] = {"esc", "esc"},
    [TAKES_TABLES] = {"auto", "auto"},
    [TAKES_RULES] = {"auto", "auto"},
    [TAKES_REDUCE] = {"auto", "auto"},
    [TAKES_TARGET] = {"hoa", "hoa"},
    [TAKES_ALGORITHM] = {"levels", "levels"},
    [TAKES_FAVOUR] = {"first", "last"},
    [TAKES_FORM] = {"steps", "lanes"},
    [TAKES_FORMAT] = {"aut", "fsm"},
    [TAKES_WRITTEN_FORMAT] = {"aut", "dot"},
};

/* Spelt one way or another: as a word, with '=', or by its letter. */
static int spell(const struct option_row *row, int way, const char *value, char **argv, int n, char *room) {
    if (way == 1 && value) sprintf(room, "--%s=%s", row->name, value);
    else if (way == 2 && row->letter) sprintf(room, "-%c%s", row->letter, value ? value : "");
    else sprintf(room, "--%s", row->name);
    argv[n++] = room;
    if (value && (way == 0 || (way == 2 && !row->letter))) argv[n++] = strcpy(room + 100, value);
    return n;
}

/* Every option of every command, given twice: refused by name, but for parameters. */
static void given_twice(void **unused) {
    uint32_t tried = 0;
    (void)unused;
    for (const struct option_row *row = option_table; row->name; row++)
        for (unsigned command = 1; command <= row->commands; command *= 2)
            for (int ways = 0; ways < 9 && (row->commands & command); ways++) {
                char name[20], model[] = "m", rooms[2][200], *argv[MOST] = {name, name, model};
                struct options o;
                struct problem why = {0};
                snprintf(name, sizeof name, "%s", command_name((enum command)command));
                assert_true((size_t)row->kind < COUNT(samples));
                assert_true(!row->argument == !samples[row->kind][0]);
                int n = spell(row, ways % 3, samples[row->kind][0], argv, 3, rooms[0]);
                n = spell(row, ways / 3, samples[row->kind][1], argv, n, rooms[1]);
                bool good = options_parse(&o, n, argv, &why);
                char *says = text_format("--%s is given twice", row->name);
                bool said = why.text && strstr(why.text, says);
                if (row->kind == TAKES_PARAMETER ? said : good || !said)
                    fail_msg("%s %s, %d: %s", name, row->name, ways, why.text ? why.text : "accepted");
                free(says);
                options_fini(&o);
                problem_fini(&why);
                tried++;
            }
    assert_true(tried > 1000);
}

static void unused_threads(void **unused) {
    static const struct {
        const char *line, *reason;
    } rows[] = {
        {"check m.c --order dfs", NULL},
        {"check m.c --order dfs --threads 1", NULL},
        {"check m.c --threads 4", NULL},
        {"check m.c --threads 4 --order random", NULL},
        {"check m.c --threads 4 --store bitstate", NULL},
        {"check m.c --threads 4 --ltl p", NULL},
        {"check m.c --threads 4 --ltl p --algorithm levels", NULL},
        {"check m.c --threads 4 --order dfs", "--order dfs"},
        {"check m.c --threads 4 --order dfs --ltl p", "--order dfs"},
        {"check m.c --threads 4 --ltl p --fair-choice", NULL},
        {"check m.c --threads 4 --ltl p --fair-choice --algorithm tarjan", "--algorithm"},
        {"check m.c --threads 4 --ltl p --algorithm tarjan", "--algorithm"},
        {"check m.c --threads 4 --tester p --algorithm one-pass", "--algorithm"},
        {"check m.c --threads 4 --automaton p --store bitstate", "--store"},
        {"check m.c --threads 4 --ltl p --overflow bitstate", "--overflow"},
        {"lts m.fsp --threads 4 -o a.aut", NULL},
        {"minimize m.fsp --threads 4", NULL},
        {"minimize m.aut --threads 4", "an LTS is read by one"},
        {"compare a.aut b.aut --eq weak --threads 4", "an LTS is read by one"},
        {"compare a.aut b.fsp --eq weak --threads 4", NULL},
    };
    (void)unused;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char line[100];
        struct options o;
        struct problem why;
        snprintf(line, sizeof line, "%s", rows[i].line);
        assert_true(parse(&o, &why, line));
        const char *reason = threads_unused(&o);
        if (!rows[i].reason != !reason || (reason && !strstr(reason, rows[i].reason)))
            fail_msg("%s: %s", rows[i].line, reason ? reason : "nothing");
        options_fini(&o);
    }
}

static void nonsense(void **unused) {
    static const char *const words[] = {"check",  "run",  "audit",   "replay",   "m.c",          "t.json", "-p",
                                        "n=5",    "--",   "-",       "--json",   "-q",           "--p",    "--=",
                                        "-=",     "=",    "--scan",  "--time",   "--infinitely", "10s",    "-pn",
                                        "--help", "1",    "--json=", "--param",  "-p=",          "-pn=",   "\x7f",
                                        "-\x7f",  "--cc", "help",    "--version"};
    (void)unused;
    random_start(1);
    for (int i = 0; i < 20000; i++) {
        char line[200] = "";
        struct options o;
        struct problem why;
        for (uint32_t k = random_below(8); k > 0; k--) {
            strcat(line, words[random_below(COUNT(words))]);
            strcat(line, " ");
        }
        bool good = parse(&o, &why, line);
        assert_int_equal(good, why.status == EXIT_HOLDS);
        if (!good) assert_true(why.text && strlen(why.text) > 10);
        options_fini(&o);
        problem_fini(&why);
    }
}

/* ---- Help and manual page ---- */

static char *written(void (*write)(FILE *out)) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    write(out);
    fclose(out);
    return text;
}

static void help_all(FILE *out) { options_help(COMMAND_NONE, out); }
static void help_check(FILE *out) { options_help(COMMAND_CHECK, out); }
static void help_audit(FILE *out) { options_help(COMMAND_AUDIT, out); }
static void help_run(FILE *out) { options_help(COMMAND_RUN, out); }
static void help_replay(FILE *out) { options_help(COMMAND_REPLAY, out); }

static void help(void **unused) {
    static void (*const pages[])(FILE *) = {help_all, help_check, help_audit, help_run, help_replay};
    (void)unused;
    for (size_t i = 0; i < COUNT(pages); i++) {
        char *text = written(pages[i]);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) assert_in_range(strlen(line), 0, 80);
        free(text);
    }
    char *text = written(help_check);
    assert_non_null(strstr(text, "-p, --param NAME=VALUE"));
    assert_non_null(strstr(text, "--stubborn"));
    assert_non_null(strstr(text, "Exit status"));
    assert_null(strstr(text, "--samples"));
    free(text);
    text = written(help_audit);
    assert_non_null(strstr(text, "--samples N"));
    assert_null(strstr(text, "--stubborn"));
    free(text);
    text = written(help_all);
    assert_non_null(strstr(text, "onager check MODEL "));
    assert_non_null(strstr(text, "onager replay MODEL TRACE.json"));
    free(text);
}

static void manual(void **unused) {
    char *text = written(options_man);
    (void)unused;
    assert_int_equal(strncmp(text, ".TH ONAGER 1", 12), 0);
    static const char *const parts[] = {".SH NAME",           ".SH SYNOPSIS", "\\-\\-stubborn",
                                        "\\-\\-max\\-memory", "\\fB\\-p\\fR", "onager replay",
                                        ".SH EXIT STATUS",    "NO_COLOR",     "XDG_CACHE_HOME"};
    for (size_t i = 0; i < COUNT(parts); i++) assert_non_null(strstr(text, parts[i]));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands),    cmocka_unit_test(flags),          cmocka_unit_test(values),
        cmocka_unit_test(defaults),    cmocka_unit_test(more_values),    cmocka_unit_test(mistakes),
        cmocka_unit_test(nonsense),    cmocka_unit_test(help),           cmocka_unit_test(manual),
        cmocka_unit_test(given_twice), cmocka_unit_test(unused_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
