#include "fsp/lexer.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static const char *const texts[TOKEN_KINDS] = {
    [TOKEN_END] = "the end of the file",
    [TOKEN_UPPER] = "a name that begins with an upper-case letter",
    [TOKEN_LOWER] = "a name that begins with a lower-case letter",
    [TOKEN_NUMBER] = "a number",
    [TOKEN_STRING] = "a text in quotes",
    [TOKEN_CONST] = "const",
    [TOKEN_RANGE] = "range",
    [TOKEN_SET] = "set",
    [TOKEN_PROPERTY] = "property",
    [TOKEN_MINIMAL] = "minimal",
    [TOKEN_DETERMINISTIC] = "deterministic",
    [TOKEN_PROGRESS] = "progress",
    [TOKEN_MENU] = "menu",
    [TOKEN_FLUENT] = "fluent",
    [TOKEN_ASSERT] = "assert",
    [TOKEN_IMPORT] = "import",
    [TOKEN_IF] = "if",
    [TOKEN_THEN] = "then",
    [TOKEN_ELSE] = "else",
    [TOKEN_WHEN] = "when",
    [TOKEN_FORALL] = "forall",
    [TOKEN_ARROW] = "->",
    [TOKEN_DOT] = ".",
    [TOKEN_DOTS] = "..",
    [TOKEN_COMMA] = ",",
    [TOKEN_SEMICOLON] = ";",
    [TOKEN_COLON] = ":",
    [TOKEN_COLONS] = "::",
    [TOKEN_LEFT_ROUND] = "(",
    [TOKEN_RIGHT_ROUND] = ")",
    [TOKEN_LEFT_SQUARE] = "[",
    [TOKEN_RIGHT_SQUARE] = "]",
    [TOKEN_LEFT_CURLY] = "{",
    [TOKEN_RIGHT_CURLY] = "}",
    [TOKEN_BECOMES] = "=",
    [TOKEN_BAR] = "|",
    [TOKEN_BARS] = "||",
    [TOKEN_AND] = "&",
    [TOKEN_ANDS] = "&&",
    [TOKEN_CARET] = "^",
    [TOKEN_NOT] = "!",
    [TOKEN_EQUAL] = "==",
    [TOKEN_UNEQUAL] = "!=",
    [TOKEN_LESS] = "<",
    [TOKEN_LESS_EQUAL] = "<=",
    [TOKEN_GREATER] = ">",
    [TOKEN_GREATER_EQUAL] = ">=",
    [TOKEN_SHIFT_LEFT] = "<<",
    [TOKEN_SHIFT_RIGHT] = ">>",
    [TOKEN_PLUS] = "+",
    [TOKEN_MINUS] = "-",
    [TOKEN_STAR] = "*",
    [TOKEN_SLASH] = "/",
    [TOKEN_PERCENT] = "%",
    [TOKEN_BACKSLASH] = "\\",
    [TOKEN_AT] = "@",
    [TOKEN_HASH] = "#",
    [TOKEN_QUOTE] = "'",
    [TOKEN_DIAMOND] = "<>",
    [TOKEN_EQUIVALENT] = "<->",
};

const char *token_text(enum token_kind kind) { return texts[kind]; }

/* ---- Problems ---- */

/* The line, with a mark below the column; a line that is too long is not shown. */
static char *show_line(const struct source *source, struct place at) {
    const char *line = source->text;
    for (uint32_t i = 1; i < at.line && line; i++) line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
    size_t length = line ? strcspn(line, "\r\n") : 0;
    if (length == 0 || length > 200 || at.column > length + 1) return memory_copy_string("");
    char *mark = memory_get(at.column);
    for (uint32_t i = 0; i + 1 < at.column; i++) mark[i] = line[i] == '\t' ? '\t' : ' ';
    mark[at.column - 1] = 0;
    char *shown = text_format("\n    %.*s\n    %s^", (int)length, line, mark);
    free(mark);
    for (char *c = shown; *c; c++)
        if ((unsigned char)*c < ' ' && *c != '\n' && *c != '\t') *c = '?';
    return shown;
}

bool source_problem(const struct source *source, struct place at, struct problem *why, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *message = text_vformat(fmt, args), *line = show_line(source, at);
    va_end(args);
    problem_set(why, EXIT_BAD_INPUT, "%s:%u:%u: %s%s", source->path, at.line, at.column, message, line);
    free(message);
    free(line);
    return false;
}

/* ---- Tokens ---- */

struct lexer {
    const struct source *source;
    struct arena *arena;
    struct problem *why;
    const char *next;
    struct place at;
    struct token *tokens; /* on the heap while it grows */
    size_t count, room;
};

static void step(struct lexer *x) {
    if (*x->next++ == '\n') {
        x->at.line++;
        x->at.column = 1;
    } else x->at.column++;
}

