/* ltl_subject.h: what onager ltl is about: a formula, or an automaton of a file, and what is found out about it. */
#ifndef CLI_LTL_SUBJECT_H
#define CLI_LTL_SUBJECT_H

#include "omega/hoa/hoa.h"
#include "omega/ltl/ltl.h"
#include "cli/options/options.h"

/* What is known so far; the rest is found when it is needed. */
struct subject {
    const struct options *o;
    struct ltl ltl;
    uint32_t formula;
    bool from_formula;
    struct hoa given; /* else: the automaton as it is in the file */
    bool has_given;
    char *name;       /* the formula, or what the file calls the automaton; or NULL */
    char *simplified; /* or NULL */
    struct ba ba, complement;
    bool has_ba, has_complement;
    struct ta ta;
    bool has_ta;
    bool decided, insensitive; /* about stuttering */
};

/* Is this the name of a file, not a formula? */
bool subject_is_file(const char *text);

/* Zeroed before, but for `o`; subject_fini also if it fails. */
bool subject_read_formula(struct subject *s, const char *text, bool negated, struct problem *why);
bool subject_read_file(struct subject *s, const char *path, struct problem *why);
void subject_fini(struct subject *s);

bool subject_find_complement(struct subject *s, struct problem *why); /* formulas only */
bool subject_decide_stuttering(struct subject *s, struct problem *why);
bool subject_find_testing(struct subject *s, struct problem *why); /* it must be insensitive */
bool subject_need_testing(struct subject *s, struct problem *why); /* false also if it is sensitive */
/* The Büchi automaton with valuations of states. */
bool subject_states(struct subject *s, struct sba *out, struct problem *why);
/* --no-finite: removes finite acceptance from the automata that are there (TA 2.1). */
bool subject_remove_finite(struct subject *s, struct problem *why);

#endif
