/* table_code.h: the hot loops of table.c. It is included once for each kind of machine, with
 *     TARGET        what the compiler may use: an attribute, or nothing
 *     NAME(x)       x with the kind's name
 *     MATCH8(l, v)  the slots of the wide line l that contain v, as a set of bits
 *     MATCH16(l, v) the same for a narrow line
 * The loops are written once for all formats (`words` and `narrow` are constants in each use) and compiled for each.
 */
#define LOOP static inline TARGET __attribute__((always_inline))

/* A key is what a search starts from, computed for a whole batch beforehand: of wide lines the image; of narrow ones
 * the home line, and in the low half what the slot holds if it is there. */
LOOP uint64_t NAME(key_of)(const struct table *t, uint32_t words, bool narrow, const word *state) {
    uint64_t image = image_of(t, words, state);
    if (!narrow) return image;
    struct place p = place_of(t, 1, image);
    return p.line << 32 | narrow_entry(t, p, 0);
}

LOOP uint64_t NAME(line_of)(const struct table *t, uint32_t words, bool narrow, uint64_t key) {
    return narrow ? key >> 32 : place_of(t, words, key).line;
}

/* The slot where the state is (true), or where it can be put (false), or TABLE_NONE if there is no room near its home.
 * *content is what the slot holds, or should. */
LOOP bool NAME(locate)(const struct table *t, uint32_t words, bool narrow, uint64_t key, const word *state,
                       uint64_t *slot, uint64_t *content) {
    uint64_t line = NAME(line_of)(t, words, narrow, key);
    if (narrow) {
        uint32_t entry = (uint32_t)key;
        for (uint64_t end = line + MAX_DISTANCE; line < end && line < t->lines; line++, entry++) {
            const uint32_t *l = narrow_line(t, line);
            unsigned hits = MATCH16(l, entry), empty;
            *slot = line * NARROW + (unsigned)__builtin_ctz(hits | 1u << 31);
            if (hits) return true;
            empty = MATCH16(l, 0);
            *slot = line * NARROW + (unsigned)__builtin_ctz(empty | 1u << 31);
            *content = entry;
            if (empty) return false;
        }
    } else {
        *content = key;
        for (; line < t->lines; line++) {
            const word *l = wide_line(t, line);
            unsigned empty;
            for (unsigned hits = MATCH8(l, key); hits; hits &= hits - 1) {
                *slot = line * WIDE + (unsigned)__builtin_ctz(hits);
                if (words == 1 || same_rest(t, words, *slot, state)) return true;
            }
            empty = MATCH8(l, 0);
            *slot = line * WIDE + (unsigned)__builtin_ctz(empty | 1u << 31);
            if (empty) return false;
        }
    }
    *slot = TABLE_NONE;
    return false;
}

LOOP void NAME(put)(const struct table *t, uint32_t words, bool narrow, uint64_t slot, uint64_t content,
                    const word *state) {
    if (narrow) narrow_line(t, 0)[slot] = (uint32_t)content;
    else wide_line(t, 0)[slot] = content;
    for (uint32_t i = 1; i < words; i++) rests_of(t)[slot * (words - 1) + i - 1] = state[i];
}

/* The home line is enough: few states are elsewhere. */
LOOP void NAME(fetch)(const struct table *t, uint32_t words, bool narrow, uint64_t key) {
    __builtin_prefetch(wide_line(t, NAME(line_of)(t, words, narrow, key)));
}

/* Computes the keys from index `from` on, and fetches the lines of the first few. Like the loops below it works on a
 * copy of the table's description, which stays in registers whatever is stored. */
LOOP void NAME(begin)(const struct table *table, uint32_t words, bool narrow, const word *states, uint32_t from,
                      uint32_t n) {
    const struct table copy = *table, *t = &copy;
    for (uint32_t i = from; i < n; i++) t->keys[i] = NAME(key_of)(t, words, narrow, states + (size_t)i * words);
    for (uint32_t i = n; i < n + AHEAD; i++) t->keys[i] = 0;
    for (uint32_t i = from; i < from + AHEAD; i++) NAME(fetch)(t, words, narrow, t->keys[i]);
}

/* Inserts states from index *next on until all are done or the table must grow (true). */
LOOP bool NAME(insert)(struct table *table, uint32_t words, bool narrow, const word *states, uint32_t n,
                       uint32_t *fresh, uint32_t *fresh_count, uint32_t *next) {
    const struct table copy = *table, *t = &copy;
    uint64_t room = t->limit - t->count, taken = 0;
    uint32_t found = *fresh_count, i = *next;
    bool full = false;
    NAME(begin)(t, words, narrow, states, i, n);
    for (; i < n; i++) {
        const word *state = states + (size_t)i * words;
        uint64_t slot, content;
        NAME(fetch)(t, words, narrow, t->keys[i + AHEAD]);
        if (NAME(locate)(t, words, narrow, t->keys[i], state, &slot, &content)) continue;
        if (__builtin_expect(taken >= room || slot == TABLE_NONE, 0)) {
            full = true;
            break;
        }
        NAME(put)(t, words, narrow, slot, content, state);
        taken++;
        fresh[found++] = i;
    }
    table->count += taken;
    *fresh_count = found;
    *next = i;
    return full;
}

