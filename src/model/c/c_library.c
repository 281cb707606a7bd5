#include "model/c/c_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/files.h"
#include "base/text.h"
#include "code/elf.h"
#include "code/source_line.h"

static struct link_map *map_of(void *handle) {
    struct link_map *map = NULL;
    return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 ? map : NULL;
}

/* ---- Its memory ---- */

struct segment {
    const struct link_map *map;
    const char *address; /* which segment: the one with this address, or, if NULL, all that may be written */
    int protection;      /* to be given to them; -1: none */
    bool found, writable;
    bool failed;      /* the protection was not given */
    bool thread_data; /* the library has some */
};

/* Called by dl_iterate_phdr for each library. */
static int visit_segments(struct dl_phdr_info *info, size_t size, void *context) {
    struct segment *s = context;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
    (void)size;
    if (info->dlpi_addr != s->map->l_addr || strcmp(info->dlpi_name, s->map->l_name) != 0) return 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        s->thread_data |= p->p_type == PT_TLS;
        if (p->p_type != PT_LOAD) continue;
        uintptr_t begin = (info->dlpi_addr + p->p_vaddr) & ~page,
                  end = (info->dlpi_addr + p->p_vaddr + p->p_memsz + page) & ~page;
        bool writable = p->p_flags & PF_W;
        if (s->address ? (uintptr_t)s->address < begin || (uintptr_t)s->address >= end : !writable) continue;
        s->found = true;
        s->writable = writable;
        if (s->protection >= 0) s->failed |= mprotect((void *)begin, end - begin, s->protection) != 0;
    }
    return 1;
}

/* Visits the segment with this address; NULL: all that may be written. */
static struct segment visit(void *handle, const void *address, int protection) {
    struct segment s = {.map = map_of(handle), .address = address, .protection = protection};
    if (!s.map || dl_iterate_phdr(visit_segments, &s) == 0) s.failed = true;
    return s;
}

bool c_library_seal(void *handle) { return !visit(handle, NULL, PROT_READ).failed; }

bool c_library_has(void *handle, const void *address) {
    struct segment s = visit(handle, address, -1);
    return s.found && s.writable;
}

bool c_library_has_thread_data(void *handle) { return visit(handle, NULL, -1).thread_data; }

/* ---- Loading ---- */

/* The file stays open as long as the library is loaded: its number is the library's name, and the loader would take
 * another library of the same name for the same one. */
void *c_library_load(const struct bytes *library, struct problem *why) {
    char path[32];
    void *handle = NULL;
    int fd = memfd_create("onager-model", MFD_CLOEXEC);
    bool written = fd >= 0 && files_write_all(fd, library->at, library->size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (written) handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        problem_set(why, EXIT_BAD_INPUT, "the compiled model cannot be loaded: %s",
                    written ? dlerror() : strerror(errno));
        if (fd >= 0) close(fd);
    }
    return handle;
}

static int file_of(const struct link_map *map) {
    static const char folder[] = "/proc/self/fd/";
    size_t n = sizeof folder - 1;
    return map && strncmp(map->l_name, folder, n) == 0 ? atoi(map->l_name + n) : -1;
}

int c_library_file(void *handle) { return file_of(map_of(handle)); }

void c_library_close(void *handle) {
    int fd = c_library_file(handle);
    visit(handle, NULL, PROT_READ | PROT_WRITE); /* for destructors */
    dlclose(handle);
    if (fd >= 0) close(fd);
}

/* ---- What is where ---- */

struct variable {
    uint64_t address; /* in the library's own numbers */
    char name[64];
};

static bool find_variable(void *context, const struct elf_symbol *s) {
    struct variable *v = context;
    if (!s->defined || s->thread || v->address < s->value || v->address - s->value >= s->size) return true;
    elf_plain_name(s->name, v->name, sizeof v->name);
    return false;
}

/* The first line that is in the model, as "FILE:LINE". */
static bool find_place(const struct link_map *map, const char *path, const void *instruction, char *place,
                       size_t size) {
    char *lines = instruction ? source_lines(file_of(map), (uintptr_t)instruction - map->l_addr) : NULL;
    const char *model = text_file_name(path);
    bool found = false;
    for (char *line = lines, *next; line && *line && !found; line = next) {
        int length;
        unsigned number = source_line_number(line, &length);
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        line[length] = 0;
        found = number > 0 && strcmp(text_file_name(line), model) == 0;
        if (found) snprintf(place, size, "%s:%u", model, number);
    }
    free(lines);
    return found;
}

bool c_library_place(void *handle, const char *path, const void *instruction, char *text, size_t size) {
    const struct link_map *map = map_of(handle);
    return map && find_place(map, path, instruction, text, size);
}

bool c_library_explain(void *handle, const char *path, const void *address, const void *instruction, char *text,
                       size_t size) {
    struct bytes file;
    char place[64] = "";
    if (!address) return false;
    struct segment s = visit(handle, address, -1);
    if (!s.found) return false;
    struct variable v = {.address = (uintptr_t)address - s.map->l_addr};
    if (bytes_read_fd(&file, file_of(s.map))) {
        elf_symbols(&file, ELF_ALL, find_variable, &v);
        bytes_fini(&file);
    }
    bool placed = find_place(s.map, path, instruction, place, sizeof place);
    snprintf(text, size, "the model's code stores into %s%s%s%s%s: %s",
             *v.name      ? v.name
             : s.writable ? "static memory"
                          : "constant memory",
             placed ? " (" : "", place, placed ? ")" : "",
             !*v.name     ? ""
             : s.writable ? ", which is static memory"
                          : ", which is constant",
             s.writable ? "what is remembered must be in the state; a function with __attribute__((constructor)) "
                          "can fill a table that never changes"
                        : "only the state can be changed");
    return true;
}