static void skip(struct lexer *x, size_t count) {
    while (count-- > 0) step(x);
}

static bool skip_comment(struct lexer *x) {
    struct place begin = x->at;
    for (skip(x, 2); *x->next; step(x))
        if (x->next[0] == '*' && x->next[1] == '/') return skip(x, 2), true;
    return source_problem(x->source, begin, x->why, "this comment has no end; expected */ before the end of the file");
}

static bool skip_blanks(struct lexer *x) {
    while (*x->next) {
        if (isspace((unsigned char)*x->next)) step(x);
        else if (x->next[0] == '/' && x->next[1] == '/')
            while (*x->next && *x->next != '\n') step(x);
        else if (x->next[0] == '/' && x->next[1] == '*') {
            if (!skip_comment(x)) return false;
        } else break;
    }
    return true;
}

static struct token *add(struct lexer *x, enum token_kind kind, size_t text_from, size_t text_length) {
    if (x->count == x->room) {
        x->room = x->room ? 2 * x->room : 256;
        x->tokens = memory_resize(x->tokens, x->room * sizeof *x->tokens);
    }
    struct token *t = &x->tokens[x->count++];
    *t = (struct token){.kind = kind, .at = x->at};
    t->text = text_length > 0 ? arena_copy(x->arena, x->next + text_from, text_length) : "";
    return t;
}

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static void add_word(struct lexer *x) {
    size_t length = 0;
    enum token_kind kind = isupper((unsigned char)*x->next) ? TOKEN_UPPER : TOKEN_LOWER;
    while (in_word(x->next[length])) length++;
    for (enum token_kind k = TOKEN_CONST; k <= TOKEN_FORALL; k++)
        if (strlen(texts[k]) == length && strncmp(texts[k], x->next, length) == 0) kind = k;
    add(x, kind, 0, length);
    skip(x, length);
}

static bool add_number(struct lexer *x) {
    size_t length = 0;
    while (in_word(x->next[length])) length++;
    struct token *t = add(x, TOKEN_NUMBER, 0, length);
    char *end;
    errno = 0;
    long long value = strtoll(t->text, &end, 0);
    if (*end)
        return source_problem(x->source, t->at, x->why, "'%s' is not a number%s", t->text,
                              t->text[0] == '0' ? " (a leading 0 makes it octal)" : "");
    if (errno || value > INT32_MAX)
        return source_problem(x->source, t->at, x->why, "%s is too large: numbers go up to %d", t->text, INT32_MAX);
    t->number = value;
    skip(x, length);
    return true;
}

static bool add_string(struct lexer *x) {
    size_t length = strcspn(x->next + 1, "\"\n");
    if (x->next[1 + length] != '"')
        return source_problem(x->source, x->at, x->why, "this text has no end; expected \" before the end of the line");
    add(x, TOKEN_STRING, 1, length);
    skip(x, length + 2);
    return true;
}

/* The longest sign that the text begins with. */
static bool add_sign(struct lexer *x) {
    enum token_kind best = TOKEN_END;
    size_t longest = 0;
    for (enum token_kind k = TOKEN_ARROW; k < TOKEN_KINDS; k++) {
        size_t length = strlen(texts[k]);
        if (length <= longest || strncmp(texts[k], x->next, length) != 0) continue;
        best = k;
        longest = length;
    }
    if (longest == 0) {
        bool printable = isprint((unsigned char)*x->next);
        return source_problem(x->source, x->at, x->why,
                              printable ? "'%c' has no meaning in FSP" : "byte 0x%02x is not FSP",
                              (unsigned char)*x->next);
    }
    add(x, best, 0, 0);
    skip(x, longest);
    return true;
}

static bool add_token(struct lexer *x) {
    if (isalpha((unsigned char)*x->next) || *x->next == '_') return add_word(x), true;
    if (isdigit((unsigned char)*x->next)) return add_number(x);
    if (*x->next == '"') return add_string(x);
    return add_sign(x);
}

struct token *lexer_run(const struct source *source, struct arena *arena, size_t *count, struct problem *why) {
    struct lexer x = {.source = source, .arena = arena, .why = why, .next = source->text, .at = {1, 1}};
    struct token *tokens = NULL;
    if (strncmp(x.next, "\xef\xbb\xbf", 3) == 0) x.next += 3; /* a mark that some editors write */
    bool good = skip_blanks(&x);
    while (good && *x.next) good = add_token(&x) && skip_blanks(&x);
    if (good) {
        add(&x, TOKEN_END, 0, 0);
        tokens = arena_get(arena, x.count * sizeof *tokens);
        memcpy(tokens, x.tokens, x.count * sizeof *tokens);
        *count = x.count;
    }
    free(x.tokens);
    return tokens;
}
