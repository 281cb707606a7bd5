/* hoa.h: automata as files in the Hanoi Omega-Automata format (HOA v1), in and out.
 *
 * Büchi automata: labels on edges or states, explicit or implicit, with aliases; acceptance on states or edges; the
 * acceptance condition may be any combination with & and | of Inf(i) and Inf(!i), t, f (so: Buchi, generalized-Buchi,
 * all, none). What is not supported is refused with its name: Fin, universal branching, header items that begin with a
 * capital letter and are not known.
 *
 * Extension for other kinds of acceptance, and for testing automata (paper TA). As the names of these header items
 * begin with capital letters, programs that do not know them refuse the file, as the format asks for. doc/LTL.md has
 * examples.
 *
 *   Finite-Acceptance: I      acceptance set I, which the acceptance condition does not mention, holds the states with
 *   Deadlock-Acceptance: I    finite (deadlock, livelock) acceptance; only states may be in it. In an automaton with
 *   Livelock-Acceptance: I    labels on states, they count after the label of the state has been read.
 *   Testing: v1               this is a testing automaton: labels tell which propositions change. An edge for each set
 *                             of propositions that satisfies the label; the empty one must not.
 *   Start-Value: S P1 P2 ...  state S of a testing automaton is initial where exactly P1, P2, ... hold
 *   Tester: v1                this is a tester process (watch/tester_hoa.h): propositions are the visible actions, and
 *                             tau if it is among them. An edge is for each of them that satisfies the label while no
 *                             other holds. States with finite acceptance reject, the other kinds are monitors.
 */
#ifndef OMEGA_HOA_HOA_H
#define OMEGA_HOA_HOA_H

#include <stddef.h>
#include <stdio.h>

#include "omega/automaton.h"
#include "base/problem.h"

struct hoa {
    bool testing;      /* which of the two it is */
    bool tester;       /* a ba that is one: watch/tester_hoa.h makes a tester of it, */
    char **state_name; /* with the names of its states, some NULL; else NULL */
    struct ba ba;      /* by_state if all acceptance in the file is on states, and one set is enough */
    struct ta ta;
    char *name; /* NULL: none */
};

/* Reads one automaton. False: nothing is to be freed, and the problem begins with NAME:LINE:COLUMN. hoa_parse_any: it
 * must be a tester if `tester`, and else must not. */
bool hoa_parse(const char *text, size_t size, const char *name, struct hoa *out, struct problem *why);
bool hoa_parse_any(const char *text, size_t size, const char *name, bool tester, struct hoa *out, struct problem *why);
bool hoa_read(const char *path, struct hoa *out, struct problem *why); /* "-": standard input */
void hoa_fini(struct hoa *h);

/* name: of the automaton, or NULL; stutter_insensitive: is it known to be? */
void hoa_write_ba(const struct ba *a, const char *name, bool stutter_insensitive, FILE *out);
void hoa_write_sba(const struct sba *a, const char *name, bool stutter_insensitive, FILE *out); /* labels on states */
void hoa_write_ta(const struct ta *a, const char *name, FILE *out);

#endif
