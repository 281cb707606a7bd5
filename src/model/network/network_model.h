/* network_model.h: processes as transition systems: files in FSP (.fsp, .lts), and LTSs (lts/lts_file.h), as which
 * .lts files of mCRL2 count. */
#ifndef MODEL_NETWORK_NETWORK_MODEL_H
#define MODEL_NETWORK_NETWORK_MODEL_H

#include "base/problem.h"
#include "base/suffix.h"
#include "base/effort.h"
#include "lts/lts_file.h"
#include "lts/tester.h"
#include "net/network.h"
#include "ts/ts.h"

struct network_model_options {
    const char *path;    /* FILE, or FILE:PROCESS */
    const char *process; /* NULL: the one after the colon of the path, or the default one */
    const struct ts_parameter *parameters;
    size_t parameter_count;
    bool foreign_parameters; /* those that it has not are for something else, and no mistake */
    struct reduction reduction;
    bool logic;            /* fluents are wanted, */
    const char *assertion; /* and the assertion of that name; or NULL */
    FILE *warnings;        /* where warnings about the text go */
    struct effort *effort; /* for reading; or NULL */
    /* Of an LTS: what is said about its format, and how the invisible action is spelt. */
    struct lts_file_options lts;
};

/* What the name of a file says, without a process after a colon. "-" is an LTS in the Aldebaran format. */
enum file_kind network_model_kind(const char *path);
/* Whether a path names such a file. */
bool network_model_is(const char *path);
/* What it is called in an answer: "FILE.fsp:NAME", if it or `process` names one. To be freed. */
char *network_model_subject(const char *path, const char *process);
/* Whether it can name a process, and does not: it is an FSP file without one after a colon. */
bool network_model_lacks_process(const char *path);

/* A process of an FSP file as a tester. `process`: NULL: the one after the colon of the path. Parameters that the file
 * has not are for the model. The effort may be NULL. */
bool network_model_tester(const char *path, const char *process, const struct ts_parameter *parameters,
                          size_t parameter_count, FILE *warnings, struct effort *effort, struct tester *out,
                          struct problem *why);

/* The system, or NULL with the reason. */
struct ts *network_model_open(const struct network_model_options *o, struct problem *why);

#endif
