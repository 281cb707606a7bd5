#include "base/memory.h"

#include <assert.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/interim.h"
#include "base/problem.h"

enum { HUGE_PAGE = 2 << 20, SMALL_STEP = 65536 };
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

static void *or_die(void *p) {
    if (!p) {
        static const char message[] = "onager: the system refused a small amount of memory: " MEMORY_ADVICE "\n";
        if (write(STDERR_FILENO, message, sizeof message - 1) < 0) {}
        interim_remove_all();
        _exit(EXIT_INTERNAL);
    }
    return p;
}

void *memory_get(size_t bytes) { return or_die(malloc(bytes ? bytes : 1)); }
void *memory_get_zeroed(size_t bytes) { return or_die(calloc(1, bytes ? bytes : 1)); }
void *memory_get_lines(size_t bytes) {
    size_t size = (bytes + 63) / 64 * 64;
    return memset(or_die(aligned_alloc(64, size ? size : 64)), 0, size);
}
void *memory_resize(void *old, size_t bytes) { return or_die(realloc(old, bytes ? bytes : 1)); }
char *memory_copy_string(const char *text) { return or_die(strdup(text)); }

/* Before it is touched for the first time. Small ones are not worth a system call. */
static void *in_huge_pages(char *p, size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), skip = -(size_t)p & (page - 1);
    if (bytes > 2 * HUGE_PAGE) madvise(p + skip, (bytes - skip) / page * page, MADV_HUGEPAGE);
    return p;
}

void *memory_get_large(size_t bytes) { return in_huge_pages(memory_get(bytes), bytes); }
void *memory_get_large_zeroed(size_t bytes) { return in_huge_pages(memory_get_zeroed(bytes), bytes); }

void *memory_resize_large(void *old, size_t bytes) { return in_huge_pages(memory_resize(old, bytes), bytes); }

/* ---- Regions ---- */

/* In checked builds, ONAGER_REFUSE=N refuses the N-th request for memory that may be refused, and ONAGER_REFUSE=N+ that
 * one and all later ones. */
static bool is_refused(void) {
#ifdef CHECKED
    static _Atomic long occasions;
    const char *told = getenv("ONAGER_REFUSE");
    char *end = NULL;
    if (!told) return false;
    long wanted = strtol(told, &end, 10), now = atomic_fetch_add(&occasions, 1) + 1;
    return *end == '+' ? now >= wanted : now == wanted;
#else
    return false;
#endif
}

