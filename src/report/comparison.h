/* comparison.h: what a comparison of two LTSs has found, for people and for machines. doc/COMPARE.md shows both. */
#ifndef REPORT_COMPARISON_H
#define REPORT_COMPARISON_H

#include <jansson.h>
#include <stdio.h>

#include "compare/compare.h"

struct comparison_report {
    const struct comparison *c;
    enum lts_relation relation;
    bool preorder, stability;
    const char *name[2];      /* of the two files */
    const struct lts *lts[2]; /* as they were read */
    const char *test_file;    /* where the test was written, or NULL */
    bool declared;            /* the alphabet was */
    bool no_witness;          /* none was asked for */
    double seconds;
};

void report_comparison(const struct comparison_report *r, FILE *out);
json_t *report_comparison_json(const struct comparison_report *r); /* to be released with json_decref */

#endif
