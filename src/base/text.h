/* text.h: strings made and understood: formatting, numbers with units, the nearest word to a mistyped one. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A new string, to be freed. */
char *text_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *text_vformat(const char *fmt, va_list args);

/* Whole-string parsers: false if the text is anything else, or does not fit. */
bool text_to_int(const char *text, int64_t min, int64_t max, int64_t *value);
bool text_to_size(const char *text, uint64_t *bytes);    /* 1000, 64K, 500M, 2G, 1.5T; powers of 1024 */
bool text_to_seconds(const char *text, double *seconds); /* 10, 10s, 500ms, 5m, 2h */
bool text_is_identifier(const char *text);

/* As between the quotation marks of a string in C; a new string. */
char *text_as_c(const char *text);

/* "12.3 M" and the like, into a buffer of at least 16 characters; returns it. */
char *text_count(double n, char *buffer);
char *text_bytes(double n, char *buffer);

/* What makes a noun plural: "%u state%s". */
static inline const char *text_s(uint64_t n) { return n == 1 ? "" : "s"; }

bool text_ends_with(const char *text, const char *end);
const char *text_file_name(const char *path); /* what follows the last slash */

/* How many bytes the character at `at` has, or 0: it is not UTF-8. */
int text_character(const char *at);
/* What could not be shown becomes a question mark: control characters but ends of lines, and what is not UTF-8. */
void text_make_printable(char *text);

/* Of the n words, the one that `typo` was probably meant to be, or NULL if none is near. */
const char *text_nearest(const char *typo, const char *const *words, size_t n);

/* Which word of a list separated by spaces it is, counted from 0. */
bool text_choice(const char *text, const char *words, int *choice);

#endif
