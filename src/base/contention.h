/* contention.h: detects that threads wait for each other because other programs use the processors; then one
 * thread works alone for a tenth of a second.
 *
 * That happens where other programs use processors: whoever has the turn may not be running, and the others wait for
 * it. What is better then is found out by trying: how much is done in a second by all threads together, and by one
 * alone. The better way is kept for a while, and then the other one is tried again, for a short time; whenever that
 * confirms what was known, the while gets twice as long. So trying costs a few hundredths of the time at most. As long
 * as threads together sleep little, nothing is tried.
 *
 * Time is an argument, in seconds from any beginning. crowd_note_sleep may be called by all threads at a time,
 * crowd_wants_one by one at a time.
 */
#ifndef BASE_CONTENTION_H
#define BASE_CONTENTION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum crowd_way { CROWD_TOGETHER, CROWD_ALONE };

struct crowd {
    enum crowd_way way;    /* now */
    enum crowd_way better; /* as far as is known */
    double rate;           /* of the better way: work in a second; 0: not known */
    double patience;       /* seconds before the other way is tried */
    double since;          /* when this way was taken, or judged the last time; 0: not begun */
    uint64_t work;         /* ... what had been done */
    atomic_uint asleep;    /* microseconds of all threads since then */
};

void crowd_note_sleep(struct crowd *c, double seconds);

/* Now and then: whether one thread should be at work. `work` is how much has been done up to now. */
bool crowd_wants_one(struct crowd *c, uint64_t work, double now);

#endif
