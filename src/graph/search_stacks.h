/* search_stacks.h: the two stacks of algo/components_code.h in regions, which grow as long as the limit on memory
 * allows it. */
#ifndef GRAPH_SEARCH_STACKS_H
#define GRAPH_SEARCH_STACKS_H

#include "store/state_stack.h"

struct search_stacks {
    struct region frames, open;
};

static inline bool search_stacks_init(struct search_stacks *r, uint64_t max_memory) {
    return region_init_within(&r->frames, max_memory) && region_init_within(&r->open, max_memory);
}

static inline void search_stacks_fini(struct search_stacks *r) {
    region_fini(&r->frames);
    region_fini(&r->open);
}

/* For MORE: room for search x in r, or false. */
#define SEARCH_STACKS_MORE(x, r)                                                                                       \
    (open_room(&(r)->frames, ((x)->depth + 1) * sizeof *(x)->frames) &&                                                \
     open_room(&(r)->open, ((x)->opened + 1) * sizeof *(x)->open) &&                                                   \
     ((x)->frames = (void *)(r)->frames.base, (x)->frame_room = (r)->frames.size / sizeof *(x)->frames,                \
      (x)->open = (void *)(r)->open.base, (x)->open_room = (r)->open.size / sizeof *(x)->open, true))

#endif
