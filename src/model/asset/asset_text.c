#include "model/asset/asset_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/asset/asset_scan.h"

/* The format of what is made for the compiler; a part of what plug-ins are made from. */
#define FORMAT "1"

/* ---- The whole text ---- */

/* #include <...>. One that stands in a condition may be of a file that there is not. */
static void hoist_includes(const char *name, const char *model, FILE *out) {
    struct asset_scan scan;
    int conditions = 0;
    asset_scan_begin(&scan, model, "");
    for (struct asset_token t; t = asset_scan_next(&scan), t.kind != ASSET_END;) {
        struct asset_token directive, rest;
        if (!asset_directive(&t, &directive, &rest)) continue;
        if (directive.length >= 2 && strncmp(directive.at, "if", 2) == 0) conditions++;
        if (asset_token_is(&directive, "endif")) conditions--;
        if (!asset_token_is(&directive, "include") || *rest.at != '<') continue;
        char *file = text_format("%.*s>", (int)strcspn(rest.at, ">\n"), rest.at);
        if (conditions) fprintf(out, "#if __has_include(%s)\n", file);
        fprintf(out, "#line %u \"%s\"\n#include %s\n%s", t.line, name, file, conditions ? "#endif\n" : "");
        free(file);
    }
}

char *asset_text_whole(const char *path, const char *model) {
    char *all = NULL, *name = text_as_c(path);
    size_t size = 0;
    FILE *out = open_memstream(&all, &size);
    if (strncmp(model, "\xef\xbb\xbf", 3) == 0) model += 3; /* a byte order mark */
    hoist_includes(name, model, out);
    fprintf(out,
            "#line 1 \"onager\"\n#include <onager/asset.h>\n"
            "namespace model { enum { onager_format = " FORMAT ", onager_begins };\n#line 1 \"%s\"\n%s\n"
            "#line 1 \"onager\"\nenum { onager_ends }; }\n#include <onager/asset_end.h>\n",
            name, model);
    fclose(out);
    free(name);
    return all;
}

/* ---- Declarations of state variables ---- */

struct rewriting {
    struct asset_scan scan;
    FILE *out;
    const char *copied; /* what is before has been written */
    unsigned count;     /* of variables */
    struct problem *why;
    bool good;
};

static void copy_to(struct rewriting *r, const char *end) {
    fwrite(r->copied, 1, (size_t)(end - r->copied), r->out);
    r->copied = end;
}

/* Directives may stand anywhere, and are copied with the rest. */
static struct asset_token next(struct rewriting *r) {
    struct asset_token t;
    do t = asset_scan_next(&r->scan);
    while (t.kind == ASSET_DIRECTIVE);
    return t;
}

static bool is_mark(const struct asset_token *t, const char *any) {
    return t->kind == ASSET_MARK && strchr(any, *t->at);
}

/* After an opening bracket: up to what closes it. *t becomes that; false: nothing does. */
static bool skip_brackets(struct rewriting *r, struct asset_token *t) {
    for (int depth = 1; depth > 0;) {
        *t = next(r);
        if (t->kind == ASSET_END) return false;
        if (is_mark(t, "([{")) depth++;
        if (is_mark(t, ")]}")) depth--;
    }
    return true;
}

/* After '=': up to the comma or semicolon that ends the initialiser, which *t becomes. */
static bool skip_value(struct rewriting *r, struct asset_token *t) {
    while (*t = next(r), !is_mark(t, ",;")) {
        if (t->kind == ASSET_END || is_mark(t, ")]}")) return false;
        if (is_mark(t, "([{") && !skip_brackets(r, t)) return false;
    }
    return true;
}

static bool refuse_list(struct rewriting *r, const struct asset_token *name) {
    r->good =
        problem_set(r->why, EXIT_BAD_INPUT,
                    "%s:%u: %.*s: the width of all elements stands behind an equals sign, as in state_var C[n] = 2; "
                    "a list in braces would be of single elements",
                    r->scan.file, name->line, (int)name->length, name->at);
    return false;
}

/* What follows the name of a variable. */
struct declarator {
    const char *end;            /* of the name and its brackets */
    const char *before, *after; /* the marks that the width stands between; NULL: it is the usual one */
    bool is_array;
};

/* The width, from *t, an opening mark, on; *t becomes the comma or semicolon after it. */
static bool read_width(struct rewriting *r, const struct asset_token *name, struct declarator *d,
                       struct asset_token *t) {
    bool equals = is_mark(t, "="), braces = is_mark(t, "{");
    d->before = t->at;
    if (equals) {
        const char *value = t->at + 1;
        if (!skip_value(r, t)) return false;
        braces = value[strspn(value, " \t\n")] == '{';
        d->after = t->at;
    } else {
        if (!skip_brackets(r, t)) return false;
        d->after = t->at;
        *t = next(r);
    }
    if (d->before + 1 == d->after || !is_mark(t, ",;")) return false; /* a function */
    return !braces || refuse_list(r, name);
}

/* After the name, from *t on, up to the comma or semicolon, which *t becomes. False: this is no declaration of a
 * variable. */
