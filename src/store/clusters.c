#include "store/clusters.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLICE = 4,           /* bits of an element, if nothing is known */
    MOST_ELEMENTS = 320, /* that vary; of more, neighbours are put together at first */
    WORK = 1 << 24,      /* about what judging takes, in comparisons */
    LEAST_SAMPLE = 256,
    MOST_VALUES = 1024,   /* of a component in the sample; */
    SAMPLE_PART = 4,      /* ... and no more than a part of the sample */
    MOST_CELLS = 1 << 20, /* of the table of pairs of values */
    GOOD_BITS = 40,       /* keys that are not longer need not be shortened at a price */
    MOST_BITS = 57        /* longer ones would soon be too long */
};

/* Elements that were put together. */
struct cluster {
    bool gone;       /* into another one */
    uint32_t values; /* different ones in the sample */
    uint32_t *value; /* of each state of the sample: a number */
};

struct judge {
    const word *sample;
    uint32_t n, words, count, elements;
    uint32_t step;    /* every so manieth state of the sample is looked at to judge pairs */
    uint32_t *begins; /* of each element: its first bit, the mark counted; one more at the end */
    uint32_t *home;   /* of each element: its cluster; NONE: it does not vary */
    struct cluster *clusters;
    uint32_t *joint;         /* count * count: values of two clusters together; TOO_MANY */
    uint32_t *stamps, stamp; /* table of pairs of values */
    uint32_t stamp_room;
};

enum { NONE = UINT32_MAX, TOO_MANY = UINT32_MAX };

/* ---- What elements are in the sample ---- */

static uint64_t bits_at(const word *state, uint32_t begin, uint32_t end) {
    uint32_t w = begin / 64, shift = begin % 64, bits = end - begin;
    uint64_t x = state[w] >> shift;
    if (shift + bits > 64) x |= state[w + 1] << 1 << (63 - shift);
    return bits < 64 ? x & ((UINT64_C(1) << bits) - 1) : x;
}

