/* asset_calls.h: what the two halves of a model in ASSET's language know of each other.
 *
 * The model's file is C++, and is compiled with asset.h before it and asset_end.h after it. Its state is declared once
 * more in C, in text that is made from what the first half says when it is run (src/model/asset), and compiled with
 * asset_model.h and the engine. Values are in the struct of the C half; a state_var of the C++ half only knows where
 * in it its value is: so many bytes from the beginning, as an unsigned int.
 */
#ifndef ONAGER_ASSET_CALLS_H
#define ONAGER_ASSET_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What the model's file has. */
#define ONAGER_HAS_PRINT 1
#define ONAGER_HAS_CHECK_STATE 2 /* the function, and the switch: chk_state */
#define ONAGER_HAS_CHECK_DEADLOCK 4
#define ONAGER_HAS_MAY_PROGRESS 8
#define ONAGER_HAS_MUST_PROGRESS 16
#define ONAGER_HAS_STUBBORN 32 /* only the function */
#define ONAGER_HAS_SYMMETRY 64

/* What it switches on for the whole check, as options of the program do. */
#define ONAGER_WISH_STUBBORN 1
#define ONAGER_WISH_SYMMETRY 2
#define ONAGER_WISH_FORWARD 4
#define ONAGER_WISH_NOT_MAY 8
#define ONAGER_WISH_NOT_MUST 16
#define ONAGER_WISH_NO_PROGRESS 32
#define ONAGER_WISH_FAST 64

/* Messages about mistakes in the model's code, as against errors of what it models, begin with this. */
#define ONAGER_MISTAKE "\001"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- In the C++ half; `state` is the C half's struct ---- */

/* Calls nr_transitions, which makes `state` the initial one. Returns what it returns. */
unsigned onager_asset_begin(void *state);
const char *onager_asset_printed(void); /* by that, so far; or NULL */
const char *onager_asset_threw(void);   /* what that has thrown; or NULL */
bool onager_asset_fire(void *state, unsigned t);
const char *onager_asset_check_state(void *state);
const char *onager_asset_check_deadlock(void *state);
bool onager_asset_may_progress(void *state);
bool onager_asset_must_progress(void *state);
void onager_asset_next_stubborn(void *state, unsigned t);
void onager_asset_symmetry(void *state);
void onager_asset_print(void *state, FILE *out);
extern const unsigned onager_asset_has;    /* ONAGER_HAS_... */
extern const unsigned onager_asset_wishes; /* ONAGER_WISH_... */
extern const unsigned long long onager_asset_most_states;

/* ---- In the C half ---- */

void onager_asset_start(void); /* called when all objects of the C++ half have been constructed */
/* Where the value of the k-th state_var is. */
unsigned onager_asset_offset(unsigned k);
/* The last `elements` ones, which take `bytes` bytes, are called `name`. */
void onager_asset_declare(const char *name, long long bits, size_t elements, size_t bytes, bool is_array,
                          const char *file, int line);
void onager_asset_raise(const char *message); /* it lasts */
const char *onager_asset_raised(void);
void onager_asset_oblige(const unsigned *transitions, size_t count);
void onager_asset_oblige_all(void);
bool onager_asset_is_initial(const void *state);
bool onager_asset_is_zero(const void *state);

#ifdef __cplusplus
}
#endif
#endif
