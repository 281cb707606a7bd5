/* facts_values.h: values of variables as a model's text names them; for the files of facts.h. */
#ifndef REPORT_FACTS_VALUES_H
#define REPORT_FACTS_VALUES_H

#include <jansson.h>

#include "derive/slots.h"
#include "ts/ts.h"

struct facts_values {
    const struct ts *ts;
    const struct source *source;
    const struct slots *slots;
    word *state;                  /* room for one */
    uint32_t *variable, *element; /* of the model, by variable of the source */
};

void facts_values_init(struct facts_values *v, const struct ts *ts, const struct source *source,
                       const struct slots *slots);
void facts_values_fini(struct facts_values *v);

/* A value, as packed, of variable x of the source: a string if it has a name, else a number. */
json_t *facts_value(const struct facts_values *v, uint32_t x, uint64_t value);
/* The same of a slot. */
json_t *facts_slot(const struct facts_values *v, uint32_t x, uint32_t slot);
/* Those of variable x in a set of slots, and how many. */
json_t *facts_values_in(const struct facts_values *v, uint32_t x, const uint64_t *set);
uint32_t facts_values_count(const struct facts_values *v, uint32_t x, const uint64_t *set);

#endif
