#include "check/checkpoint.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "check/saved_run.h"
#include "store/archive.h"

enum {
    BATCH = 1024, /* states */
    SHARE = 9,    /* a search gets so many times what checkpoints take */
};

void checkpoint_init(struct checkpoint *c, const char *folder, double every, const struct ts *ts,
                     const struct questions *q) {
    *c = (struct checkpoint){.folder = memory_copy_string(folder), .every = every, .lock = -1};
    c->next = clock_seconds() + every;
    identity_of_model(&c->model, ts);
    saved_run(&c->run, ts, q, q->checks);
}

void checkpoint_fini(struct checkpoint *c) {
    if (c->lock >= 0) close(c->lock);
    identity_fini(&c->model);
    identity_fini(&c->run);
    free(c->segments);
    free(c->folder);
    *c = (struct checkpoint){.lock = -1};
}

void position_take(struct position *p, const struct space *s, uint64_t expanded, uint64_t level_end) {
    p->expanded = expanded;
    p->level_end = level_end;
    p->states = s->trail.count;
    p->levels = s->levels.count;
    p->edges = s->edges;
    p->terminals = s->terminals;
}

/* ---- Files ---- */

static char *manifest_path(const struct checkpoint *c) { return text_format("%s/manifest", c->folder); }

static char *segment_path(const struct checkpoint *c, size_t i) {
    return text_format("%s/states-%06zu", c->folder, i + 1);
}