static bool read_declarator(struct rewriting *r, const struct asset_token *name, struct declarator *d,
                            struct asset_token *t) {
    *d = (struct declarator){.end = name->at + name->length};
    while (is_mark(t, "[")) {
        d->is_array = true;
        if (!skip_brackets(r, t)) return false;
        d->end = t->at + 1;
        *t = next(r);
    }
    return is_mark(t, "=({") ? read_width(r, name, d, t) : is_mark(t, ",;");
}

/* Everything else stays where it is, ends of lines among it. */
static void write_declarator(struct rewriting *r, const struct asset_token *name, const struct declarator *d) {
    copy_to(r, d->before ? d->before : d->end);
    fprintf(r->out, ", onager_%u = onager::width(\"%.*s\", (", ++r->count, (int)name->length, name->at);
    if (d->before) {
        r->copied++;
        copy_to(r, d->after);
        if (*d->after == ')') r->copied++;
    } else fputs("8", r->out);
    fprintf(r->out, "), sizeof %.*s, %s)", (int)name->length, name->at, d->is_array ? "true" : "false");
}

/* After `state_var`. */
static void rewrite_declaration(struct rewriting *r) {
    struct asset_token name = next(r), t;
    do {
        struct declarator d;
        if (name.kind != ASSET_WORD) return;
        t = next(r);
        if (!read_declarator(r, &name, &d, &t)) return;
        write_declarator(r, &name, &d);
        if (is_mark(&t, ",")) name = next(r);
    } while (is_mark(&t, ","));
}

/* Whether a declaration may begin after this. */
static bool may_precede(const struct asset_token *t) {
    static const char *const words[] = {"static", "const", "inline", "volatile", "public", "private"};
    if (t->kind == ASSET_END || t->kind == ASSET_DIRECTIVE || is_mark(t, ";{}):")) return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (asset_token_is(t, words[i])) return true;
    return false;
}

/* ---- Switches ---- */

static const char *const switches[] = {"chk_state", "chk_deadlock", "chk_may_progress", "chk_must_progress"};

/* What begins as a switch does, and is none, is a mistake that would go unnoticed. */
static bool is_switch(const char *name, const char *place, struct problem *why) {
    size_t n = sizeof switches / sizeof *switches;
    if (strncmp(name, "chk_", 4) != 0) return true;
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, switches[i]) == 0) return true;
    const char *near = text_nearest(name, switches, n);
    return problem_set(why, EXIT_BAD_INPUT,
                       "%s: there is no switch '%s'%s%s%s. There are chk_state, chk_deadlock, chk_may_progress and "
                       "chk_must_progress",
                       place, name, near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

static bool check_directive(const struct asset_scan *s, const struct asset_token *t, struct problem *why) {
    struct asset_token name, rest;
    if (!asset_directive(t, &name, &rest) || !asset_token_is(&name, "define")) return true;
    char *place = text_format("%s:%u", s->file, t->line);
    char *macro = text_format("%.*s", (int)strcspn(rest.at, " \t(\n\r"), rest.at);
    bool good = is_switch(macro, place, why);
    free(macro);
    free(place);
    return good;
}

/* ---- The model's text among the rest ---- */

static const char *model_of(const char *preprocessed) {
    static const char begin[] = "onager_begins };";
    const char *model = strstr(preprocessed, begin);
    return model ? model + sizeof begin - 1 : NULL;
}

int asset_text_braces(const char *preprocessed) {
    struct asset_scan scan;
    int open = 0;
    const char *model = model_of(preprocessed);
    asset_scan_begin(&scan, model ? model : "", "");
    scan.line_begins = false;
    for (struct asset_token t; t = asset_scan_next(&scan), t.kind != ASSET_END && !asset_token_is(&t, "onager_ends");)
        if (is_mark(&t, "{}")) open += *t.at == '{' ? 1 : -1;
    return open - 1; /* the mark stands behind another one */
}

char *asset_text_rewrite(const char *preprocessed, struct problem *why) {
    const char *model = model_of(preprocessed);
    char *all = NULL;
    size_t size = 0;
    struct rewriting r = {.copied = preprocessed, .why = why, .good = true};
    struct asset_token before = {.kind = ASSET_END};
    if (!model) return problem_set(why, EXIT_INTERNAL, "the preprocessor has lost the model"), NULL;
    asset_scan_begin(&r.scan, model, "");
    r.scan.line_begins = false;
    r.out = open_memstream(&all, &size);
    for (struct asset_token t; r.good && (t = asset_scan_next(&r.scan), t.kind != ASSET_END); before = t) {
        if (t.kind == ASSET_DIRECTIVE) r.good = check_directive(&r.scan, &t, why);
        if (asset_token_is(&t, "onager_ends")) break;
        if (!asset_token_is(&t, "state_var") || !may_precede(&before)) continue;
        rewrite_declaration(&r);
        t = (struct asset_token){.kind = ASSET_MARK, .at = ";", .length = 1};
    }
    if (r.good) copy_to(&r, preprocessed + strlen(preprocessed));
    fclose(r.out);
    if (r.good) return all;
    free(all);
    return NULL;
}
