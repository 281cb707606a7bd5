/* relation.h: the relations by which LTSs are compared and minimised, and their names on the command line.
 *
 * Branching-div is branching bisimilarity that also keeps apart who can and who can not go on invisibly for ever. CFFD
 * is stable failures, divergence traces and infinite traces; on finite LTSs the last follow from the others.
 */
#ifndef LTS_RELATION_H
#define LTS_RELATION_H

#include <stdbool.h>

enum lts_relation {
    RELATION_STRONG,
    RELATION_BRANCHING,
    RELATION_BRANCHING_DIV,
    RELATION_WEAK,
    RELATION_TRACE,
    RELATION_STABLE_FAILURES,
    RELATION_CFFD,
    RELATION_FAILURES_DIVERGENCES,
    RELATION_TREE_FAILURES,
    RELATION_FAIR_TESTING,
    RELATIONS /* how many there are */
};

/* All names in the order of the enumeration, with spaces between, as text_choice wants them. */
#define RELATION_NAMES                                                                                                 \
    "strong branching branching-div weak trace stable-failures cffd failures-divergences tree-failures fair-testing"

const char *relation_name(enum lts_relation r);
const char *relation_nearest(const char *typo); /* what was probably meant, or NULL */

#endif
