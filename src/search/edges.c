#include "search/edges.h"

#include <stdlib.h>
#include <string.h>

/* The file may become this large; beyond that, expanding again is not so much slower. */
static const uint64_t MOST_WORDS = UINT64_C(1) << 29;

void edges_note(struct space *s, const struct ts_batch *batch) {
    uint32_t words = s->ts->words;
    for (uint32_t i = 0, begin = 0; i < batch->count; begin = batch->ends[i++]) {
        uint64_t count = batch->ends[i] - begin;
        trail_add_run(&s->edge_file, batch->successors + (size_t)begin * words, count * words);
        trail_add_run(&s->edge_file, &count, 1);
    }
    if (s->edge_file.count > MOST_WORDS || s->edge_file.keep == UINT64_MAX) {
        s->edges_kept = false;
        trail_fini(&s->edge_file);
        trail_init(&s->edge_file, 1);
    }
}

void successors_init(struct successors *n, struct space *s, uint32_t most) {
    *n = (struct successors){.space = s, .room = (uint64_t)most * s->ts->transitions};
    ts_batch_init(&n->batch, s->ts, most);
    n->sources = memory_get((size_t)most * s->ts->words * sizeof(word));
    n->slots = memory_get(n->room * sizeof *n->slots);
    n->begins = memory_get(most * sizeof *n->begins);
    n->counts = memory_get(most * sizeof *n->counts);
    if (s->edges_kept) {
        n->states = memory_get(n->room * s->ts->words * sizeof(word));
        trail_cursor_init(&n->back, &s->edge_file, true);
    }
}

void successors_fini(struct successors *n) {
    ts_batch_fini(&n->batch);
    free(n->sources);
    free(n->spare.memory);
    free(n->states);
    free(n->slots);
    free(n->begins);
    free(n->counts);
}

static bool stop_with(struct stop *stop, const char *reason) {
    *stop = (struct stop){.kind = STOP_LIMIT, .reason = reason};
    return false;
}

static bool from_file(struct successors *n, const struct walk *walk, const bool *wanted, struct stop *stop) {
    uint32_t words = n->space->ts->words;
    n->count = 0;
    for (uint32_t i = walk->count; i-- > 0;) {
        const uint64_t *number = trail_previous(&n->back, 1, &n->spare);
        uint64_t count = number ? *number : 0;
        const word *states = number ? trail_previous(&n->back, count * words, &n->spare) : NULL;
        if (!states) return stop_with(stop, "the file of edges could not be read back");
        n->begins[i] = n->count;
        n->counts[i] = (uint32_t)count;
        if (!wanted[i]) continue;
        for (uint64_t k = 0; k < count * words; k++) n->states[(size_t)n->count * words + k] = states[k];
        n->count += (uint32_t)count;
    }
    space_find(n->space, n->states, n->count, n->slots);
    return true;
}

static bool by_expanding(struct successors *n, const struct walk *walk, const bool *wanted, struct stop *stop) {
    uint32_t words = n->space->ts->words, k = 0;
    for (uint32_t i = 0; i < walk->count; i++)
        if (wanted[i]) memcpy(n->sources + (size_t)k++ * words, walk->states + (size_t)i * words, words * sizeof(word));
    n->count = 0;
    n->batch.sources = n->sources;
    n->batch.count = k;
    if (k == 0) return true;
    uint32_t done = n->space->ts->ops->expand(n->space->worker, &n->batch);
    k = 0;
    for (uint32_t i = 0; i < walk->count; i++) {
        if (!wanted[i]) continue;
        if (k == done) {
            *stop = (struct stop){.kind = STOP_FAULT, .state = walk->first + i, .fault = n->batch.fault};
            return false;
        }
        n->begins[i] = k ? n->batch.ends[k - 1] : 0;
        n->counts[i] = n->batch.ends[k++] - n->begins[i];
    }
    n->count = n->batch.ends[k - 1];
    space_find(n->space, n->batch.successors, n->count, n->slots);
    return true;
}

bool successors_before(struct successors *n, const struct walk *walk, const bool *wanted, struct stop *stop) {
    if (!(n->states ? from_file : by_expanding)(n, walk, wanted, stop)) return false;
    for (uint32_t e = 0; e < n->count; e++)
        if (n->slots[e] == STORE_NONE) return stop_with(stop, "the state space is not complete");
    return true;
}
