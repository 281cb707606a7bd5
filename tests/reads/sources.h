/* sources.h: what a source (model/c/reading/read_source.h) says of the functions of a generated model, held against what
 * they do: in each of some random states, a walk through its points, as a tree and merged, ends in a leaf that gives the
 * same answer and the same successor as the function itself. */
#ifndef READS_SOURCES_H
#define READS_SOURCES_H

#include <stdbool.h>
#include <stdint.h>

struct source_counts {
    unsigned long passed, failed; /* functions */
    unsigned long walks, steps, enabled, points, merged, unknown;
};

/* Adds to the counts. `compiler`: of the model that is read; NULL: the default. */
void sources_check(const char *path, const char *compiler, uint64_t seed, struct source_counts *counts);

#endif
