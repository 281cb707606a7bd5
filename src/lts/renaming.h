/* renaming.h: actions that are hidden or renamed.
 *
 * All rules speak of the names that the LTS has: what is hidden becomes tau, of what is left each label is renamed by
 * the first rule that it matches. In a pattern, * stands for anything; a pattern in quotes is taken as it is. A new
 * name may have a * too, for what the only * of its pattern stood for. The alphabet changes like the edges.
 */
#ifndef LTS_RENAMING_H
#define LTS_RENAMING_H

#include "base/problem.h"
#include "lts/lts.h"

struct relabel_rule {
    const char *option; /* hide, show or rename */
    char *pattern;      /* without quotes */
    bool exact;         /* * is a character like others */
    char *name;         /* the new one; NULL: hide, or show */
    bool used;          /* some label has matched it */
};

/* {0}: nothing changes. */
struct relabelling {
    struct relabel_rule *rule;
    size_t count;
    bool show; /* what no rule shows is hidden */
};

/* From lists with commas between items (label_list.h), of which each may be NULL: a,b* and a=b,c*=d*. Hiding and
 * showing do not go together. */
bool relabelling_read(struct relabelling *r, const char *hide, const char *show, const char *rename,
                      struct problem *why);
void relabelling_fini(struct relabelling *r);

/* Changes the LTS, and notes which rules were used. */
void lts_relabel(struct lts *l, struct relabelling *r);

#endif
