#include "store/trail.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/* A part is written by one thread while others may wait for it, so it is small; large enough for few calls. */
enum { PART_BYTES = 1 << 18, KEEP_BYTES = 16 << 20, NO_FILE = -1, NEVER = -2 };

void trail_init_items(struct trail *t, uint32_t item_bytes, uint64_t keep_bytes) {
    uint32_t items = PART_BYTES / item_bytes;
    *t = (struct trail){
        .item_bytes = item_bytes,
        .part_items = items ? items : 1,
        .file = NO_FILE,
        .window_part = UINT64_MAX,
    };
    t->keep = keep_bytes / ((uint64_t)t->part_items * item_bytes);
    if (t->keep < 2) t->keep = 2;
}

void trail_init(struct trail *t, uint32_t words) { trail_init_items(t, words * (uint32_t)sizeof(word), KEEP_BYTES); }

void trail_fini(struct trail *t) {
    for (uint64_t i = 0; i < t->part_count; i++) free(t->parts[i]);
    free(t->parts);
    free(t->window);
    if (t->file >= 0) close(t->file);
    *t = (struct trail){.file = NO_FILE};
}

static size_t part_bytes(const struct trail *t) { return (size_t)t->part_items * t->item_bytes; }

/* On a disk rather than in memory where there is a choice: /tmp is often a file system in memory. */
static int open_file(void) {
    const char *chosen = getenv("TMPDIR");
    const char *const folders[] = {chosen && *chosen ? chosen : "/var/tmp", "/var/tmp", "/tmp", "."};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        int fd = open(folders[i], O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
        if (fd >= 0) return fd;
        char *path = text_format("%s/onager-XXXXXX", folders[i]);
        fd = mkostemp(path, O_CLOEXEC);
        if (fd >= 0) unlink(path);
        free(path);
        if (fd >= 0) return fd;
    }
    return NEVER;
}

static bool write_part(struct trail *t, uint64_t part) {
    size_t done = 0, size = part_bytes(t);
    while (done < size) {
        ssize_t n = pwrite(t->file, t->parts[part] + done, size - done, (off_t)(part * size + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}

/* Makes room for a new part by writing out the oldest in memory. Returns that room, or NULL. */
static char *write_out(struct trail *t) {
    if (t->part_count - t->first_kept < t->keep || t->file == NEVER) return NULL;
    if (t->file == NO_FILE) t->file = open_file();
    if (t->file == NEVER) return NULL;
    uint64_t part = t->first_kept;
    if (!write_part(t, part)) {
        t->keep = UINT64_MAX; /* what is in the file stays readable; the rest stays in memory */
        return NULL;
    }
    assert(t->parts[part]); /* parts are written out in their order */
    char *room = t->parts[part];
    t->parts[part] = NULL;
    t->first_kept++;
    return room;
}

static void add_part(struct trail *t) {
    char *room = write_out(t);
    if (t->part_count == t->part_room) {
        t->part_room = t->part_room ? 2 * t->part_room : 64;
        t->parts = memory_resize(t->parts, t->part_room * sizeof *t->parts);
    }
    t->parts[t->part_count++] = room ? room : memory_get(part_bytes(t));
}

void trail_add(struct trail *t, const word *state) {
    uint64_t place = t->count % t->part_items;
    if (place == 0) add_part(t);
    assert(t->part_count == t->count / t->part_items + 1 && t->parts[t->part_count - 1]); /* the newest is in memory */
    word *to = (word *)(void *)(t->parts[t->part_count - 1] + place * t->item_bytes);
    for (uint32_t i = 0; i < t->item_bytes / sizeof(word); i++) to[i] = state[i];
    t->count++;
}

static bool read_part(struct trail *t, uint64_t part) {
    size_t done = 0, size = part_bytes(t);
    assert(part < t->first_kept && t->file >= 0); /* what is not in memory was written */
    if (!t->window) t->window = memory_get(size);
    t->window_part = UINT64_MAX;
    while (done < size) {
        ssize_t n = pread(t->file, t->window + done, size - done, (off_t)(part * size + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += (size_t)n;
    }
    t->window_part = part;
    return true;
}

const void *trail_read(struct trail *t, uint64_t at, uint32_t most, uint32_t *count) {
    uint64_t part = at / t->part_items, place = at % t->part_items;
    assert(at <= t->count);
    uint64_t left = t->part_items - place;
    if (left > t->count - at) left = t->count - at;
    *count = left < most ? (uint32_t)left : most;
    if (!t->parts[part] && t->window_part != part && !read_part(t, part)) return NULL;
    return (t->parts[part] ? t->parts[part] : t->window) + place * t->item_bytes;
}

uint64_t trail_bytes(const struct trail *t) {
    return (t->part_count - t->first_kept + (t->window ? 1 : 0)) * part_bytes(t);
}

void trail_add_run(struct trail *t, const void *items, uint64_t n) {
    for (const char *from = items; n > 0;) {
        uint64_t place = t->count % t->part_items, some = t->part_items - place;
        if (place == 0) add_part(t);
        if (some > n) some = n;
        memcpy(t->parts[t->part_count - 1] + place * t->item_bytes, from, some * t->item_bytes);
        t->count += some;
        from += some * t->item_bytes;
        n -= some;
    }
}

void trail_cursor_init(struct trail_cursor *c, struct trail *t) { *c = (struct trail_cursor){.t = t}; }

/* Makes the cursor's part the one that contains item number `at`. */
static bool go_to_part(struct trail_cursor *c, uint64_t at) {
    uint32_t count;
    c->first = at / c->t->part_items * c->t->part_items;
    c->part = trail_read(c->t, c->first, UINT32_MAX, &count);
    c->end = c->first + count;
    return c->part != NULL;
}

/* Items [at, at + n), which may be in several parts. */
static bool copy_items(struct trail_cursor *c, uint64_t at, char *to, uint64_t n) {
    while (n > 0) {
        if ((at < c->first || at >= c->end) && !go_to_part(c, at)) return false;
        uint64_t some = c->end - at < n ? c->end - at : n;
        assert(c->first <= at && at < c->end);
        memcpy(to, c->part + (at - c->first) * c->t->item_bytes, some * c->t->item_bytes);
        at += some;
        to += some * c->t->item_bytes;
        n -= some;
    }
    return true;
}

/* Items [at, at + n), together. */
static const void *gather(struct trail_cursor *c, uint64_t at, uint64_t n, struct trail_spare *spare) {
    size_t bytes = n * c->t->item_bytes;
    if (bytes > spare->bytes) spare->memory = memory_resize(spare->memory, spare->bytes = 2 * bytes);
    if (!spare->memory) spare->memory = memory_get(spare->bytes = 64);
    return copy_items(c, at, spare->memory, n) ? spare->memory : NULL;
}

const void *trail_next_far(struct trail_cursor *c, uint64_t n, struct trail_spare *spare) {
    if (c->t->count - c->at < n) return NULL;
    c->at += n;
    return gather(c, c->at - n, n, spare);
}
