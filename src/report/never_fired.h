/* never_fired.h: which transitions have occurred in no state of a complete search.
 *
 * Of a network: which actions. With stubborn sets or symmetry, others may occur in states that were left out, or as
 * their symmetric images.
 */
#ifndef REPORT_NEVER_FIRED_H
#define REPORT_NEVER_FIRED_H

#include "report/report.h"

/* A list of names; null: it is not known. */
json_t *never_fired_json(const struct answer *a, struct ts *ts, struct ts_worker *w);
/* A line, if there are some. */
void never_fired_text(const struct answer *a, struct ts *ts, struct ts_worker *w, FILE *out);

#endif
