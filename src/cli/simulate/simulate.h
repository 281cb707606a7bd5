/* simulate.h: walking through a model by hand: what `onager simulate` does with one line of input.
 *
 * The path walked is a trace; `at` is where one stands on it. What comes after that is kept until another step is
 * taken, so that one can go back and forth.
 */
#ifndef CLI_SIMULATE_SIMULATE_H
#define CLI_SIMULATE_SIMULATE_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/options/options.h"
#include "report/report.h"
#include "ts/trace.h"

struct stroll {
    const struct options *o;
    struct ts *ts;
    struct ts_worker *w;
    struct trace path;
    uint64_t at;
    uint64_t random; /* state of the generator */
    bool failed;     /* some line could not be done */
    bool over;
};

/* False: the model has no initial state, see *why. */
bool stroll_init(struct stroll *m, const struct options *o, struct ts *ts, struct ts_worker *w, struct problem *why);
void stroll_fini(struct stroll *m);

void stroll_show(struct stroll *m); /* where one stands, and what can be done there */
void stroll_do(struct stroll *m, char *line);

static inline const word *stroll_state(const struct stroll *m) { return trace_state(&m->path, m->at); }

/* For the files of simulate.h. */

/* Successor by t, if it is enabled: 1; 0: disabled; -1: the model's code has failed, which was said. */
int stroll_fire(struct stroll *m, const word *s, uint32_t t, word *next);
void stroll_step(struct stroll *m, uint32_t t, const word *next); /* goes there */
void stroll_until(struct stroll *m, const char *condition);
void stroll_complain(struct stroll *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The words that a line may begin with, for completion: number i, or NULL. */
const char *stroll_word(unsigned i);

#endif
