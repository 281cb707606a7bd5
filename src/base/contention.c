#include "base/contention.h"

#include <assert.h>

static const double trial = 0.03;     /* seconds: enough for processors to go round several times */
static const double little = 0.15;    /* of the time asleep, for all threads together: not worth a trial */
static const double shortest = 0.1;   /* seconds of patience */
static const double longest = 6.4;    /* ... */
static const double advantage = 1.05; /* times as much must be done, before a way is changed for good */

void crowd_note_sleep(struct crowd *c, double seconds) { atomic_fetch_add(&c->asleep, (unsigned)(seconds * 1e6)); }

static void begin(struct crowd *c, enum crowd_way way, uint64_t work, double now) {
    c->way = way;
    c->since = now;
    c->work = work;
    c->asleep = 0;
}

/* The other way has been tried. */
static void end_trial(struct crowd *c, double rate, uint64_t work, double now) {
    if (rate > advantage * c->rate) {
        c->better = c->way;
        c->patience = shortest;
    } else if (c->patience < longest) {
        c->patience *= 2;
    }
    begin(c, c->better, work, now);
}

bool crowd_wants_one(struct crowd *c, uint64_t work, double now) {
    double time = now - c->since;
    assert(work >= c->work); /* what is done is not undone */
    if (c->since == 0) {
        c->patience = trial; /* the first time, to know sooner */
        begin(c, CROWD_TOGETHER, work, now);
    } else if (c->way != c->better) {
        if (time >= trial) end_trial(c, (double)(work - c->work) / time, work, now);
    } else if (time >= c->patience) {
        bool awake = c->way == CROWD_TOGETHER && c->asleep * 1e-6 < little * time;
        c->rate = (double)(work - c->work) / time;
        if (awake) c->patience = trial;
        begin(c, awake || c->way == CROWD_ALONE ? CROWD_TOGETHER : CROWD_ALONE, work, now);
    }
    return c->way == CROWD_ALONE;
}
