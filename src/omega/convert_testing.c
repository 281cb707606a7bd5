/* From one kind of automaton to the other, made small on the way. */
#include "omega/convert.h"
#include "omega/simplify.h"
#include "omega/trim.h"

bool ta_from_ba(const struct ba *a, struct ta *out, struct problem *why) {
    struct sba states, small;
    struct ta large;
    if (!sba_from_ba(a, &states, why)) return false;
    sba_trim(&states, true, &small);
    ta_from_sba(&small, &large);
    ta_simplify(&large, false, out);
    sba_fini(&states);
    sba_fini(&small);
    ta_fini(&large);
    return true;
}

bool ba_from_ta(const struct ta *a, struct ba *out, struct problem *why) {
    struct sba states, small;
    struct ba large;
    if (!sba_from_ta(a, &states, why)) return false;
    sba_trim(&states, true, &small);
    ba_from_sba(&small, &large);
    ba_simplify_by_state(&large, out);
    sba_fini(&states);
    sba_fini(&small);
    ba_fini(&large);
    return true;
}
