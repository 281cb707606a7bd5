#include "search/edges.h"

#include <stdlib.h>

/* The file may become this large; beyond that, expanding again is not so much slower. */
static const uint64_t MOST_WORDS = UINT64_C(1) << 29;

void edges_note(struct space *s, const struct ts_batch *batch, const uint64_t *keys) {
    for (uint32_t i = 0, begin = 0; i < batch->count; begin = batch->ends[i++]) {
        uint64_t count = batch->ends[i] - begin;
        trail_add_run(&s->edge_file, keys + begin, count);
        trail_add_run(&s->edge_file, &count, 1);
    }
    if (s->edge_file.count > MOST_WORDS || s->edge_file.keep == UINT64_MAX) {
        s->edges_kept = false;
        trail_fini(&s->edge_file);
        trail_init(&s->edge_file, 1);
    }
}

void edges_back_init(struct edges_back *b, struct space *s) {
    *b = (struct edges_back){0};
    trail_cursor_init(&b->at, &s->edge_file, true);
}

void edges_back_fini(struct edges_back *b) { free(b->spare.memory); }

const uint64_t *edges_back_next(struct edges_back *b, uint32_t *count) {
    const uint64_t *number = trail_previous(&b->at, 1, &b->spare);
    if (!number) return NULL;
    *count = (uint32_t)*number;
    return trail_previous(&b->at, *count, &b->spare);
}
