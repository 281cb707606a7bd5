#include "lts/relation.h"

#include "base/text.h"

static const char *const names[RELATIONS] = {
    [RELATION_STRONG] = "strong",
    [RELATION_BRANCHING] = "branching",
    [RELATION_BRANCHING_DIV] = "branching-div",
    [RELATION_WEAK] = "weak",
    [RELATION_TRACE] = "trace",
    [RELATION_STABLE_FAILURES] = "stable-failures",
    [RELATION_CFFD] = "cffd",
    [RELATION_FAILURES_DIVERGENCES] = "failures-divergences",
    [RELATION_TREE_FAILURES] = "tree-failures",
    [RELATION_FAIR_TESTING] = "fair-testing",
};

const char *relation_name(enum lts_relation r) { return names[r]; }

const char *relation_nearest(const char *typo) { return text_nearest(typo, names, RELATIONS); }
