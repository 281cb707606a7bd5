/* shard_code.h: the hot loops of shard.c. It is included once for each kind of machine, with
 *     TARGET          what the compiler may use: an attribute, or nothing
 *     NAME(x)         x with the kind's name
 *     match_kind(l,v) the words of the line l that are v, as a set of bits
 * The loops are written once for all formats (`per_line` is a constant in each use) and compiled for each.
 */
#define LOOP static inline TARGET __attribute__((always_inline))

/* Where the image is (true), or where it can be put (false); spot->line is NULL if there is no room near its home.
 * spot->entry is what the slot holds, or should. */
LOOP bool NAME(locate)(const struct shard *s, unsigned per_line, struct place p, struct spot *spot) {
    const unsigned all = (1u << per_line) - 1;
    spot->entry = p.entry;
    spot->line = line_at(s, p.line);
    for (unsigned left = MAX_DISTANCE + 1; left > 0; left--, spot->line += 16, spot->entry++) {
        unsigned hits = NAME(match)(spot->line, (uint32_t)spot->entry) & all;
        for (; hits; hits &= hits - 1) {
            spot->index = (unsigned)__builtin_ctz(hits);
            if (per_line == 16 || entry_at(spot->line, per_line, spot->index) == spot->entry) return true;
        }
        unsigned empty = NAME(match)(spot->line, 0) & all;
        spot->index = (unsigned)__builtin_ctz(empty | 1u << 31);
        if (empty) return false;
    }
    spot->line = NULL;
    return false;
}

/* Inserts images from index *next on until all are done (true) or the shard must grow. Works on a copy of the
 * description, which stays in registers whatever is stored. */
LOOP bool NAME(insert)(struct shard *shard, unsigned per_line, const uint64_t *images, uint32_t n, uint32_t *fresh,
                       uint32_t *fresh_count, uint32_t *next) {
    const struct shard copy = *shard, *s = &copy;
    uint64_t room = s->limit > s->count ? s->limit - s->count : 0, taken = 0;
    uint32_t found = *fresh_count, i = *next;
    struct place ahead[AHEAD];
    for (uint32_t k = 0; k < AHEAD && i + k < n; k++) {
        ahead[(i + k) % AHEAD] = place_of(s, images[i + k]);
        __builtin_prefetch(line_at(s, ahead[(i + k) % AHEAD].line));
    }
    bool full = false;
    for (uint32_t at = i % AHEAD; i < n; i++, at = at + 1 == AHEAD ? 0 : at + 1) {
        struct place p = ahead[at];
        struct spot spot;
        if (i + AHEAD < n) {
            ahead[at] = place_of(s, images[i + AHEAD]);
            __builtin_prefetch(line_at(s, ahead[at].line));
        }
        if (NAME(locate)(s, per_line, p, &spot)) continue;
        if (__builtin_expect(taken >= room || !spot.line, 0)) {
            if (taken < room) spot = make_room(shard, p);
            full = !spot.line || taken >= room;
            if (full) break;
        }
        put_entry(spot.line, per_line, spot.index, spot.entry);
        taken++;
        fresh[found++] = i;
    }
    shard->count += taken;
    *fresh_count = found;
    *next = i;
    return !full;
}

TARGET static bool NAME(insert_any)(struct shard *s, const uint64_t *images, uint32_t n, uint32_t *fresh,
                                    uint32_t *fresh_count, uint32_t *next) {
    switch (s->per_line) {
    case 16: return NAME(insert)(s, 16, images, n, fresh, fresh_count, next);
    case 12: return NAME(insert)(s, 12, images, n, fresh, fresh_count, next);
    case 10: return NAME(insert)(s, 10, images, n, fresh, fresh_count, next);
    default: return NAME(insert)(s, 8, images, n, fresh, fresh_count, next);
    }
}