/* Numbers for n values, in the order in which they occur. Returns how many there are. */
static uint32_t number_values(const uint64_t *values, uint32_t n, uint32_t *numbers) {
    uint32_t size = 64, count = 0;
    while (size < 2 * n) size *= 2;
    uint32_t *firsts = memory_get_zeroed(size * sizeof *firsts); /* indices plus one */
    for (uint32_t i = 0; i < n; i++) {
        uint64_t at = (values[i] * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (size - 1);
        while (firsts[at] && values[firsts[at] - 1] != values[i]) at = (at + 1) & (size - 1);
        if (!firsts[at]) firsts[at] = i + 1;
        numbers[i] = firsts[at] == i + 1 ? count++ : numbers[firsts[at] - 1];
    }
    free(firsts);
    return count;
}

static void look_at_element(struct judge *j, uint32_t e, uint64_t *values) {
    for (uint32_t i = 0; i < j->n; i++)
        values[i] = bits_at(j->sample + (size_t)i * j->words, j->begins[e], j->begins[e + 1]);
    uint32_t *numbers = memory_get(j->n * sizeof *numbers), count = number_values(values, j->n, numbers);
    j->home[e] = NONE;
    if (count == 1) {
        free(numbers);
        return;
    }
    j->home[e] = j->count;
    j->clusters[j->count++] = (struct cluster){.values = count, .value = numbers};
}

/* ---- Merging ---- */

static uint32_t joint_values(struct judge *j, uint32_t a, uint32_t b) {
    const struct cluster *x = &j->clusters[a], *y = &j->clusters[b];
    uint64_t cells = (uint64_t)x->values * y->values;
    uint32_t count = 0, part = j->n / j->step / SAMPLE_PART, most = part < MOST_VALUES ? part : MOST_VALUES;
    if (cells > MOST_CELLS) return TOO_MANY;
    if (!j->stamps) j->stamps = memory_get_zeroed(MOST_CELLS * sizeof *j->stamps);
    j->stamp++;
    for (uint32_t i = 0; i < j->n; i += j->step) {
        uint32_t *cell = &j->stamps[x->value[i] * y->values + y->value[i]];
        if (*cell == j->stamp) continue;
        *cell = j->stamp;
        if (++count > most) return TOO_MANY;
    }
    return count;
}

static void note_joint(struct judge *j, uint32_t a, uint32_t b) {
    j->joint[(size_t)a * j->count + b] = j->joint[(size_t)b * j->count + a] = joint_values(j, a, b);
}

/* b becomes a part of a. */
static void merge(struct judge *j, uint32_t a, uint32_t b) {
    struct cluster *x = &j->clusters[a], *y = &j->clusters[b];
    uint64_t *pairs = memory_get(j->n * sizeof *pairs);
    for (uint32_t i = 0; i < j->n; i++) pairs[i] = (uint64_t)x->value[i] * y->values + y->value[i];
    x->values = number_values(pairs, j->n, x->value);
    y->gone = true;
    for (uint32_t e = 0; e < j->elements; e++)
        if (j->home[e] == b) j->home[e] = a;
    free(pairs);
}

/* As many as collapse_init will give it. */
static uint32_t width_of(uint32_t values) {
    uint32_t width = 1;
    while (UINT64_C(1) << width < values + values / 4) width++;
    return width;
}

static uint32_t key_bits(const struct judge *j) {
    uint32_t bits = 0;
    for (uint32_t a = 0; a < j->count; a++)
        if (!j->clusters[a].gone) bits += width_of(j->clusters[a].values);
    return bits;
}

/* What two clusters know of each other, in bits, for each entry that the dictionary would have more; 0: nothing. */
static double gain(const struct judge *j, uint32_t a, uint32_t b) {
    uint32_t x = j->clusters[a].values, y = j->clusters[b].values, xy = j->joint[(size_t)a * j->count + b];
    if (xy == TOO_MANY) return 0;
    double shared = log2((double)x * y / xy), more = (double)xy - x - y;
    return shared < 0.2 ? 0 : shared / ((more < 0 ? 0 : more) + 2);
}

/* False: there is no pair whose merging pays. */
static bool merge_best(struct judge *j, double least) {
    uint32_t a = 0, b = 0;
    double best = least;
    for (uint32_t x = 0; x < j->count; x++)
        for (uint32_t y = 0; y < x && !j->clusters[x].gone; y++) {
            if (j->clusters[y].gone) continue;
            double g = gain(j, x, y);
            if (g <= best) continue;
            best = g;
            a = y;
            b = x;
        }
    if (best <= least) return false;
    merge(j, a, b);
    for (uint32_t x = 0; x < j->count; x++)
        if (x != a && !j->clusters[x].gone) note_joint(j, a, x);
    return true;
}

/* Neighbours together, until there are not too many. */
static void thin_out(struct judge *j) {
    uint32_t per = (j->count + MOST_ELEMENTS - 1) / MOST_ELEMENTS;
    for (uint32_t a = 0; a < j->count; a += per)
        for (uint32_t b = a + 1; b < a + per && b < j->count; b++) merge(j, a, b);
}

static void merge_all(struct judge *j) {
    const double cheap = 0.05; /* bits for an entry */
    thin_out(j);
    j->joint = memory_get((size_t)j->count * j->count * sizeof *j->joint);
    for (uint32_t a = 0; a < j->count; a++)
        for (uint32_t b = 0; b < a; b++)
            if (!j->clusters[a].gone && !j->clusters[b].gone) note_joint(j, a, b);
    while (merge_best(j, key_bits(j) > GOOD_BITS ? 0 : cheap)) {}
}

/* ---- All of it ---- */

/* What did not vary goes with the element before it. */
static void make_grouping(const struct judge *j, struct grouping *g) {
    uint32_t *number = memory_get(j->count * sizeof *number), last = 0, count = 0;
    for (uint32_t a = 0; a < j->count; a++)
        if (!j->clusters[a].gone) number[a] = count++;
    *g = (struct grouping){.words = j->words, .count = count};
    g->masks = memory_get_zeroed((size_t)count * j->words * sizeof *g->masks);
    g->values = memory_get(count * sizeof *g->values);
    for (uint32_t a = 0; a < j->count; a++)
        if (!j->clusters[a].gone) g->values[number[a]] = j->clusters[a].values;
    for (uint32_t e = 0; e < j->elements; e++) {
        if (j->home[e] != NONE) last = number[j->home[e]];
        for (uint32_t bit = j->begins[e]; bit < j->begins[e + 1]; bit++)
            g->masks[(size_t)last * j->words + bit / 64] |= UINT64_C(1) << bit % 64;
    }
    free(number);
}

static void list_elements(struct judge *j, const uint32_t *widths, uint32_t elements, uint32_t bits) {
    uint32_t known = widths ? elements : 0, at = 1;
    j->begins = memory_get((known + bits / SLICE + 3) * sizeof *j->begins);
    for (uint32_t e = 0; e < known && at < bits + 1; e++) {
        j->begins[j->elements++] = at;
        at += widths[e];
    }
    for (; at < bits + 1; at += SLICE) j->begins[j->elements++] = at;
    j->begins[j->elements] = bits + 1;
}

bool clusters_find(struct grouping *g, const uint32_t *widths, uint32_t elements, uint32_t bits, const word *sample,
                   uint32_t n) {
    struct judge j = {.sample = sample, .n = n, .words = bits / 64 + 1};
    list_elements(&j, widths, elements, bits);
    assert(j.elements > 0 && bits > 0);
    j.home = memory_get(j.elements * sizeof *j.home);
    j.clusters = memory_get_zeroed(j.elements * sizeof *j.clusters);
    uint64_t *values = memory_get(n * sizeof *values);
    for (uint32_t e = 0; e < j.elements; e++) look_at_element(&j, e, values);
    uint32_t pairs = (j.count < MOST_ELEMENTS ? j.count : MOST_ELEMENTS) * j.count + 1, wanted = WORK / pairs;
    j.step = n / (wanted < LEAST_SAMPLE ? LEAST_SAMPLE : wanted) + 1;
    if (j.count > 0) merge_all(&j);
    uint32_t count = 0;
    for (uint32_t a = 0; a < j.count; a++) count += !j.clusters[a].gone;
    bool good = count > 0 && count <= COLLAPSE_MOST && key_bits(&j) <= MOST_BITS;
    if (good) make_grouping(&j, g);
    for (uint32_t a = 0; a < j.count; a++) free(j.clusters[a].value);
    free(values);
    free(j.clusters);
    free(j.home);
    free(j.begins);
    free(j.joint);
    free(j.stamps);
    return good;
}