static bool lock_folder(struct checkpoint *c, struct problem *why) {
    c->lock = open(c->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (c->lock < 0) return problem_set(why, EXIT_BAD_INPUT, "the folder cannot be used: %s", strerror(errno));
    if (flock(c->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return problem_set(why, EXIT_BAD_INPUT, "the folder is in use by another onager");
    return true;
}

/* To be known before the search, not when it shall be saved for the first time. */
static bool can_write(const struct checkpoint *c, struct problem *why) {
    return faccessat(c->lock, ".", W_OK, AT_EACCESS) == 0 ||
           problem_set(why, EXIT_BAD_INPUT, "the folder cannot be written: %s", strerror(errno));
}

bool checkpoint_begin(struct checkpoint *c, struct problem *why) {
    if (mkdir(c->folder, 0777) != 0 && errno != EEXIST)
        return problem_set(why, EXIT_BAD_INPUT, "the folder cannot be made: %s", strerror(errno));
    if (!lock_folder(c, why) || !can_write(c, why)) return false;
    if (faccessat(c->lock, "manifest", F_OK, 0) == 0)
        return problem_set(why, EXIT_BAD_INPUT,
                           "the folder has a checkpoint already: continue it (--resume %s), or remove the folder",
                           c->folder);
    return true;
}

static void add_segment(struct checkpoint *c, struct checkpoint_segment segment) {
    assert(segment.first == c->saved); /* segments follow each other, and none overlap */
    c->segments = memory_resize(c->segments, (c->segment_count + 1) * sizeof *c->segments);
    c->segments[c->segment_count++] = segment;
    c->saved += segment.count;
}

/* ---- Writing ---- */

static bool write_segment(struct checkpoint *c, struct space *s, uint64_t states, struct problem *why) {
    struct checkpoint_segment segment = {.first = c->saved, .count = states - c->saved};
    if (states < c->saved) return problem_set(why, EXIT_INTERNAL, "a checkpoint cannot be older than the one before");
    if (segment.count == 0) return true;
    char *path = segment_path(c, c->segment_count);
    struct archive_writer *w = archive_create(path, ARCHIVE_STATES, why);
    free(path);
    if (!w) return false;
    if (!saved_states(w, s, c->saved, states, SAVED_WHOLLY, why)) return archive_abandon(w), false;
    if (!archive_commit(w, &segment.seal, why)) return false;
    add_segment(c, segment);
    return true;
}

/* How many marks there are: none, or one bit for each state, by number; then the bits in 64-bit numbers. */
static bool write_marks(struct archive_writer *w, struct space *s, const struct position *p, struct problem *why) {
    struct walk walk;
    struct stop stop = {.kind = STOP_DONE};
    uint64_t slots[BATCH], bits = 0, number = 0;
    if (!p->marked.bits.base) return archive_write_number(w, 0), true;
    bool good = archive_write_number(w, p->states);
    walk_init(&walk, s, false, 0, BATCH);
    while (good && number < p->states && walk_next(&walk, &stop)) {
        space_find(s, walk.states, walk.count, slots);
        for (uint32_t i = 0; i < walk.count && number < p->states; i++, number++) {
            bits |= (uint64_t)bitmap_has(&p->marked, slots[i]) << number % 64;
            if (number % 64 != 63) continue;
            good = archive_write_number(w, bits);
            bits = 0;
        }
    }
    assert(!good || number == p->states || stop.kind != STOP_DONE); /* a bit for each state */
    if (number % 64) archive_write_number(w, bits);
    return walk_fini(&walk) || problem_set(why, EXIT_INCONCLUSIVE, "%s", stop.reason);
}

static void write_counters(struct archive_writer *w, const struct space *s, const struct position *p) {
    const uint64_t all[] = {p->phase,  p->passed, p->expanded,  p->level_end,
                            p->states, p->edges,  p->terminals, p->levels};
    archive_section(w, "position");
    archive_write(w, all, sizeof all);
    archive_section(w, "levels");
    archive_write(w, s->levels.at, p->levels * sizeof *s->levels.at);
}

static bool write_manifest(struct checkpoint *c, struct space *s, const struct position *p, struct problem *why) {
    char *path = manifest_path(c);
    struct archive_writer *w = archive_create(path, ARCHIVE_CHECKPOINT, why);
    free(path);
    if (!w) return false;
    identity_write(&c->model, w, "model");
    identity_write(&c->run, w, "run");
    write_counters(w, s, p);
    archive_section(w, "segments");
    archive_write_number(w, c->segment_count);
    archive_write(w, c->segments, c->segment_count * sizeof *c->segments);
    archive_section(w, "marks");
    if (!write_marks(w, s, p, why)) return archive_abandon(w), false;
    return archive_commit(w, NULL, why);
}

bool checkpoint_write(struct checkpoint *c, struct space *s, const struct position *p, struct problem *why) {
    double start = clock_seconds();
    bool good = write_segment(c, s, p->states, why) && write_manifest(c, s, p, why);
    assert(!good || c->saved == p->states); /* the manifest is about what the segments hold */
    double end = clock_seconds(), rest = SHARE * (end - start);
    c->next = end + (c->every > rest ? c->every : rest);
    return good;
}

/* ---- Reading ---- */

static bool nonsense(const struct checkpoint *c, const char *what, struct problem *why) {
    return problem_set(why, EXIT_BAD_INPUT, "the checkpoint in %s cannot be used: %s", c->folder, what);
}

/* Whether it is a state at all: the mark is there, and nothing where no variable is. */
static bool is_state(const struct ts *ts, const word *s) {
    unsigned used = (ts->bits + 1) % 64;
    return (s[0] & 1) && (!used || s[ts->words - 1] >> used == 0);
}

/* Of how many it is told, so that one can see how much is missing. */
static bool limit_reached(const struct checkpoint *c, const struct space *s, const char *reason, struct problem *why) {
    return problem_set(why, EXIT_INCONCLUSIVE,
                       "%s when %llu of the %llu states of the checkpoint were read, so the search did not "
                       "continue",
                       reason, (unsigned long long)s->states, (unsigned long long)c->saved);
}

/* Puts a batch of states on the trail and in the table. */
static bool take_states(struct checkpoint *c, struct space *s, const word *states, uint32_t count,
                        struct problem *why) {
    uint32_t fresh[BATCH], fresh_count, words = s->ts->words;
    struct stop stop;
    for (uint32_t i = 0; i < count; i++)
        if (!is_state(s->ts, states + (size_t)i * words)) return nonsense(c, "something in it is not a state", why);
    if (space_insert(s, states, count, fresh, &fresh_count) < count)
        return limit_reached(c, s, "the limit on memory (--max-memory) was reached", why);
    if (fresh_count < count) return nonsense(c, "it has a state twice", why);
    for (uint32_t i = 0; i < count; i++) space_add(s, states + (size_t)i * words);
    s->states += count;
    if (space_must_stop(s, "resuming", s->trail.count, c->saved, &stop)) return limit_reached(c, s, stop.reason, why);
    return true;
}

static bool read_segment(struct checkpoint *c, struct space *s, size_t i, struct problem *why) {
    const struct checkpoint_segment *segment = &c->segments[i];
    size_t size = s->ts->words * sizeof(word);
    char *path = segment_path(c, i);
    struct archive_reader *r = archive_open(path, ARCHIVE_STATES, why);
    word *states = memory_get(BATCH * size);
    uint64_t seal = 0, left = segment->count;
    bool good = r && archive_enter(r, "states", why);
    while (good && left > 0) {
        uint32_t some = left < BATCH ? (uint32_t)left : BATCH;
        good = archive_get(r, states, some * size, why) && take_states(c, s, states, some, why);
        left -= some;
    }
    good = good && archive_finish(r, &seal, why);
    if (good && seal != segment->seal)
        good = problem_set(why, EXIT_BAD_INPUT, "%s is not the file that the manifest beside it names", path);
    free(states);
    archive_close(r);
    free(path);
    return good;
}

static bool read_counters(struct archive_reader *r, struct checkpoint *c, struct space *s, struct position *p,
                          struct problem *why) {
    uint64_t all[8], start;
    if (!archive_enter(r, "position", why) || !archive_get(r, all, sizeof all, why)) return false;
    p->phase = (enum property)all[0];
    p->passed = (unsigned)all[1];
    p->expanded = all[2];
    p->level_end = all[3];
    p->states = all[4];
    p->edges = s->edges = all[5];
    p->terminals = s->terminals = all[6];
    p->levels = all[7];
    if (p->expanded > p->states || p->level_end > p->states || p->levels > p->states)
        return nonsense(c, "its counters do not fit together", why);
    if (!archive_enter(r, "levels", why)) return false;
    for (uint64_t i = 0; i < p->levels; i++) {
        if (!archive_get_number(r, &start, why)) return false;
        if (start >= p->states || (i ? start <= s->levels.at[i - 1] : start != 0))
            return nonsense(c, "its levels do not fit together", why);
        numbers_add(&s->levels, start);
    }
    return true;
}

/* The list of segments. */
static bool read_segments(struct archive_reader *r, struct checkpoint *c, uint64_t states, struct problem *why) {
    uint64_t count;
    if (!archive_enter(r, "segments", why) || !archive_get_number(r, &count, why)) return false;
    for (uint64_t i = 0; i < count; i++) {
        struct checkpoint_segment segment;
        if (!archive_get(r, &segment, sizeof segment, why)) return false;
        if (segment.first != c->saved || segment.count == 0 || segment.count > states - c->saved)
            return nonsense(c, "its segments do not fit together", why);
        add_segment(c, segment);
    }
    return c->saved == states || nonsense(c, "its segments do not fit together", why);
}

/* After the states: marks are kept by slot. */
static bool read_marks(struct archive_reader *r, struct checkpoint *c, struct space *s, struct bitmap *marked,
                       struct problem *why) {
    struct walk walk;
    struct stop stop = {.kind = STOP_DONE};
    uint64_t slots[BATCH], count, bits = 0, number = 0;
    if (!archive_enter(r, "marks", why) || !archive_get_number(r, &count, why)) return false;
    if (count == 0) return true;
    if (count != s->trail.count) return nonsense(c, "it does not have a mark for each state", why);
    if (!bitmap_init(marked, store_slots(&s->store)))
        return problem_set(why, EXIT_INCONCLUSIVE, "no memory for the marks");
    bool good = true;
    walk_init(&walk, s, false, 0, BATCH);
    while (good && walk_next(&walk, &stop)) {
        space_find(s, walk.states, walk.count, slots);
        for (uint32_t i = 0; good && i < walk.count; i++, number++) {
            if (number % 64 == 0) good = archive_get_number(r, &bits, why);
            if (bits >> number % 64 & 1) bitmap_add(marked, slots[i]);
        }
        if (space_must_stop(s, "resuming", number, count, &stop)) break;
    }
    if (!walk_fini(&walk)) return problem_set(why, EXIT_INCONCLUSIVE, "%s", stop.reason);
    return good;
}

static bool read_identity(const struct checkpoint *c, struct archive_reader *r, struct problem *why) {
    struct identity model = {0}, run = {0};
    bool good = identity_read(&model, r, "model", why) && identity_read(&run, r, "run", why) &&
                identity_same(&model, &c->model, "checkpoint", why) && identity_same(&run, &c->run, "checkpoint", why);
    identity_fini(&model);
    identity_fini(&run);
    return good;
}

/* All that follows the identity. */
static bool read_space(struct archive_reader *r, struct checkpoint *c, struct space *s, struct position *p,
                       struct problem *why) {
    if (!read_counters(r, c, s, p, why) || !read_segments(r, c, p->states, why)) return false;
    if (s->limits.max_states && p->states > s->limits.max_states)
        return problem_set(why, EXIT_BAD_INPUT,
                           "the checkpoint has %llu states already, more than --max-states %llu: give a higher limit",
                           (unsigned long long)p->states, (unsigned long long)s->limits.max_states);
    for (size_t i = 0; i < c->segment_count; i++)
        if (!read_segment(c, s, i, why)) return false;
    if (p->phase != PROP_NONE) store_settle(&s->store); /* all states are there: questions know them by slot */
    return read_marks(r, c, s, &p->marked, why) && archive_finish(r, NULL, why);
}

bool checkpoint_read(struct checkpoint *c, struct space *s, struct position *p, struct problem *why) {
    *p = (struct position){.phase = PROP_NONE};
    if (!lock_folder(c, why)) return false;
    if (faccessat(c->lock, "manifest", F_OK, 0) != 0)
        return problem_set(why, EXIT_BAD_INPUT, "there is no checkpoint: manifest: %s", strerror(errno));
    if (!can_write(c, why)) return false;
    char *path = manifest_path(c);
    struct archive_reader *r = archive_open(path, ARCHIVE_CHECKPOINT, why);
    bool good = r && read_identity(c, r, why) && read_space(r, c, s, p, why);
    archive_close(r);
    free(path);
    if (!good) bitmap_fini(&p->marked);
    s->edges_kept = false;
    c->next = clock_seconds() + c->every;
    return good;
}
