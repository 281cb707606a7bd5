/* describe.h: what a network is called: names, actions that an observer sees, tests of progress, messages, identity,
 * who is ready for what. */
#ifndef NET_DESCRIBE_H
#define NET_DESCRIBE_H

#include <stdio.h>

#include "net/plan.h"

struct description {
    char *path, *identity;
    char **errors; /* by component: what is wrong when it has erred; NULL if it cannot */
    struct ts_variable *variables;
    uint32_t actions; /* that an observer sees, tau included */
    const char **action_names;
    bool *action_hidden;
    uint32_t *seen_as; /* by label of the network: the action */
    struct ts_progress *progress;
};

void description_init(struct description *d, const struct plan *p, const char *path);
void description_fini(struct description *d, const struct plan *p);

int64_t describe_value(const struct plan *p, const word *s, uint32_t component, const char **name, size_t *length);
void describe_state(const struct plan *p, const word *s, const word *previous, FILE *out);
/* Could the component, alone, take its part in transition t? */
bool describe_ready(const struct plan *p, const word *s, uint32_t component, uint32_t t);

#endif
