/* fsp.h: processes written in FSP, the notation of Magee and Kramer's book and of their analyser LTSA.
 *
 * doc/FSP.md describes the language as it is understood here. A file is read once; then any of its processes can be
 * made into a network of LTSs. A composite process is taken apart into its components as far as that changes nothing;
 * what cannot be (priority inside, minimal, deterministic or property before a composite, a relabelling that makes two
 * labels of a named composite one) is composed into one LTS first.
 *
 * Components whose first state is END count as having none, as in LTSA: they are stuck from the start.
 */
#ifndef FSP_FSP_H
#define FSP_FSP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/problem.h"
#include "base/effort.h"
#include "lts/tester.h"
#include "net/network.h"
#include "ts/ts.h"

struct fsp_file;

/* What a file may ask for. Beyond it there is a problem with a message. */
struct fsp_limits {
    uint32_t process_states;  /* of one primitive process while it is made */
    uint32_t composed_states; /* of a composite that must be composed before it can be used */
    uint64_t edges;           /* of one component */
    uint32_t labels;          /* of one set, and of one label with indices */
    uint32_t components;
    uint64_t steps;        /* of evaluation, for all of a target, */
    uint64_t memory;       /* and bytes for values on the way */
    bool no_imports;       /* other files are not read */
    struct effort *effort; /* time, and whether somebody wants it to end; NULL: no limits */
};
extern const struct fsp_limits fsp_limits_default;

/* NULL: `why` says what is wrong. An override replaces the value of a constant, or, if there is none of that name, of a
 * parameter of the target; they are copied. */
struct fsp_file *fsp_read(const char *path, const struct ts_parameter *overrides, uint32_t count, struct problem *why);
/* The same, and all that is made of the file later, while the effort is not over; the file does not own it. */
struct fsp_file *fsp_read_within(const char *path, const struct ts_parameter *overrides, uint32_t count,
                                 struct effort *effort, struct problem *why);
/* The same for a text that is in memory; `path` is for messages and for the folder of imported files. NULL limits: the
 * usual ones. */
struct fsp_file *fsp_read_text(const char *path, const char *text, const struct ts_parameter *overrides, uint32_t count,
                               const struct fsp_limits *limits, struct problem *why);
void fsp_free(struct fsp_file *f);
/* From now on, overrides that the target does not know are for somebody else, and no mistake. */
void fsp_ignore_foreign(struct fsp_file *f);

/* What can be a target. Composites first, each kind in the order of the file. */
struct fsp_process {
    const char *name;
    uint32_t line;
    bool composite, property, imported;
};
uint32_t fsp_process_count(const struct fsp_file *f);
struct fsp_process fsp_process(const struct fsp_file *f, uint32_t i);

struct fsp_system {
    struct network network; /* its process is the target's name, or "DEFAULT" */
    char **warnings;        /* "FILE:LINE:COLUMN: ..." */
    uint32_t warning_count;
};

/* The network of a process, as LTSA checks it: what is written before the composite is noted in its qualities. NULL:
 * the composite whose name is the least, or else all primitive processes side by side but testers, which are then
 * called DEFAULT. */
bool fsp_target(struct fsp_file *f, const char *process, struct fsp_system *out, struct problem *why);
void fsp_system_fini(struct fsp_system *s);

/* Adds to the network of a target its fluents, and the assertion of that name (NULL: none), with LTSA's meaning. False:
 * the network must be freed. */
bool fsp_logic(struct fsp_file *f, const char *assertion, struct network *n, struct problem *why);

/* The process of the only `tester` definition, or NULL. */
const char *fsp_only_tester(const struct fsp_file *f);

/* A primitive process as a tester (lts/tester.h), with what `tester` definitions say about its states; ERROR rejects.
 * It is well-formed. Warnings go to `warnings`, which may be NULL. False: nothing is to be freed. */
bool fsp_tester(struct fsp_file *f, const char *process, FILE *warnings, struct tester *out, struct problem *why);

/* The text of a process of that name, and of a `tester` definition, which fsp_tester makes the same tester of, as far
 * as a process can be it: nothing is said of END, ERROR and other actions. False: a label cannot be written. */
bool fsp_write_tester(const struct tester *t, const char *name, FILE *out, struct problem *why);

/* A primitive process, with the defaults of its parameters, as one LTS. */
bool fsp_primitive(struct fsp_file *f, const char *process, struct lts *out, struct problem *why);

#endif