TARGET static uint64_t NAME(find)(const struct shard *s, uint64_t image) {
    struct place p = place_of(s, image);
    struct spot spot;
    bool found;
    switch (s->per_line) {
    case 16: found = NAME(locate)(s, 16, p, &spot); break;
    case 12: found = NAME(locate)(s, 12, p, &spot); break;
    case 10: found = NAME(locate)(s, 10, p, &spot); break;
    default: found = NAME(locate)(s, 8, p, &spot); break;
    }
    return found ? (uint64_t)(spot.line - line_at(s, 0)) / 16 * s->per_line + spot.index : SHARD_NONE;
}

/* From images to slots, in place. */
LOOP void NAME(find_each)(const struct shard *shard, unsigned per_line, uint32_t n, uint64_t *slots) {
    const struct shard copy = *shard, *s = &copy;
    for (uint32_t i = 0; i < n && i < AHEAD; i++) __builtin_prefetch(line_at(s, place_of(s, slots[i]).line));
    for (uint32_t i = 0; i < n; i++) {
        struct spot spot;
        if (i + AHEAD < n) __builtin_prefetch(line_at(s, place_of(s, slots[i + AHEAD]).line));
        bool found = NAME(locate)(s, per_line, place_of(s, slots[i]), &spot);
        uint64_t line = (uint64_t)(spot.line - line_at(s, 0)) / 16;
        slots[i] = found ? line * per_line + spot.index : SHARD_NONE;
    }
}

TARGET static void NAME(find_all)(const struct shard *s, uint32_t n, uint64_t *slots) {
    switch (s->per_line) {
    case 16: NAME(find_each)(s, 16, n, slots); break;
    case 12: NAME(find_each)(s, 12, n, slots); break;
    case 10: NAME(find_each)(s, 10, n, slots); break;
    default: NAME(find_each)(s, 8, n, slots); break;
    }
}

/* From the last old line to the first: empties it, and places its images. No home comes before the old one; but an
 * image that was not in its old home may have a new home before this line, and waits until that line was emptied. That
 * happens only near the beginning. */
LOOP void NAME(spread)(const struct shard *shard, unsigned per_line, const struct shard *old, struct moving *m) {
    const struct shard copy = *shard, before = *old, *s = &copy;
    struct pending *waiting = &m->waiting, *strays = &m->strays;
    struct filling filling = {.lowest = s->lines};
    for (uint64_t line = before.lines; line-- > 0;) {
        uint64_t images[16];
        unsigned count = 0;
        uint32_t *l = line_at(s, line);
        for (; count < before.per_line && l[count]; count++)
            images[count] = image_at(&before, line, entry_at(l, before.per_line, count));
        memset(l, 0, 64);
        for (unsigned i = 0; i < count; i++) {
            struct place p = place_of(s, images[i]);
            assert(image_at(s, p.line, p.entry) == images[i]); /* home and remainder tell it from all others */
            if (__builtin_expect(p.line < line, 0)) pending_add(waiting, images[i]);
            else if (!fill(s, per_line, &filling, p)) pending_add(strays, images[i]);
        }
        for (uint32_t i = waiting->count; i-- > 0;) {
            struct place p = place_of(s, waiting->images[i]);
            if (p.line < line) continue;
            if (!fill(s, per_line, &filling, p)) pending_add(strays, waiting->images[i]);
            waiting->images[i] = waiting->images[--waiting->count];
        }
    }
}

TARGET static void NAME(spread_any)(const struct shard *s, const struct shard *old, struct moving *m) {
    switch (s->per_line) {
    case 16: NAME(spread)(s, 16, old, m); break;
    case 12: NAME(spread)(s, 12, old, m); break;
    case 10: NAME(spread)(s, 10, old, m); break;
    default: NAME(spread)(s, 8, old, m); break;
    }
}

static const struct shard_code NAME(code) = {NAME(insert_any), NAME(find), NAME(find_all), NAME(spread_any)};

#undef LOOP
#undef TARGET
#undef NAME
