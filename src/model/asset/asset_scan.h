/* asset_scan.h: C++ text, token by token, as far as is needed to find declarations and directives in it: comments and
 * what is between them are skipped; a string, a number or a directive is one token. */
#ifndef MODEL_ASSET_ASSET_SCAN_H
#define MODEL_ASSET_ASSET_SCAN_H

#include <stdbool.h>
#include <stddef.h>

enum asset_token_kind {
    ASSET_END,
    ASSET_WORD,      /* a name or a keyword */
    ASSET_CONSTANT,  /* a number, a string or a character */
    ASSET_MARK,      /* any other character */
    ASSET_DIRECTIVE, /* a line that begins with #, or several that backslashes join; without the end of the line */
};

struct asset_token {
    enum asset_token_kind kind;
    const char *at;
    size_t length;
    unsigned line; /* in the file: see below */
};

struct asset_scan {
    const char *at;
    bool line_begins; /* there was nothing but blanks in this line so far */
    unsigned line;
    char file[512]; /* the last linemarker's, as it is written there, or what the caller has put there */
};

void asset_scan_begin(struct asset_scan *s, const char *text, const char *file);
/* Linemarkers and #line are directives, and have set file and line for what comes next. */
struct asset_token asset_scan_next(struct asset_scan *s);

bool asset_token_is(const struct asset_token *t, const char *text);

/* The name of the directive and what follows it, both within the token. False: it has none, as a linemarker. */
bool asset_directive(const struct asset_token *t, struct asset_token *name, struct asset_token *rest);

#endif
