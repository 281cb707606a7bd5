/* naive_ctl.h: random formulas of computation tree logic, evaluated by the definition of each operator, state by
 * state. */
#ifndef UNIT_NAIVE_CTL_H
#define UNIT_NAIVE_CTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct naive_system {
    uint32_t count, transitions;
    uint32_t *next;         /* [state * transitions + t]: where t leads; UINT32_MAX: nowhere */
    const uint64_t *values; /* by state: propositions p0, p1, ... */
    uint32_t propositions;
    uint32_t (*below)(uint32_t n); /* random numbers */
};

/* A random formula with so many operators inside each other at most, as text, and where it holds. */
void naive_ctl(const struct naive_system *s, uint32_t depth, char *text, size_t room, bool *holds);

#endif
