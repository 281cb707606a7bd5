/* c_command.h: a command line for the C compiler, and running it. */
#ifndef CODE_C_COMMAND_H
#define CODE_C_COMMAND_H

#include "base/bytes.h"
#include "base/child.h"

struct command {
    char **args; /* ends with NULL */
    int count;
};

void c_command_add(struct command *c, char *arg); /* which now belongs to the command */
void c_command_add_all(struct command *c, const char *const *args, size_t count);
void c_command_copy(struct command *c, const struct command *from);
void c_command_fini(struct command *c);

/* Runs it with the text as its input. *output: what it wrote to standard output (or NULL: that is taken for messages,
 * too); *messages: what it said. False: it cannot be run, errno says why. */
bool c_command_run(const struct command *c, const char *text, struct child *child, struct bytes *output,
                   char **messages, int *status);

#endif
