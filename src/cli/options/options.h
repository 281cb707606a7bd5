/* options.h: the command line.
 *
 * One table of commands and one of options (options_table.h) feed the parser, --help and the manual page. A line is
 * understood in three steps: which rows are meant (options.c), what their values say (options_value.h), and whether the
 * whole makes sense (options_conflicts.h).
 */
#ifndef CLI_OPTIONS_OPTIONS_H
#define CLI_OPTIONS_OPTIONS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/problem.h"
#include "model/c/c_compile.h"
#include "lts/mcrl2/mcrl2.h"
#include "lts/renaming.h"
#include "lts/relation.h"
#include "lts/tau_names.h"
#include "check/check.h"
#include "prop/list.h"

enum command {
    COMMAND_NONE = 0,
    COMMAND_CHECK = 1,
    COMMAND_RUN = 2,
    COMMAND_AUDIT = 4,
    COMMAND_REPLAY = 8,
    COMMAND_VERIFY = 16,
    COMMAND_LTS = 32,
    COMMAND_LTL = 64,
    COMMAND_MINIMIZE = 128,
    COMMAND_DRAW = 256,
    COMMAND_COMPARE = 512,
    COMMAND_INFO = 1024,
    COMMAND_TESTER = 2048,
    COMMAND_STUBBORN = 4096,
    COMMAND_FACTS = 8192,
    COMMAND_SIMULATE = 16384,
    COMMAND_HELP = 1 << 16, /* what is to be shown is in `about`; these are the last */
    COMMAND_VERSION = 1 << 17,
    COMMAND_MAN = 1 << 18,
    COMMAND_COMPLETION = 1 << 19, /* `model` is the shell */
};

enum { MOST_THREADS = 1024 };

enum { OPTION_RULES_AUTO, OPTION_RULES_WRITTEN, OPTION_RULES_DERIVED, OPTION_RULES_BOTH };

struct options {
    double began; /* by clock_seconds: when the command line was understood */
    enum command command;
    enum command about;
    const char *model;
    const char *process; /* of an FSP file; NULL: the default one */
    const char *trace;   /* replay */
    int form;            /* 0: not given; else 1 + enum trace_form */
    bool coverage;
    const char *html;        /* where a page is to be written, or NULL */
    const char *trace_file;  /* where the execution is to be written, or NULL */
    const char *certificate; /* check: to be written, or NULL */
    const char *file;        /* verify: to be read */
    uint64_t outside;        /* verify: how many states beside a stubborn set are looked at */
    struct ts_parameter *parameters;
    size_t parameter_count;
    bool foreign_parameters; /* not an option: what is opened stands beside a model, whose parameters these may be */
    bool stubborn, symmetry, swaps, no_audit;
    int forward;  /* 0: backward; 1: forward */
    int preserve; /* lts: 0 or 1: all; then deadlocks, deadlock-traces, traces, fair-testing, tree-failures */
    int rules;    /* OPTION_RULES_... */
    int reduce;   /* 1: auto */
    int method;   /* 0: not given; else 1 + enum reduce_method */
    enum order order;
    enum state_engine engine;
    /* What prop/list.h says: bool or const char *. */
#define PROPERTY_MEMBER(use, id, member, ...) PROPERTY_MEMBER_##use(member)
#define PROPERTY_MEMBER_OFF(member) bool member;
#define PROPERTY_MEMBER_ON(member) bool member;
#define PROPERTY_MEMBER_HOW(member) bool member;
#define PROPERTY_MEMBER_ASK(member) const char *member;
#define PROPERTY_MEMBER_OF(member) const char *member;
    PROPERTY_OPTIONS(PROPERTY_MEMBER)
    bool shortest;               /* check: of cycles, a shortest one */
    const char *tester;          /* NAME, FILE.fsp:NAME or FILE.hoa; NULL: none */
    const char *refines;         /* NAME, FILE.fsp:NAME or FILE.aut: a specification; NULL: none */
    const char *below;           /* ... in which preorder: as canonical_tester.h names them */
    const char *ltl, *assertion; /* a formula; the name of one that the model states; NULL: none */
    const char *automaton;       /* a file whose automaton accepts errors; or NULL */
    int algorithm;               /* enum ltl_algorithm */
    int favour;                  /* enum favour */
    bool fair_choice;
    const char *weak_fair, *strong_fair; /* sets of transitions, or NULL */
    bool fast, strict, no_cache, quiet;
    int tables; /* enum c_tables */
    const char *compiler;
    uint64_t max_states, max_memory, samples, hash_bits, hashes;
    int store;        /* enum store_kind */
    int overflow;     /* 0: stop, 1: bitstate */
    uint64_t threads; /* default: as many as there are processors */
    bool threads_given;
    uint64_t seed, depth; /* 0, until all is parsed: not given */
    double time, endless;
    const char *checkpoint, *resume;          /* folders, or NULL */
    double every;                             /* seconds between checkpoints; 0: not given */
    const char *second;                       /* compare: the other LTS */
    const char *process2;                     /* compare: what to look at there; NULL: as in the first */
    const char *alphabet;                     /* compare: labels that may occur; NULL: any */
    const char *passes, *success;             /* compare: a test, and how it tells success; NULL: not given */
    const char *test;                         /* compare: where a test is to be written, or NULL */
    bool no_witness;                          /* compare */
    bool stability;                           /* compare, minimize: the initial one counts, too */
    const char *json;                         /* NULL: none; "-": standard output */
    int eq, preorder;                         /* enum lts_relation; RELATIONS: not given */
    const char *output;                       /* of LTSs and pictures; NULL: not given */
    const char *tau;                          /* how files spell the invisible action; NULL: as usual */
    const char *hide, *show, *rename;         /* lists of labels, or NULL */
    int from, format;                         /* enum file_kind: where no name tells it; FILE_UNKNOWN: not given */
    struct relabelling *relabelling;          /* what --hide, --show and --rename say */
    struct mcrl2_kept *mcrl2_kept;            /* of those files; not an option */
    struct tau_met *tau_met;                  /* in the files that were read; not an option */
    uint64_t max_drawn;                       /* states of a picture */
    int to;                                   /* ltl: 0: not given; else what is written */
    const char *hoa;                          /* ltl: a file instead of a formula; or NULL */
    bool negate;                              /* ltl */
    const char *state, *after;                /* stubborn: a number; transitions with commas between; NULL: not given */
    const char *clsr;                         /* stubborn: actions with commas between, or NULL */
    bool all;                                 /* stubborn: the obligations of all actions */
    const char *equals;                       /* ltl: a formula or a file to compare with; or NULL */
    bool no_finite, infinite_only;            /* ltl: what automata are to accept by */
    bool no_simplify;                         /* ltl */
    const volatile sig_atomic_t *interrupted; /* set when the user has asked for an end; not an option */
};

/* False: the problem says what is wrong and what to do. */
bool options_parse(struct options *o, int argc, char **argv, struct problem *why);
void options_fini(struct options *o);

/* What the tables say, for people (options_help.c). COMMAND_NONE: about all commands. */
void options_help(enum command about, FILE *out);
void options_man(FILE *out); /* the manual page, in roff */
/* What a shell, bash, zsh or fish, is to complete (options_completion.c). False: it is none of them. */
bool options_completion(const char *shell, FILE *out);

#endif
