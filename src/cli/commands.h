/* commands.h: what main can be asked to do, and what several commands need for it.
 *
 * A command is a function in the file of its name, cmd_....c. It returns an exit status; a problem is for main to show.
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/options/options.h"
#include "base/effort.h"
#include "lts/tester.h"
#include "report/report.h"

int command_check(const struct options *o, struct problem *why);
int command_run(const struct options *o, struct problem *why);
int command_audit(const struct options *o, struct problem *why);
int command_replay(const struct options *o, struct problem *why);
int command_simulate(const struct options *o, struct problem *why);
int command_stubborn(const struct options *o, struct problem *why);
int command_facts(const struct options *o, struct problem *why);
int command_lts(const struct options *o, struct problem *why);
int command_verify(const struct options *o, struct problem *why);
int command_info(const struct options *o, struct problem *why);
int command_compare(const struct options *o, struct problem *why);
int command_minimize(const struct options *o, struct problem *why);
int command_draw(const struct options *o, struct problem *why);
int command_ltl(const struct options *o, struct problem *why);
int command_tester(const struct options *o, struct problem *why);

/* The model that is named, compiled or read, with these reductions; NULL: `why`. Its ops->close ends it. */
struct ts *open_model(const struct options *o, struct reduction reduction, struct problem *why);
/* The process that a file about the model names (or NULL), unless the command line names one. */
void use_process(struct options *o, const char *process);
enum reduce_method method_of(const struct options *o); /* of --method */

/* For reading them: until --time is over, which counts from the beginning, or somebody interrupts. */
struct effort effort_to_read(const struct options *o);

/* The tester that --tester names, or that --refines and --preorder ask for. */
bool load_tester(const struct options *o, const struct ts *ts, struct tester *out, struct problem *why);

/* The limits that the options set; time counts from now on. */
struct limits limits_of(const struct options *o);

/* How standard output shows executions: as --trace says, or as is usual in the model's language. */
struct showing showing_of(const struct options *o, const struct ts *ts);
/* Writes the execution to --trace-file, if that is given. `about`: the document of the command, with its "trace". */
bool write_trace_file(const struct options *o, const json_t *about, struct problem *why);
/* Writes the page of --html; adds to the document how to get it again. */
bool write_html(const struct options *o, json_t *document, struct problem *why);

#endif
