#include "front/observer.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ENOUGH = 1 << 18 }; /* states: a few hundredths of a second */

void observer_init(struct observer *o, const struct c_compile *model, const char *identity) {
    *o = (struct observer){.compile = *model, .identity = identity};
    o->compile.observer = true;
    o->compile.reduction = (struct reduction){0};
    o->compile.warnings = NULL;
    o->compile.process = &o->compiler;
    child_init(&o->compiler);
}

/* ---- Its data ---- */

static void protect(const struct observer *o, int how) {
    for (unsigned i = 0; i < o->segment_count; i++)
        mprotect(o->segments[i].begin, (size_t)(o->segments[i].end - o->segments[i].begin), how);
}

bool observer_has(const struct observer *o, const void *address) {
    const char *at = address;
    for (unsigned i = 0; i < o->segment_count; i++)
        if (at >= o->segments[i].begin && at < o->segments[i].end) return true;
    return false;
}

static bool is_part_of(const struct dl_phdr_info *info, const void *address) {
    uintptr_t at = (uintptr_t)address - info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type == PT_LOAD && at - h->p_vaddr < h->p_memsz) return true;
    }
    return false;
}

/* Notes where the writable data of the plug-in are, and makes them read-only. */
static int seal(struct dl_phdr_info *info, size_t size, void *context) {
    struct observer *o = context;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    (void)size;
    if (!is_part_of(info, o->found)) return 0;
    o->obstacle = OBSTACLE_NONE;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + h->p_vaddr, end = begin + h->p_memsz;
        if (h->p_type == PT_TLS) o->obstacle = OBSTACLE_THREAD_DATA;
        if (h->p_type != PT_LOAD || !(h->p_flags & PF_W) || begin == end) continue;
        if (o->segment_count == MOST_SEGMENTS || (h->p_flags & PF_X)) return o->obstacle = OBSTACLE_NOT_SEALED, 1;
        begin -= begin % page;
        end += (page - end % page) % page;
        o->segments[o->segment_count++] = (struct observer_segment){(char *)begin, (char *)end};
        if (mprotect((void *)begin, end - begin, PROT_READ) != 0) o->obstacle = OBSTACLE_NOT_SEALED;
    }
    return 1;
}

/* ---- Making it ---- */

void observer_fini(struct observer *o) {
    if (o->started) {
        child_end(&o->compiler);
        pthread_join(o->thread, NULL);
    }
    protect(o, PROT_READ | PROT_WRITE); /* as whoever unloads it expects */
    if (o->library) dlclose(o->library);
    child_fini(&o->compiler);
    problem_fini(&o->why);
}

void observer_make(struct observer *o) {
    char *identity = NULL;
    o->obstacle = OBSTACLE_NOT_COMPILED;
    o->library = c_compile(&o->compile, &identity, &o->why);
    o->found = o->library ? dlsym(o->library, "onager_observer") : NULL;
    if (o->found && o->found->abi == ONAGER_ABI) {
        o->obstacle = OBSTACLE_NOT_SEALED;
        dl_iterate_phdr(seal, o);
        if (strcmp(identity, o->identity) != 0) o->obstacle = OBSTACLE_FILE_CHANGED;
    }
    if (o->obstacle == OBSTACLE_NONE) o->plugin = o->found;
    free(identity);
}

static void *make(void *context) {
    observer_make(context);
    return NULL;
}

const struct onager_observer *observer_wanted(struct observer *o, uint32_t states) {
    const struct onager_observer *plugin = o->plugin;
    if (plugin || o->started) return plugin;
    uint64_t before = atomic_fetch_add(&o->expanded, states);
    if (before < ENOUGH && before + states >= ENOUGH && pthread_create(&o->thread, NULL, make, o) == 0)
        o->started = true;
    return NULL;
}
