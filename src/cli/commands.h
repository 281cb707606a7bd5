/* commands.h: what main can be asked to do. Each returns an exit status; a problem is for main to show. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include <signal.h>

#include "cli/options.h"
#include "lts/tester.h"

int command_check(const struct options *o, const volatile sig_atomic_t *interrupted, struct problem *why);
int command_run(const struct options *o, struct problem *why);
int command_audit(const struct options *o, const volatile sig_atomic_t *interrupted, struct problem *why);
int command_replay(const struct options *o, struct problem *why);
int command_lts(const struct options *o, struct problem *why);
int command_verify(const struct options *o, const volatile sig_atomic_t *interrupted, struct problem *why);
int command_compare(const struct options *o, struct problem *why);
int command_minimize(const struct options *o, struct problem *why);
int command_draw(const struct options *o, struct problem *why);
int command_ltl(const struct options *o, struct problem *why);

/* Used by all of them. */
struct ts *open_model(const struct options *o, struct reduction reduction, struct problem *why);
enum reduce_method method_of(const struct options *o);
struct limits limits_of(const struct options *o, const volatile sig_atomic_t *interrupted);
bool wants_colour(void);
/* The tester that --tester names. */
bool load_tester(const struct options *o, struct tester *out, struct problem *why);

#endif
