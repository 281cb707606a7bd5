#include "search/crowd.h"

#include "base/clock.h"
#include "base/team.h"

/* Microseconds of sleep that are enough to judge by. */
enum { ENOUGH = 10000 };

static const double most = 0.5;  /* of the time, for all threads together */
static const double alone = 0.1; /* seconds */

void crowd_begin(struct crowd *c) {
    c->asleep = 0;
    c->since = clock_seconds();
    c->alone_till = 0;
}

void crowd_rest(struct crowd *c, unsigned *times) {
    double before = clock_seconds();
    if (team_rest(times)) atomic_fetch_add(&c->asleep, (unsigned)((clock_seconds() - before) * 1e6));
}

bool crowd_is_dense(struct crowd *c) {
    if (c->alone_till > 0) return true;
    unsigned asleep = c->asleep;
    if (asleep < ENOUGH) return false;
    double now = clock_seconds(), time = now - c->since;
    crowd_begin(c);
    if (asleep * 1e-6 > most * time) c->alone_till = now + alone;
    return c->alone_till > 0;
}

bool crowd_lasts(struct crowd *c) {
    if (c->alone_till > 0 && clock_seconds() > c->alone_till) c->alone_till = 0;
    return c->alone_till > 0;
}
