/* words.h: sequences of valuations, and slow but plain ways to tell what a formula or an automaton says about them.
 * None of them uses the code under test beyond the structures that hold automata. */
#ifndef UNIT_WORDS_H
#define UNIT_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "omega/automaton.h"

enum { LONGEST_WORD = 12 };

/* at[0] ... at[length-1], and then either for ever again from at[back] on, or, if back < 0, nothing more. */
struct word {
    uint64_t at[LONGEST_WORD];
    int length, back;
};

/* Calls for each word over so many propositions that is not longer, finite ones too; stops when `f` returns false,
 * which is then the result. */
bool words_all(int propositions, int longest, bool (*f)(const struct word *w, void *context), void *context);
struct word word_random(int propositions, int longest, bool finite);
/* The same word with valuations repeated, or repetitions left out, at random; the result is not too long. */
struct word word_stuttered(const struct word *w);
void word_print(const struct word *w);

/* ---- Formulas ---- */

/* A tree of its own, so that nothing of the library is trusted. */
struct tree {
    char op; /* 0 1 p (proposition number `p`) ! X F G & | > = ^ U W R M */
    int p;
    struct tree *left, *right;
};

/* A tree with so many operators; `next`: X may occur. Its text is written in one of the spellings that are
 * understood. */
struct tree *tree_random(int operators, int propositions, bool next);
void tree_free(struct tree *t);
void tree_print(const struct tree *t, char *text, size_t size); /* propositions are called p0, p1, ... */
/* On a finite word: as if the last valuation came for ever. */
bool tree_holds(const struct tree *t, const struct word *w);

/* ---- Automata ---- */

bool word_in_ba(const struct word *w, const struct ba *a);
bool word_in_sba(const struct word *w, const struct sba *a);
bool word_in_ta(const struct word *w, const struct ta *a);

/* Random automata; `kinds`: which acceptance may occur. */
void random_ba(struct ba *a, int states, int propositions, uint32_t sets, bool by_state, unsigned kinds);
void random_sba(struct sba *a, int states, int propositions, unsigned kinds);
void random_ta(struct ta *a, int states, int propositions, unsigned kinds);

/* For support code: the random numbers of the test that runs. */
extern uint32_t (*words_random)(uint32_t below);

#endif
