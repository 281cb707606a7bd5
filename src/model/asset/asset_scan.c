#include "model/asset/asset_scan.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void asset_scan_begin(struct asset_scan *s, const char *text, const char *file) {
    *s = (struct asset_scan){.at = text, .line_begins = true, .line = 1};
    snprintf(s->file, sizeof s->file, "%s", file);
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 128; }

static void step(struct asset_scan *s) {
    if (*s->at == '\n') {
        s->line++;
        s->line_begins = true;
    }
    s->at++;
}

static void step_to(struct asset_scan *s, const char *end) {
    while (s->at < end) step(s);
}

/* ---- Comments and blanks ---- */

static bool skip_comment(struct asset_scan *s) {
    if (s->at[0] == '/' && s->at[1] == '/') {
        while (*s->at && *s->at != '\n') {
            if (s->at[0] == '\\' && s->at[1] == '\n') step(s);
            step(s);
        }
        return true;
    }
    if (s->at[0] != '/' || s->at[1] != '*') return false;
    const char *end = strstr(s->at + 2, "*/");
    bool line_begins = s->line_begins;
    step_to(s, end ? end + 2 : s->at + strlen(s->at));
    s->line_begins |= line_begins;
    return true;
}

static void skip_blanks(struct asset_scan *s) {
    for (;;) {
        if (isspace((unsigned char)*s->at)) step(s);
        else if (s->at[0] == '\\' && s->at[1] == '\n') step(s), step(s);
        else if (!skip_comment(s)) return;
    }
}

/* ---- Directives ---- */

/* # 12 "file" ...   or   #line 12 "file" */
static void take_linemarker(struct asset_scan *s, const char *at) {
    at += 1 + strspn(at + 1, " \t");
    if (strncmp(at, "line", 4) == 0) at += 4 + strspn(at + 4, " \t");
    if (!isdigit((unsigned char)*at)) return;
    s->line = (unsigned)strtoul(at, NULL, 10) - 1; /* the end of this line is still to come */
    at += strspn(at, "0123456789 \t");
    if (*at == '"') snprintf(s->file, sizeof s->file, "%.*s", (int)strcspn(at + 1, "\"\n"), at + 1);
}

static void take_directive(struct asset_scan *s, struct asset_token *t) {
    t->kind = ASSET_DIRECTIVE;
    while (*s->at && *s->at != '\n') {
        if (s->at[0] == '/' && s->at[1] == '*') {
            skip_comment(s);
            continue;
        }
        if (s->at[0] == '\\' && s->at[1] == '\n') step(s);
        step(s);
    }
    t->length = (size_t)(s->at - t->at);
    take_linemarker(s, t->at);
}

bool asset_directive(const struct asset_token *t, struct asset_token *name, struct asset_token *rest) {
    const char *end = t->at + t->length, *at = t->at + 1;
    if (t->kind != ASSET_DIRECTIVE) return false;
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    *name = (struct asset_token){.kind = ASSET_WORD, .at = at, .line = t->line};
    while (at < end && is_word(*at)) at++;
    name->length = (size_t)(at - name->at);
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    *rest = (struct asset_token){.kind = ASSET_MARK, .at = at, .length = (size_t)(end - at), .line = t->line};
    return name->length > 0 && !isdigit((unsigned char)*name->at);
}

/* ---- Tokens ---- */

static void take_quoted(struct asset_scan *s, char quote) {
    step(s);
    while (*s->at && *s->at != quote && *s->at != '\n') {
        if (*s->at == '\\' && s->at[1]) step(s);
        step(s);
    }
    if (*s->at == quote) step(s);
}

/* R"mark( ... )mark", from the quotation mark on. */
static void take_raw_string(struct asset_scan *s) {
    char end[32];
    int mark = (int)strcspn(s->at + 1, "(\n\"");
    snprintf(end, sizeof end, ")%.*s\"", mark < 20 ? mark : 20, s->at + 1);
    const char *found = strstr(s->at, end);
    step_to(s, found ? found + strlen(end) : s->at + strlen(s->at));
}

static void take_number(struct asset_scan *s) {
    while (is_word(*s->at) || *s->at == '.' || (*s->at == '\'' && is_word(s->at[1])) ||
           ((*s->at == '+' || *s->at == '-') && strchr("eEpP", s->at[-1])))
        step(s);
}

static bool is_raw_prefix(const struct asset_token *t) {
    return t->length > 0 && t->length <= 3 && t->at[t->length - 1] == 'R';
}

struct asset_token asset_scan_next(struct asset_scan *s) {
    skip_blanks(s);
    struct asset_token t = {.kind = ASSET_MARK, .at = s->at, .length = 1, .line = s->line};
    char c = *s->at;
    if (c == '#' && s->line_begins) return take_directive(s, &t), t;
    s->line_begins = false;
    if (!c) return t.kind = ASSET_END, t.length = 0, t;
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)s->at[1]))) {
        t.kind = ASSET_CONSTANT;
        take_number(s);
    } else if (is_word(c)) {
        t.kind = ASSET_WORD;
        while (is_word(*s->at)) step(s);
        t.length = (size_t)(s->at - t.at);
        if (*s->at == '"' && is_raw_prefix(&t)) t.kind = ASSET_CONSTANT, take_raw_string(s);
    } else if (c == '"' || c == '\'') {
        t.kind = ASSET_CONSTANT;
        take_quoted(s, c);
    } else step(s);
    t.length = (size_t)(s->at - t.at);
    return t;
}

bool asset_token_is(const struct asset_token *t, const char *text) {
    return t->kind != ASSET_END && t->length == strlen(text) && memcmp(t->at, text, t->length) == 0;
}