static size_t round_up(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

/* What is reserved around it stays reserved: to give it back would take longer than all else here. */
bool region_init(struct region *r, size_t reserve) {
    *r = (struct region){.reserved = round_up(reserve, HUGE_PAGE)};
    if (is_refused()) return *r = (struct region){0}, false;
    char *p = mmap(NULL, r->reserved + HUGE_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return *r = (struct region){0}, false;
    r->skip = round_up((size_t)p, HUGE_PAGE) - (size_t)p;
    r->base = p + r->skip;
    assert((size_t)r->base % HUGE_PAGE == 0 && r->skip < HUGE_PAGE);
    return true;
}

/* Whole huge pages only: what is left at the end stays in small ones, so that nothing is paid for that is not used. A
 * huge page whose first part is in use already is asked for by name; where the kernel cannot do that, it may come
 * later by itself. */
static void ask_for_huge_pages(struct region *r, size_t to) {
    size_t begun = r->size / HUGE_PAGE * HUGE_PAGE, end = to / HUGE_PAGE * HUGE_PAGE;
    if (end <= begun) return;
    madvise(r->base + begun, end - begun, MADV_HUGEPAGE);
    if (r->size > begun) madvise(r->base + begun, HUGE_PAGE, MADV_COLLAPSE);
}

bool region_grow(struct region *r, size_t size) {
    if (size <= r->size) return true;
    if (size > r->reserved || (r->most && !memory_fits(size - r->size, r->most)) || is_refused()) return false;
    assert(r->size <= r->reserved && r->reserved % SMALL_STEP == 0); /* so that rounding stays inside */
    size_t from = r->size / SMALL_STEP * SMALL_STEP, to = round_up(size, SMALL_STEP);
    if (mprotect(r->base + from, to - from, PROT_READ | PROT_WRITE) != 0) return false;
    ask_for_huge_pages(r, to);
    r->size = size;
    return true;
}

bool region_init_within(struct region *r, uint64_t most) {
    if (!region_init(r, most)) return false;
    r->most = most;
    return true;
}

bool region_get_within(struct region *r, size_t size, uint64_t most) {
    if (!region_init(r, size ? size : 1)) return false;
    r->most = most;
    return region_grow(r, size);
}

void budget_init(struct budget *b, uint64_t bytes) {
    b->total = bytes;
    b->most = 0;
    atomic_store(&b->left, bytes);
}

bool region_grow_within(struct region *r, size_t size, struct budget *b) {
    if (size <= r->size) return true;
    uint64_t need = size - r->size, left = atomic_load(&b->left);
    if (b->most && !memory_fits(need, b->most)) return false;
    do {
        if (left < need) return false;
    } while (!atomic_compare_exchange_weak(&b->left, &left, left - need));
    if (region_grow(r, size)) return true;
    atomic_fetch_add(&b->left, need);
    assert(atomic_load(&b->left) <= b->total); /* nothing is given back twice */
    return false;
}

void region_shrink(struct region *r, size_t size) {
    size_t from = round_up(size, HUGE_PAGE), to = round_up(r->size, HUGE_PAGE);
    if (from < to) madvise(r->base + from, to - from, MADV_DONTNEED);
    if (size < r->size && size < from) memset(r->base + size, 0, (from < r->size ? from : r->size) - size);
    if (size < r->size) r->size = size;
}

void region_fini(struct region *r) {
    if (r->base) munmap(r->base - r->skip, r->reserved + HUGE_PAGE);
    *r = (struct region){0};
}

void numbers_add(struct numbers *v, uint64_t value) {
    if (v->count == v->room) {
        v->room = v->room ? 2 * v->room : 64;
        v->at = memory_resize(v->at, v->room * sizeof *v->at);
    }
    v->at[v->count++] = value;
}

void numbers_fini(struct numbers *v) {
    free(v->at);
    *v = (struct numbers){0};
}

uint64_t memory_peak(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}

/* The number after `key` in a file of lines, or `otherwise`. */
static uint64_t number_in_file(const char *path, const char *key, uint64_t otherwise) {
    char buffer[4096];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return otherwise;
    ssize_t n = read(fd, buffer, sizeof buffer - 1);
    close(fd);
    if (n <= 0) return otherwise;
    buffer[n] = 0;
    const char *at = strstr(buffer, key);
    char *end;
    if (!at) return otherwise;
    at += strlen(key);
    unsigned long long value = strtoull(at, &end, 10);
    return end == at ? otherwise : value;
}

uint64_t memory_resident(void) {
    char buffer[128];
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    ssize_t n = read(fd, buffer, sizeof buffer - 1);
    close(fd);
    if (n <= 0) return 0;
    buffer[n] = 0;
    unsigned long long pages = 0, shared = 0;
    sscanf(buffer, "%*u %llu %llu", &pages, &shared);
    return (pages - shared) * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t memory_available(void) {
    uint64_t machine = number_in_file("/proc/meminfo", "MemAvailable:", UINT64_C(1) << 50) * 1024;
    uint64_t limit = number_in_file("/sys/fs/cgroup/memory.max", "", UINT64_MAX);
    uint64_t used = number_in_file("/sys/fs/cgroup/memory.current", "", 0);
    uint64_t group = limit > used ? limit - used : 0;
    return machine < group ? machine : group;
}

bool memory_fits(uint64_t more, uint64_t most) {
    uint64_t used = memory_resident();
    if (is_refused()) return false;
    return used <= most && more <= most - used;
}
