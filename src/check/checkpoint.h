/* checkpoint.h: a search that was killed goes on where it was.
 *
 * A checkpoint is a folder:
 *
 *     states-000001, states-000002, ...   segments: the states of the trail, in order; each has what was new
 *     manifest                            which run this is, which segments count, and where the search was
 *
 * All of them are archives (store/archive.h). Segments are on the disk before the manifest that names them is, and a
 * manifest takes the place of the one before in one step: whenever the program is killed, the manifest that is there
 * names segments that are there. Segments that no manifest names are overwritten. So a checkpoint costs what is new
 * since the last one, and the manifest: a few bytes for each level and, in a backward search, a bit for each state.
 * They never take more than a tenth of the time, however often they are asked for.
 *
 * How a search uses it:
 *
 *     checkpoint_init(&c, folder, every, ts, q);
 *     either   checkpoint_begin(&c, why)
 *     or       checkpoint_read(&c, &space, &position, why)      into an empty space; then go on at the position
 *     ...      if (clock_seconds() > c.next) checkpoint_write(&c, &space, &position, why)
 *     checkpoint_fini(&c)
 *
 * Writing may fail, when the disk is full, say. Then the checkpoint before is still there, and the search can go on: it
 * will be tried again after the usual time.
 *
 * When to take the position: where the trail, the counters and the number of expanded states agree. In a breadth-first
 * search that is between two batches: all states below `expanded` have been expanded, everything that they lead to is
 * on the trail, and the counters count what they have. position_take is cheap. So a search can take its position there,
 * again and again, and write the last one when it must stop in the middle of a batch: states that came on the trail
 * after it are not saved, and will be found again. In a backward search any time will do: a mark once set is right, and
 * the search starts again from the marks.
 *
 * The successors that space.edge_list may hold are not saved. After checkpoint_read, edges_kept is false; bfs_resume
 * finds them again if it is set.
 */
#ifndef CHECK_CHECKPOINT_H
#define CHECK_CHECKPOINT_H

#include "base/bitmap.h"
#include "prop/property.h"
#include "check/check.h"
#include "graph/space.h"
#include "store/identity.h"

/* Where a run is. */
struct position {
    enum property phase; /* whose question is being answered; PROP_NONE: the space is being built */
    unsigned passed;     /* properties that were answered, and hold */
    uint64_t expanded;   /* number of the first state that is not fully expanded */
    uint64_t level_end;  /* number of the first state that is not on the level being expanded, or before it */
    uint64_t states;     /* so many states of the trail, */
    uint64_t levels;     /* and of space.levels, were there */
    uint64_t edges, terminals;
    /* In a backward search, by slot; bits.base is NULL if there are no marks. To be written: the search's own.
     * After checkpoint_read: the caller's to keep or to fini. */
    struct bitmap marked;
};

struct checkpoint {
    char *folder;
    double every; /* seconds */
    double next;  /* when the next one is due, by clock_seconds */
    int lock;     /* of the folder: -1, or open as long as we use it */
    struct identity model, run;
    struct checkpoint_segment {
        uint64_t first, count, seal;
    } * segments;
    size_t segment_count;
    uint64_t saved; /* states in these segments */
};

/* The position that the space is in now; phase, passed and marked stay as they are. */
void position_take(struct position *p, const struct space *s, uint64_t expanded, uint64_t level_end);

void checkpoint_init(struct checkpoint *c, const char *folder, double every, const struct ts *ts,
                     const struct questions *q);
void checkpoint_fini(struct checkpoint *c);

/* Makes the folder if need be. One with a checkpoint in it is refused, and one that another program uses. */
bool checkpoint_begin(struct checkpoint *c, struct problem *why);

bool checkpoint_write(struct checkpoint *c, struct space *s, const struct position *p, struct problem *why);

/* Fills the space, which must be empty, and the position. False: why; the space is of no use then. The checkpoint may
 * be of another run: then the problem names the difference. Writing goes on in the same folder. */
bool checkpoint_read(struct checkpoint *c, struct space *s, struct position *p, struct problem *why);

#endif
