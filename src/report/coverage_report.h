/* coverage_report.h: what was exercised (check/coverage.h), for people and machines. doc/SEEING.md shows it. */
#ifndef REPORT_COVERAGE_REPORT_H
#define REPORT_COVERAGE_REPORT_H

#include "check/coverage.h"
#include "report/report.h"

json_t *coverage_json(const struct coverage *c, struct ts *ts, struct ts_worker *w);
/* The same document, as text. */
void coverage_text(const json_t *coverage, FILE *out);

#endif
