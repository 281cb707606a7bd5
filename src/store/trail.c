#include "store/trail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

enum { PART_BYTES = 1 << 20, KEEP_BYTES = 16 << 20, NO_FILE = -1, NEVER = -2 };

void trail_init(struct trail *t, uint32_t words) {
    uint32_t states = (uint32_t)(PART_BYTES / (words * sizeof(word)));
    *t = (struct trail){
        .words = words,
        .part_states = states ? states : 1,
        .file = NO_FILE,
        .window_part = UINT64_MAX,
    };
    t->keep = KEEP_BYTES / ((uint64_t)t->part_states * words * sizeof(word));
    if (t->keep < 2) t->keep = 2;
}

void trail_fini(struct trail *t) {
    for (uint64_t i = 0; i < t->part_count; i++) free(t->parts[i]);
    free(t->parts);
    free(t->window);
    if (t->file >= 0) close(t->file);
    *t = (struct trail){.file = NO_FILE};
}

static size_t part_bytes(const struct trail *t) { return (size_t)t->part_states * t->words * sizeof(word); }

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
        ssize_t n = pwrite(t->file, (char *)t->parts[part] + done, size - done, (off_t)(part * size + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}

/* Makes room for a new part by writing out the oldest in memory. */
static void write_out(struct trail *t) {
    if (t->part_count - t->first_kept < t->keep || t->file == NEVER) return;
    if (t->file == NO_FILE) t->file = open_file();
    if (t->file == NEVER) return;
    uint64_t part = t->first_kept;
    if (!write_part(t, part)) {
        t->keep = UINT64_MAX; /* what is in the file stays readable; the rest stays in memory */
        return;
    }
    free(t->parts[part]);
    t->parts[part] = NULL;
    t->first_kept++;
}

static void add_part(struct trail *t) {
    write_out(t);
    if (t->part_count == t->part_room) {
        t->part_room = t->part_room ? 2 * t->part_room : 64;
        t->parts = memory_resize(t->parts, t->part_room * sizeof *t->parts);
    }
    t->parts[t->part_count++] = memory_get(part_bytes(t));
}

void trail_add(struct trail *t, const word *state) {
    uint64_t place = t->count % t->part_states;
    if (place == 0) add_part(t);
    word *to = t->parts[t->part_count - 1] + place * t->words;
    for (uint32_t i = 0; i < t->words; i++) to[i] = state[i];
    t->count++;
}

static bool read_part(struct trail *t, uint64_t part) {
    size_t done = 0, size = part_bytes(t);
    if (!t->window) t->window = memory_get(size);
    t->window_part = UINT64_MAX;
    while (done < size) {
        ssize_t n = pread(t->file, (char *)t->window + done, size - done, (off_t)(part * size + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += (size_t)n;
    }
    t->window_part = part;
    return true;
}

const word *trail_read(struct trail *t, uint64_t at, uint32_t most, uint32_t *count) {
    uint64_t part = at / t->part_states, place = at % t->part_states;
    uint64_t left = t->part_states - place;
    if (left > t->count - at) left = t->count - at;
    *count = left < most ? (uint32_t)left : most;
    if (!t->parts[part] && t->window_part != part && !read_part(t, part)) return NULL;
    return (t->parts[part] ? t->parts[part] : t->window) + place * t->words;
}

uint64_t trail_bytes(const struct trail *t) {
    return (t->part_count - t->first_kept + (t->window ? 1 : 0)) * part_bytes(t);
}

void trail_add_words(struct trail *t, const word *from, uint64_t n) {
    while (n > 0) {
        uint64_t place = t->count % t->part_states, some = t->part_states - place;
        if (place == 0) add_part(t);
        if (some > n) some = n;
        word *to = t->parts[t->part_count - 1] + place;
        for (uint64_t i = 0; i < some; i++) to[i] = from[i];
        t->count += some;
        from += some;
        n -= some;
    }
}

void trail_cursor_init(struct trail_cursor *c, struct trail *t) { *c = (struct trail_cursor){t, 0}; }
void trail_cursor_init_end(struct trail_cursor *c, struct trail *t) { *c = (struct trail_cursor){t, t->count}; }

/* Words [at, at + n), which may be in two parts. */
static bool copy_words(struct trail *t, uint64_t at, word *to, uint64_t n) {
    while (n > 0) {
        uint32_t some;
        const word *from = trail_read(t, at, n < UINT32_MAX ? (uint32_t)n : UINT32_MAX, &some);
        if (!from) return false;
        for (uint32_t i = 0; i < some; i++) to[i] = from[i];
        at += some;
        to += some;
        n -= some;
    }
    return true;
}

bool trail_next_words(struct trail_cursor *c, word *to, uint64_t n) {
    if (c->t->count - c->at < n || !copy_words(c->t, c->at, to, n)) return false;
    c->at += n;
    return true;
}

bool trail_previous_words(struct trail_cursor *c, word *to, uint64_t n) {
    if (c->at < n || !copy_words(c->t, c->at - n, to, n)) return false;
    c->at -= n;
    return true;
}
