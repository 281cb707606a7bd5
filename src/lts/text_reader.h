/* text_reader.h: what readers of LTSs have in common: lines, numbers, labels, messages.
 *
 * The file comes in pieces of which whole lines are parsed, so that little more than the LTS is in memory. A format
 * that is no text has something else instead of lines.
 */
#ifndef LTS_TEXT_READER_H
#define LTS_TEXT_READER_H

#include "lts/lts_file.h"

struct text_reader {
    const struct text_format *format; /* NULL: it is not yet known */
    const char *name;
    const struct lts_file_options *options; /* or NULL */
    struct problem *why;
    struct lts_builder build;
    uint64_t line;
    char *label; /* the one at hand, with a 0 at its end */
    size_t label_room;
    struct tau_names taus;
    void *mine; /* of the format */
};

/* A format. */
struct text_format {
    enum file_kind kind;
    size_t size; /* of what `mine` points to, which is zeroes in the beginning */
    bool (*line)(struct text_reader *r, const char *at, const char *end); /* not empty, without white space around */
    /* Lines that are as most lines are, faster, or NULL: where the first other line begins, or the last one, which need
     * not be whole. NULL: something is wrong, and was said. */
    const char *(*plain)(struct text_reader *r, const char *at, const char *end);
    /* Instead of lines, if not NULL: parses what is whole of a piece, and says how much that was. */
    bool (*piece)(struct text_reader *r, const char *text, size_t size, bool last, size_t *done);
    bool (*complete)(struct text_reader *r); /* all was read */
    void (*end)(struct text_reader *r);      /* frees what `mine` has; or NULL */
};

extern const struct text_format aut_format, fsm_format, mcrl2_format;

/* NULL: it is .aut, or what mCRL2 writes if it begins so. */
bool text_reader_file(const struct text_format *f, const char *path, const struct lts_file_options *o, struct lts *out,
                      struct problem *why);
bool text_reader_text(const struct text_format *f, const char *text, size_t size, const char *name,
                      const struct lts_file_options *o, struct lts *out, struct problem *why);

/* ---- For formats ---- */

/* Says what was expected at `at`, and what is there up to the end of the line; returns false. */
bool text_expected(struct text_reader *r, const char *what, const char *at, const char *end);
/* Something else about this line. */
bool text_complain(struct text_reader *r, const char *what);

const char *text_skip(const char *at, const char *end); /* white space at the beginning */
const char *text_trim(const char *at, const char *end); /* and at the end */
/* A character, and white space before it. */
bool text_take(struct text_reader *r, const char **at, const char *end, char c, const char *what);
/* A number below `limit`, and white space before it. */
bool text_number(struct text_reader *r, const char **at, const char *end, uint64_t limit, const char *what,
                 uint64_t *value);
/* The number of the label from `at` to `end`, which is not empty and may be quoted. */
bool text_label(struct text_reader *r, const char *at, const char *end, uint32_t *label);
bool text_name(struct text_reader *r, const char *name, size_t length, uint32_t *label); /* of one without quotes */

#endif
