/* tool.h: running onager on a random model. */
#ifndef TOOL_H
#define TOOL_H

#include <jansson.h>

#include "expect.h"

/* Which compiled form of cross_model.c. */
struct form {
    unsigned shape, slots;
};

struct tool {
    const char *onager, *model, *must_model; /* the last for mode.must */
};

struct run {
    uint64_t seed;
    enum rm_mutation mutation; /* planted in what onager sees */
    struct form form;
    struct options options;
    const char *trace; /* replay: the file */
};

struct answer {
    int status;         /* exit status, or -1: killed by a signal or not started */
    char *output;       /* standard output */
    char *messages;     /* standard error */
    json_t *json;       /* the output as JSON, or NULL */
    char command[1024]; /* for people who want to repeat it */
};

/* `subcommand` is "check", "audit", "run" or "replay". */
void tool_run(const struct tool *tool, const char *subcommand, const struct run *run, struct answer *answer);
void answer_fini(struct answer *answer);

#endif
