/* memory.h: small allocations that do not fail, and large regions that may.
 *
 * memory_get and its kin end the program with a message if the system has nothing left: they are for what is small
 * beside the state space. What grows with the state space lives in regions, whose growth can be refused, so that a
 * search can stop with a report.
 *
 * A region is address space reserved once and backed by memory as it grows, so that growing never moves or copies
 * anything. It starts on a huge page, and asks for huge pages: a table of states is read at random.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* When the system refuses memory or address space. */
#define MEMORY_ADVICE "raise the limit on address space (ulimit -v), if there is one, or end other programs"

/* None of these returns NULL; compilers and analysers are told. */
#define NEVER_NULL __attribute__((returns_nonnull))

NEVER_NULL void *memory_get(size_t bytes); /* not initialised */
NEVER_NULL void *memory_get_zeroed(size_t bytes);
NEVER_NULL void *memory_get_lines(size_t bytes); /* zeroed, and beginning on a cache line */
/* For large arrays that are read at random: asks for huge pages. To be freed like others. */
NEVER_NULL void *memory_get_large(size_t bytes);
NEVER_NULL void *memory_get_large_zeroed(size_t bytes);
NEVER_NULL void *memory_resize_large(void *old, size_t bytes);
NEVER_NULL void *memory_resize(void *old, size_t bytes);
/* Room for one more in an array that doubles. */
#define MAKE_ROOM(array, count, room)                                                                                  \
    do {                                                                                                               \
        if ((count) == (room)) {                                                                                       \
            (room) = (room) ? 2 * (room) : 16;                                                                         \
            (array) = memory_resize((array), (room) * sizeof *(array));                                                \
        }                                                                                                              \
    } while (0)
NEVER_NULL char *memory_copy_string(const char *text);

struct region {
    char *base;
    size_t reserved; /* bytes of address space */
    size_t size;     /* bytes that may be used; zero when first used */
    size_t skip;     /* bytes of address space before them, so that they begin with a huge page */
    uint64_t most;   /* bytes that the whole process may then have in use; 0: any number */
};

bool region_init(struct region *r, size_t reserve); /* false: no address space */
bool region_grow(struct region *r, size_t size); /* false: beyond the reservation or `most`, or refused by the system */
void region_shrink(struct region *r, size_t size); /* gives memory back; it is zero when grown again */
void region_fini(struct region *r);

/* One that grows as long as the whole process has at most so many bytes in use; and one of this size from the start. */
bool region_init_within(struct region *r, uint64_t most);
bool region_get_within(struct region *r, size_t size, uint64_t most);

/* Bytes that several regions, perhaps of several threads, may share out among themselves. */
struct budget {
    uint64_t total;
    _Atomic uint64_t left;
    uint64_t most; /* bytes that the whole process may then have in use; 0, as budget_init leaves it: any number */
};
void budget_init(struct budget *b, uint64_t bytes);
bool region_grow_within(struct region *r, size_t size, struct budget *b); /* false: also if the budget does not allow */

/* A vector of 64-bit numbers that grows at its end. */
struct numbers {
    uint64_t *at;
    size_t count, room;
};
void numbers_add(struct numbers *v, uint64_t value);
void numbers_fini(struct numbers *v);

uint64_t memory_peak(void); /* bytes, resident, of this process so far */
/* Bytes that only this process has, now. Pages of files, such as the program's code, are left out: how many of these
 * are in memory depends on what else the machine does, and the machine takes them back when it needs room. */
uint64_t memory_resident(void);
uint64_t memory_available(void);                /* bytes that the machine, or our control group, could still give us */
bool memory_fits(uint64_t more, uint64_t most); /* whether so many bytes more are at most `most`, of this process */

#endif
