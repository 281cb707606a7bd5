/* elf.h: the symbols of a library, read from its file. Nothing is believed: what lies outside the file is not read. */
#ifndef CODE_ELF_H
#define CODE_ELF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"

struct elf_symbol {
    const char *name;
    uint64_t value, size;
    bool defined; /* not: the library wants it from elsewhere */
    bool thread;  /* a variable of each thread */
};

enum elf_table {
    ELF_DYNAMIC, /* what the loader uses */
    ELF_ALL,     /* local ones, too; a library may have been stripped of them */
};

bool elf_is(const struct bytes *file); /* by its first bytes */

/* Calls `visit` for each until it returns false. False: there is no such table in the file: nothing is known. */
bool elf_symbols(const struct bytes *file, enum elf_table table,
                 bool (*visit)(void *context, const struct elf_symbol *symbol), void *context);

/* The name that a variable has in its source. A compiler adds numbers, or the function, if it is declared in one. */
void elf_plain_name(const char *name, char *plain, size_t size);

#endif
