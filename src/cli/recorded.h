/* recorded.h: executions in files, as check --json, --trace-file and onager simulate write them, and replaying them. */
#ifndef CLI_RECORDED_H
#define CLI_RECORDED_H

#include <jansson.h>

#include "ts/trace.h"

/* A trace file: the document that check --json writes, or its "trace" alone. */
struct recorded {
    json_t *document;
    json_t *stem, *cycle; /* arrays of steps */
    json_t *closing;      /* transition */
    uint64_t no_return;   /* TRACE_NONE: not said */
    bool swaps;           /* states are representatives, and steps are transitions and then the symmetry map */
};

/* The document is to be released with json_decref, also if that fails. */
bool recorded_load(struct recorded *r, const char *path, struct problem *why);
/* Adds the states to the trace, by firing its transitions. False: *why; what could be replayed is there. */
bool recorded_replay(struct trace *t, const struct recorded *r, struct ts *ts, struct ts_worker *w, const char *path,
                     struct problem *why);

#endif
