/* pack_ways.h: onager/pack.h as it is compiled for machines with and without the instructions pext and pdep. */
#ifndef UNIT_PACK_WAYS_H
#define UNIT_PACK_WAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pack_way {
    const char *name;
    bool there; /* compiled, and this machine can run it */
    uint64_t (*gather)(uint64_t x, unsigned lane, unsigned bits);
    uint64_t (*spread)(uint64_t x, unsigned lane, unsigned bits);
    uint64_t (*pack)(uint64_t *words, size_t offset, const void *state, size_t native_offset, unsigned size,
                     int64_t width, size_t length);
    void (*unpack)(const uint64_t *words, size_t offset, void *to, unsigned size, int64_t width, size_t length);
    /* The same for the layouts of PACK_FIXED, where all is constant, as in models. */
    uint64_t (*pack_fixed)(unsigned layout, uint64_t *words, const void *state);
    void (*unpack_fixed)(unsigned layout, const uint64_t *words, void *to);
};

struct pack_way pack_way_portable(void);
struct pack_way pack_way_bmi2(void);

/* layout(number, offset, native_offset, size, width, length) */
#define PACK_FIXED(layout)                                                                                             \
    layout(0, 0, 0, 1, 1, 1) layout(1, 0, 1, 1, 1, 64) layout(2, 5, 1, 1, 3, 21) layout(3, 62, 0, 1, 2, 9)             \
        layout(4, 63, 8, 1, 7, 8) layout(5, 0, 5, 1, SIGNED(4), 17) layout(6, 13, 0, 1, UPTO(2), 40)                   \
            layout(7, 1, 7, 1, UPTO(0), 3) layout(8, 60, 0, 2, 8, 5) layout(9, 3, 0, 2, 15, 9)                         \
                layout(10, 40, 2, 2, SIGNED(15), 7) layout(11, 9, 6, 2, UPTO(1000), 6) layout(12, 33, 0, 4, 16, 3)     \
                    layout(13, 0, 20, 4, 31, 5) layout(14, 63, 36, 4, SIGNED(31), 4)                                   \
                        layout(15, 7, 0, 4, UPTO(99999), 3) layout(16, 0, 0, 8, 32, 2) layout(17, 17, 8, 8, 63, 3)     \
                            layout(18, 62, 0, 8, 64, 2) layout(19, 1, 24, 8, SIGNED(64), 2)                            \
                                layout(20, 63, 64, 8, SIGNED(63), 3) layout(21, 31, 0, 8, SIGNED(33), 3)               \
                                    layout(22, 0, 9, 1, 1, 0)
enum { PACK_FIXED_COUNT = 23 };

#endif
