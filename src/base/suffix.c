#include "base/suffix.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static const struct {
    const char *suffix;
    enum file_kind kind;
} table[] = {
    {".c", FILE_C},         {".fsp", FILE_FSP},     {".lts", FILE_FSP},     {".aut", FILE_AUT}, {".fsm", FILE_FSM},
    {".asset", FILE_ASSET}, {".model", FILE_ASSET}, {".cc", FILE_ASSET},    {".dot", FILE_DOT}, {".gv", FILE_DOT},
    {".svg", FILE_PICTURE}, {".png", FILE_PICTURE}, {".pdf", FILE_PICTURE},
};

#define SHARED ".lts"

enum { ROWS = sizeof table / sizeof *table };

/* The kind of a name of so many characters. */
static enum file_kind kind_of(const char *path, size_t length) {
    for (size_t i = 0; i < ROWS; i++) {
        size_t n = strlen(table[i].suffix);
        if (length >= n && memcmp(path + length - n, table[i].suffix, n) == 0) return table[i].kind;
    }
    return FILE_UNKNOWN;
}

bool suffix_is_lts(enum file_kind kind) { return kind == FILE_AUT || kind == FILE_FSM || kind == FILE_MCRL2; }
bool suffix_is_shared(const char *path) { return text_ends_with(path, SHARED); }
bool suffix_is_model(enum file_kind kind) { return kind == FILE_C || kind == FILE_ASSET || kind == FILE_FSP; }

struct file_type suffix_type(const char *path) {
    static const struct {
        const char *suffix;
        enum packing packing;
    } packings[] = {{".gz", PACKED_GZIP}, {".zst", PACKED_ZSTD}};
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof packings / sizeof *packings; i++)
        if (text_ends_with(path, packings[i].suffix)) {
            size_t n = length - strlen(packings[i].suffix), shared = strlen(SHARED);
            enum file_kind inner = kind_of(path, n);
            if (n >= shared && memcmp(path + n - shared, SHARED, shared) == 0) inner = FILE_MCRL2;
            return (struct file_type){suffix_is_lts(inner) ? inner : FILE_UNKNOWN, packings[i].packing};
        }
    return (struct file_type){kind_of(path, length), PACKED_NOT};
}

char *suffix_list(enum file_kind kind) {
    char *list = memory_copy_string("");
    size_t left = 0;
    for (size_t i = 0; i < ROWS; i++) left += table[i].kind == kind;
    for (size_t i = 0; i < ROWS; i++) {
        if (table[i].kind != kind) continue;
        left--;
        char *longer = text_format("%s%s%s", list, table[i].suffix, left > 1 ? ", " : left == 1 ? " or " : "");
        free(list);
        list = longer;
    }
    return list;
}
