#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

char *text_vformat(const char *fmt, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    char *text = memory_get((size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, fmt, args);
    return text;
}

char *text_format(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *text = text_vformat(fmt, args);
    va_end(args);
    return text;
}

bool text_to_int(const char *text, int64_t min, int64_t max, int64_t *value) {
    char *end;
    errno = 0;
    long long v = strtoll(text, &end, strpbrk(text, "xX") ? 16 : 10); /* 010 is ten */
    if (end == text || *end || errno || isspace((unsigned char)*text) || v < min || v > max) return false;
    *value = v;
    return true;
}

/* A non-negative number and what follows it. */
static bool number_and_unit(const char *text, double *number, const char **unit) {
    char *end;
    if (!isdigit((unsigned char)*text) && *text != '.') return false;
    *number = strtod(text, &end);
    *unit = end;
    return end != text && isfinite(*number);
}

bool text_to_size(const char *text, uint64_t *bytes) {
    static const char units[] = "KMGT";
    double number;
    const char *unit, *at;
    if (!number_and_unit(text, &number, &unit)) return false;
    if (*unit && (at = strchr(units, toupper((unsigned char)*unit)))) {
        for (const char *u = units; u <= at; u++) number *= 1024;
        unit++;
        if (*unit == 'i') unit++;
        if (*unit == 'B') unit++;
    }
    if (*unit || number >= 0x1p63) return false;
    *bytes = (uint64_t)number;
    return true;
}

bool text_to_seconds(const char *text, double *seconds) {
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 0.001}, {"m", 60}, {"min", 60}, {"h", 3600}, {"d", 86400}};
    double number;
    const char *unit;
    if (!number_and_unit(text, &number, &unit)) return false;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(unit, units[i].name) == 0) {
            *seconds = number * units[i].seconds;
            return true;
        }
    return false;
}

bool text_is_identifier(const char *text) {
    if (!isalpha((unsigned char)*text) && *text != '_') return false;
    while (*text)
        if (!isalnum((unsigned char)*text) && *text != '_') return false;
        else text++;
    return true;
}

char *text_as_c(const char *text) {
    char *all = memory_get(2 * strlen(text) + 1), *out = all;
    for (const char *p = text; *p; p++) {
        if (*p == '"' || *p == '\\' || *p == '\n') *out++ = '\\';
        *out++ = *p == '\n' ? 'n' : *p;
    }
    *out = 0;
    return all;
}

static char *with_unit(double n, double step, const char *const *units, char *buffer) {
    unsigned u = 0;
    while (n >= step * 0.9995 && u < 4) n /= step, u++;
    snprintf(buffer, 16, n < 10 && u ? "%.2f %s" : n < 100 && u ? "%.1f %s" : "%.0f %s", n, units[u]);
    if (!*units[u]) buffer[strlen(buffer) - 1] = 0;
    return buffer;
}

char *text_count(double n, char *buffer) {
    static const char *const units[] = {"", "k", "M", "G", "T"};
    return with_unit(n, 1000, units, buffer);
}

char *text_bytes(double n, char *buffer) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    return with_unit(n, 1024, units, buffer);
}

/* Levenshtein distance, for words of up to 63 characters. */
static unsigned distance(const char *a, const char *b) {
    unsigned row[64];
    size_t n = strlen(b);
    if (n >= 64) return 99;
    for (unsigned j = 0; j <= n; j++) row[j] = j;
    for (unsigned i = 1; *a; a++, i++) {
        unsigned corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            unsigned best = corner + (*a != b[j - 1]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            corner = row[j];
            row[j] = best;
        }
    }
    return row[n];
}

const char *text_nearest(const char *typo, const char *const *words, size_t n) {
    const char *nearest = NULL;
    unsigned best = (unsigned)strlen(typo) / 3 + 2;
    for (size_t i = 0; i < n; i++) {
        unsigned d = distance(typo, words[i]);
        if (strncmp(typo, words[i], strlen(typo)) == 0 && d > 1) d = 1;
        if (d < best && (d < strlen(typo) || d < strlen(words[i]))) best = d, nearest = words[i];
    }
    return nearest;
}

bool text_choice(const char *text, const char *words, int *choice) {
    size_t length = strlen(text);
    for (int i = 0; *words; i++) {
        size_t n = strcspn(words, " ");
        if (n == length && memcmp(text, words, n) == 0) return *choice = i, true;
        words += n + strspn(words + n, " ");
    }
    return false;
}

const char *text_file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool text_ends_with(const char *text, const char *end) {
    size_t n = strlen(text), k = strlen(end);
    return n >= k && strcmp(text + n - k, end) == 0;
}

/* Too long a way to write a character, half of a pair, or beyond the last one. */
static bool is_forbidden(unsigned char first, unsigned char second) {
    return (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) || (first == 0xf0 && second < 0x90) ||
           (first == 0xf4 && second >= 0x90);
}

int text_character(const char *at) {
    unsigned char c = (unsigned char)*at;
    int size = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
    for (int i = 1; i < size; i++)
        if (((unsigned char)at[i] & 0xc0) != 0x80) return 0;
    return size > 2 && is_forbidden(c, (unsigned char)at[1]) ? 0 : size;
}

void text_make_printable(char *text) {
    while (*text) {
        int size = text_character(text);
        bool control = ((unsigned char)*text < ' ' && *text != '\n' && *text != '\t') || *text == 127;
        if (size == 0 || control) *text = '?';
        text += size ? size : 1;
    }
}
