/* lts_file.h: LTSs as files, in and out.
 *
 * What format a file has is told by its name (base/suffix.h), or said. Either may be packed, as FILE.aut.gz or
 * FILE.aut.zst. "-" is standard input, packed or not, or standard output. Lines may end with carriage returns; empty
 * ones, and white space around tokens, do not matter. No format knows special states: writing makes `end` and `error`
 * states like others, without edges.
 *
 * .aut, of CADP and others:
 *
 *     des (0, 3, 2)            the initial state, how many transitions, how many states
 *     (0, "put !1", 1)         from, label, to; one a line
 *     (1, i, 0)                the invisible action
 *     (1, take, 1)
 *
 * A label may be quoted or not, and may contain anything but the end of the line: it reaches from the first comma of
 * its line to the last. Quotes around it are not part of it. Transitions that are there twice count twice in the
 * header.
 *
 * .fsm, of mCRL2:
 *
 *     x(2) Nat "0" "7"         parameters of states, each with its values; there may be none
 *     ---
 *     0                        the states, by the numbers of their values; may be left out
 *     1
 *     ---
 *     1 2 "put(1)"             from, to, label, in quotes; states are numbered from 1
 *     2 1 "tau"                the invisible action
 *     ---                      only if there is
 *     1                        the initial state (else 1)
 *
 * .lts, of mCRL2, is binary (mcrl2.h). A label is a multi-action, with its data, as text (mcrl2_print.h); what has no
 * action is the invisible one. What labels of states say is not kept. Labels that have not changed are written with the
 * data that they were read with, if these were kept; others become actions of that name, without data. FSP files are
 * called .lts, too: the first bytes tell.
 *
 * .dot, of Graphviz, is only written.
 */
#ifndef LTS_LTS_FILE_H
#define LTS_LTS_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problem.h"
#include "base/suffix.h"
#include "base/effort.h"
#include "lts/lts.h"
#include "lts/mcrl2/mcrl2.h"
#include "lts/tau_names.h"

struct lts_file_options {
    enum file_kind kind; /* FILE_UNKNOWN: the name tells, or the first bytes */
    /* How the invisible action is spelt: names with commas between them, quoted or not. NULL: as is usual in the
     * format. The first one is written exactly as given, with quotes if it has them. */
    const char *tau;
    struct tau_met *met;     /* reading notes there what was met, writing uses it if there is no `tau`; or NULL */
    struct mcrl2_kept *kept; /* the same, of files of mCRL2: what labels and data mean there; or NULL */
    struct effort *effort;   /* NULL: it may take as long and as much as it needs */
};

/* The format that is meant: FILE_AUT, FILE_FSM, FILE_MCRL2, FILE_DOT, or another kind, which is none. To read: of what
 * is called .lts, the first bytes tell. "-" is .aut, unless it begins as files of mCRL2. */
enum file_kind lts_file_kind(const char *path, enum file_kind said);
enum file_kind lts_file_written(const char *path, enum file_kind said); /* to write */
/* Is there such a file of mCRL2? What is no ordinary file is not looked into. */
bool lts_file_is_mcrl2(const char *path);

/* `o` may be NULL. A name that tells nothing is refused. What could not be written to its end is removed; what was
 * there before stays. */
bool lts_file_read(const char *path, const struct lts_file_options *o, struct lts *out, struct problem *why);
bool lts_file_write(const struct lts *l, const char *path, const struct lts_file_options *o, struct problem *why);

/* The same from memory, not packed; `name` is for messages, and to tell the format. */
bool lts_file_parse(const char *text, size_t size, const char *name, const struct lts_file_options *o, struct lts *out,
                    struct problem *why);

#endif
