#include "code/elf.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether `count` pieces of `size` bytes lie in the file from `offset` on. */
static bool within(const struct bytes *file, uint64_t offset, uint64_t count, uint64_t size) {
    return offset <= file->size && count <= (file->size - offset) / size;
}

bool elf_is(const struct bytes *file) { return within(file, 0, SELFMAG, 1) && memcmp(file->at, ELFMAG, SELFMAG) == 0; }

static bool read_section(const struct bytes *file, const Elf64_Ehdr *head, uint64_t number, Elf64_Shdr *section) {
    if (number >= head->e_shnum) return false;
    memcpy(section, file->at + head->e_shoff + number * sizeof *section, sizeof *section);
    return section->sh_type == SHT_NOBITS || within(file, section->sh_offset, section->sh_size, 1);
}

static bool read_head(const struct bytes *file, Elf64_Ehdr *head) {
    if (!within(file, 0, 1, sizeof *head)) return false;
    memcpy(head, file->at, sizeof *head);
    return elf_is(file) && head->e_ident[EI_CLASS] == ELFCLASS64 && head->e_shentsize == sizeof(Elf64_Shdr) &&
           within(file, head->e_shoff, head->e_shnum, sizeof(Elf64_Shdr));
}

/* The strings must end within their section. */
static bool find_tables(const struct bytes *file, uint32_t type, Elf64_Shdr *symbols, Elf64_Shdr *strings) {
    Elf64_Ehdr head;
    if (!read_head(file, &head)) return false;
    for (uint64_t i = 0; i < head.e_shnum; i++)
        if (read_section(file, &head, i, symbols) && symbols->sh_type == type)
            return read_section(file, &head, symbols->sh_link, strings) && strings->sh_type == SHT_STRTAB &&
                   strings->sh_size > 0 && file->at[strings->sh_offset + strings->sh_size - 1] == 0;
    return false;
}

bool elf_symbols(const struct bytes *file, enum elf_table table,
                 bool (*visit)(void *context, const struct elf_symbol *symbol), void *context) {
    Elf64_Shdr symbols, strings;
    if (!find_tables(file, table == ELF_DYNAMIC ? SHT_DYNSYM : SHT_SYMTAB, &symbols, &strings)) return false;
    for (uint64_t i = 0; i < symbols.sh_size / sizeof(Elf64_Sym); i++) {
        Elf64_Sym s;
        memcpy(&s, file->at + symbols.sh_offset + i * sizeof s, sizeof s);
        if (s.st_name >= strings.sh_size) continue;
        struct elf_symbol found = {.name = file->at + strings.sh_offset + s.st_name,
                                   .value = s.st_value,
                                   .size = s.st_size,
                                   .defined = s.st_shndx != SHN_UNDEF,
                                   .thread = ELF64_ST_TYPE(s.st_info) == STT_TLS};
        if (!visit(context, &found)) break;
    }
    return true;
}

/* A name in C++ is a row of numbers, each followed by so many characters: _ZN5model1CE is model::C. The last of them,
 * or NULL: it is no such name. */
static const char *last_name(const char *mangled, size_t *length) {
    const char *last = NULL;
    if (strncmp(mangled, "_Z", 2) != 0) return NULL;
    for (const char *at = mangled + 2; *at && *at != '.';) {
        char *name;
        unsigned long n = *at >= '0' && *at <= '9' ? strtoul(at, &name, 10) : 0;
        if (n == 0) at++;
        else {
            if (n > strlen(name)) return NULL;
            last = name;
            *length = n;
            at = name + n;
        }
    }
    return last;
}

void elf_plain_name(const char *name, char *plain, size_t size) {
    size_t length;
    const char *last = last_name(name, &length);
    if (last) {
        snprintf(plain, size, "%.*s", (int)length, last);
        return;
    }
    const char *end = name + strlen(name), *dot;
    while ((dot = memrchr(name, '.', (size_t)(end - name))) && dot > name &&
           dot + 1 + strspn(dot + 1, "0123456789") == end)
        end = dot;
    const char *begin = dot ? dot + 1 : name;
    snprintf(plain, size, "%.*s", (int)(end - begin), begin);
}