LOOP void NAME(find)(const struct table *table, uint32_t words, bool narrow, const word *states, uint32_t n,
                     uint64_t *slots) {
    const struct table copy = *table, *t = &copy;
    NAME(begin)(t, words, narrow, states, 0, n);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t content;
        NAME(fetch)(t, words, narrow, t->keys[i + AHEAD]);
        if (!NAME(locate)(t, words, narrow, t->keys[i], states + (size_t)i * words, &slots[i], &content))
            slots[i] = TABLE_NONE;
    }
}

TARGET static uint32_t NAME(insert_any)(struct table *t, const word *states, uint32_t n, uint32_t *fresh,
                                        uint32_t *fresh_count) {
    uint32_t i = 0;
    bool full;
    *fresh_count = 0;
    do {
        if (t->narrow) full = NAME(insert)(t, 1, true, states, n, fresh, fresh_count, &i);
        else if (t->words == 1) full = NAME(insert)(t, 1, false, states, n, fresh, fresh_count, &i);
        else if (t->words == 2) full = NAME(insert)(t, 2, false, states, n, fresh, fresh_count, &i);
        else full = NAME(insert)(t, t->words, false, states, n, fresh, fresh_count, &i);
    } while (full && grow(t));
    return i;
}

TARGET static void NAME(find_any)(struct table *t, const word *states, uint32_t n, uint64_t *slots) {
    if (t->narrow) NAME(find)(t, 1, true, states, n, slots);
    else if (t->words == 1) NAME(find)(t, 1, false, states, n, slots);
    else if (t->words == 2) NAME(find)(t, 2, false, states, n, slots);
    else NAME(find)(t, t->words, false, states, n, slots);
}

/* Puts a state that is not there yet. False: there is no room near its home. */
LOOP bool NAME(place)(const struct table *t, uint32_t words, bool narrow, struct place p, uint64_t image,
                      const word *state) {
    uint64_t end = narrow && p.line + MAX_DISTANCE < t->lines ? p.line + MAX_DISTANCE : t->lines;
    for (uint64_t line = p.line; line < end; line++) {
        unsigned empty = narrow ? MATCH16(narrow_line(t, line), 0) : MATCH8(wide_line(t, line), 0);
        if (!empty) continue;
        uint64_t slot = line * (narrow ? NARROW : WIDE) + (unsigned)__builtin_ctz(empty);
        NAME(put)(t, words, narrow, slot, narrow ? narrow_entry(t, p, (unsigned)(line - p.line)) : image, state);
        return true;
    }
    return false;
}

/* Growing, and changing to narrow lines: from the last old line to the first, empties it, and places its states. No
 * home comes before the old one; but a state that was not in its old home may have a new home before this line, and
 * waits in *p until that line was emptied. `old` is the table as it was. False: a state found no room near its home;
 * the table is useless then. */
LOOP bool NAME(spread)(const struct table *table, uint32_t words, bool was_narrow, bool narrow, const struct table *old,
                       struct pending *p) {
    const struct table copy = *table, *t = &copy;
    bool good = true;
    word line_of_states[NARROW];
    for (uint64_t line = old->lines; line-- > 0;) {
        unsigned count = take_line(t, old, was_narrow, line, line_of_states);
        const word *rests = rests_of(t) + line * WIDE * (words - 1);
        if (words > 1) { /* their other words may be overwritten: all of them have to wait */
            for (unsigned i = 0; i < count; i++) pending_add(p, words, line_of_states[i], rests + i * (words - 1));
            count = 0;
        }
        for (unsigned i = 0; i < count; i++) {
            struct place to = place_of(t, words, line_of_states[i]);
            if (to.line >= line) good &= NAME(place)(t, words, narrow, to, line_of_states[i], NULL);
            else pending_add(p, words, line_of_states[i], rests);
        }
        for (uint32_t i = p->count; i-- > 0;) {
            const word *state = p->states + (size_t)i * words;
            struct place to = place_of(t, words, state[0]);
            if (to.line < line) continue;
            good &= NAME(place)(t, words, narrow, to, state[0], state);
            pending_remove(p, words, i);
        }
    }
    return good;
}

TARGET static bool NAME(spread_any)(struct table *t, const struct table *old, struct pending *p) {
    if (old->narrow) return NAME(spread)(t, 1, true, true, old, p);
    if (t->narrow) return NAME(spread)(t, 1, false, true, old, p);
    if (t->words == 1) return NAME(spread)(t, 1, false, false, old, p);
    return NAME(spread)(t, t->words, false, false, old, p);
}

static const struct table_code NAME(code) = {NAME(insert_any), NAME(find_any), NAME(spread_any)};

#undef LOOP
#undef TARGET
#undef NAME
#undef MATCH8
#undef MATCH16
