/* facts_pairs.h: which two values never stand together, those of elements of arrays taken together; for the files of
 * facts.h. */
#ifndef REPORT_FACTS_PAIRS_H
#define REPORT_FACTS_PAIRS_H

#include "report/facts_values.h"

/* An array of {"variables": ["C", "S"], "values": ["idle", 0], "elements": "same" | "different" | "all" | [[0, 1],
 * ...]}, which speaks of pairs whose two values are possible. */
json_t *facts_pairs(const struct facts_values *v, const struct ts *ts, const struct value_pairs *pairs);

#endif
