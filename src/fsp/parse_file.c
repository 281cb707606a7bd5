/* Definitions, one after the other. */
#include "fsp/parser.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "lts/tester.h"

/* ---- Definitions that are not processes ---- */

static void parse_constant(struct parser *p, struct definition *d) {
    d->kind = DEFINITION_CONSTANT;
    parser_expect(p, TOKEN_BECOMES, "after the name of a constant");
    d->value = parse_simple_expression(p);
}

static void parse_range_definition(struct parser *p, struct definition *d) {
    struct range *r = arena_get(p->arena, sizeof *r);
    d->kind = DEFINITION_RANGE;
    d->range = r;
    parser_expect(p, TOKEN_BECOMES, "after the name of a range");
    r->at = p->next->at;
    r->low = parse_simple_expression(p);
    parser_expect(p, TOKEN_DOTS, "between the bounds of a range");
    r->high = parse_simple_expression(p);
}

static void parse_set_definition(struct parser *p, struct definition *d) {
    d->kind = DEFINITION_SET;
    parser_expect(p, TOKEN_BECOMES, "after the name of a set");
    d->set = parse_set_difference(p);
}

static void parse_progress(struct parser *p, struct definition *d) {
    d->kind = DEFINITION_PROGRESS;
    d->indices = parse_indices(p);
    parser_expect(p, TOKEN_BECOMES, "after the name of a progress property");
    if (parser_accept(p, TOKEN_IF)) {
        d->second_set = parse_set(p);
        parser_expect(p, TOKEN_THEN, "after the condition of a progress property");
    }
    d->set = parse_set(p);
}

static void parse_menu(struct parser *p, struct definition *d) {
    d->kind = DEFINITION_MENU;
    parser_expect(p, TOKEN_BECOMES, "after the name of a menu");
    d->set = parse_set(p);
}

/* A label, or a set of labels, as a set. */
static const struct set *parse_events(struct parser *p) {
    struct set *s = arena_get(p->arena, sizeof *s);
    s->at = p->next->at;
    s->members = parse_label(p);
    return s;
}

static void parse_fluent(struct parser *p, struct definition *d) {
    d->kind = DEFINITION_FLUENT;
    d->indices = parse_indices(p);
    parser_expect(p, TOKEN_BECOMES, "after the name of a fluent");
    parser_expect(p, TOKEN_LESS, "before the actions that make a fluent true");
    d->set = parse_events(p);
    parser_expect(p, TOKEN_COMMA, "between the actions that make a fluent true, and those that make it false");
    d->second_set = parse_events(p);
    parser_expect(p, TOKEN_GREATER, "after the actions that make a fluent false");
    if (!parser_at_word(p, "initially")) return;
    p->next++;
    d->value = parse_simple_expression(p);
}

static const struct parameter *parse_parameters(struct parser *p) {
    const struct parameter *first = NULL, **end = &first;
    if (!parser_accept(p, TOKEN_LEFT_ROUND)) return NULL;
    do {
        struct parameter *q = arena_get(p->arena, sizeof *q);
        q->at = p->next->at;
        q->name = parser_name(p, TOKEN_UPPER, "the name of a parameter, which begins with an upper-case letter");
        parser_expect(p, TOKEN_BECOMES, "and a default value after the name of a parameter");
        q->value = parse_expression(p);
        *end = q;
        end = &q->next;
    } while (parser_accept(p, TOKEN_COMMA));
    parser_expect(p, TOKEN_RIGHT_ROUND, "or ',' after a parameter");
    return first;
}

static void parse_assert(struct parser *p, struct definition *d) {
    d->kind = DEFINITION_ASSERT;
    d->parameters = parse_parameters(p);
    parser_expect(p, TOKEN_BECOMES, "after the name of an assertion");
    d->formula = parse_formula(p);
}

static void parse_import(struct parser *p, struct definition *d) {
    d->kind = DEFINITION_IMPORT;
    parser_expect(p, TOKEN_BECOMES, "after the name of an imported process");
    d->path = parser_name(p, TOKEN_STRING, "the name of a file in quotes");
    parser_accept(p, TOKEN_DOT);
}

/* ---- Testers ---- */

static const struct {
    const char *word;
    enum tester_kind kind;
} monitor_words[] = {
    {"reject", TESTER_REJECT},
    {"deadlock", TESTER_DEADLOCK},
    {"livelock", TESTER_LIVELOCK},
    {"infinite", TESTER_INFINITE},
};
enum { MONITOR_WORDS = sizeof monitor_words / sizeof monitor_words[0] };

static const struct monitored *parse_monitored(struct parser *p) {
    const struct monitored *first = NULL, **end = &first;
    parser_expect(p, TOKEN_LEFT_CURLY, "before the names of local processes");
    do {
        struct monitored *m = arena_get(p->arena, sizeof *m);
        m->at = p->next->at;
        m->name = parser_name(p, TOKEN_UPPER, "the name of a local process, which begins with an upper-case letter");
        m->indices = parse_indices(p);
        *end = m;
        end = &m->next;
    } while (parser_accept(p, TOKEN_COMMA));
    parser_expect(p, TOKEN_RIGHT_CURLY, "or ',' after the name of a local process");
    return first;
}

/* tester T reject {A} deadlock {B, C[1]} ...; these words are ordinary names elsewhere. */
static void parse_tester(struct parser *p, struct definition *d) {
    const struct monitor **end = &d->monitors;
    d->kind = DEFINITION_TESTER;
    p->next++;
    d->at = p->next->at;
    d->name = parser_name(p, TOKEN_UPPER, "the name of a process, which begins with an upper-case letter");
    while (parser_at(p, TOKEN_LOWER)) {
        unsigned kind = 0;
        for (int i = 0; i < MONITOR_WORDS; i++)
            if (parser_at_word(p, monitor_words[i].word)) kind = monitor_words[i].kind;
        if (!kind) {
            if (!parser_at_word(p, "tester")) parser_expected(p, "reject, deadlock, livelock or infinite");
            break;
        }
        struct monitor *m = arena_get(p->arena, sizeof *m);
        p->next++;
        m->kind = kind;
        m->states = parse_monitored(p);
        *end = m;
        end = &m->next;
    }
    parser_accept(p, TOKEN_DOT);
}

/* ---- Processes and composites ---- */

static void parse_qualifiers(struct parser *p, struct definition *d) {
    for (;;) {
        if (parser_accept(p, TOKEN_PROPERTY)) d->property = true;
        else if (parser_accept(p, TOKEN_MINIMAL)) d->minimal = true;
        else if (parser_accept(p, TOKEN_DETERMINISTIC)) d->deterministic = true;
        else return;
    }
}

static void parse_named_process(struct parser *p, struct definition *d) {
    parse_qualifiers(p, d);
    bool composite = parser_accept(p, TOKEN_BARS);
    d->at = p->next->at;
    if (!composite && !parser_at(p, TOKEN_UPPER)) {
        parser_expected(p, "a definition: a process's name, '||', const, range, set, property, progress, minimal, "
                           "deterministic, menu, fluent, assert, import or tester");
        return;
    }
    d->name = parser_name(p, TOKEN_UPPER, "the name of a composite process after '||'");
    d->parameters = parse_parameters(p);
    if (composite) parse_composite(p, d);
    else parse_process(p, d);
}

/* ---- All of them ---- */

struct form {
    enum token_kind word;
    const char *what; /* is expected after it */
    void (*parse)(struct parser *p, struct definition *d);
};

static const struct form forms[] = {
    {TOKEN_CONST, "the name of a constant, which begins with an upper-case letter", parse_constant},
    {TOKEN_RANGE, "the name of a range, which begins with an upper-case letter", parse_range_definition},
    {TOKEN_SET, "the name of a set, which begins with an upper-case letter", parse_set_definition},
    {TOKEN_PROGRESS, "the name of a progress property, which begins with an upper-case letter", parse_progress},
    {TOKEN_MENU, "the name of a menu, which begins with an upper-case letter", parse_menu},
    {TOKEN_FLUENT, "the name of a fluent, which begins with an upper-case letter", parse_fluent},
    {TOKEN_ASSERT, "the name of an assertion, which begins with an upper-case letter", parse_assert},
    {TOKEN_IMPORT, "the name of a process, which begins with an upper-case letter", parse_import},
};

static struct definition *parse_definition(struct parser *p) {
    struct definition *d = arena_get(p->arena, sizeof *d);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (!parser_accept(p, forms[i].word)) continue;
        d->at = p->next->at;
        d->name = parser_name(p, TOKEN_UPPER, forms[i].what);
        forms[i].parse(p, d);
        return d;
    }
    if (parser_at_word(p, "tester")) parse_tester(p, d);
    else parse_named_process(p, d);
    return d;
}

/* Definitions of the same kind must not have the same name; these kinds are one. */
enum { FAMILIES = 6 };

static int family_of(enum definition_kind kind) {
    switch (kind) {
    case DEFINITION_CONSTANT:
    case DEFINITION_RANGE:
    case DEFINITION_SET: return 0;
    case DEFINITION_PROCESS:
    case DEFINITION_COMPOSITE:
    case DEFINITION_IMPORT: return 1;
    case DEFINITION_FLUENT:
    case DEFINITION_ASSERT: return 2;
    case DEFINITION_PROGRESS: return 3;
    case DEFINITION_TESTER: return 4;
    default: return 5;
    }
}

static void check_names(struct parser *p, const struct definition *all) {
    struct names known[FAMILIES];
    struct numbers lines[FAMILIES] = {{0}};
    for (int i = 0; i < FAMILIES; i++) names_init(&known[i]);
    for (const struct definition *d = all; d && d->name; d = d->next) {
        int family = family_of(d->kind);
        uint32_t number = names_find(&known[family], d->name);
        if (number != NAMES_NONE) {
            parser_fail(p, d->at, "%s is defined already, in line %u", d->name, (unsigned)lines[family].at[number]);
            break;
        }
        names_add(&known[family], d->name);
        numbers_add(&lines[family], d->at.line);
    }
    for (int i = 0; i < FAMILIES; i++) {
        names_fini(&known[i]);
        numbers_fini(&lines[i]);
    }
}

static void check_testers(struct parser *p, const struct definition *all) {
    for (const struct definition *t = all; t; t = t->next) {
        const struct definition *d = all;
        while (d && (family_of(d->kind) != 1 || strcmp(d->name, t->name) != 0)) d = d->next;
        if (t->kind == DEFINITION_TESTER && !d)
            parser_fail(p, t->at, "there is no process %s that could be a tester", t->name);
    }
}

bool parse_file(const struct source *source, struct arena *arena, struct definition **definitions,
                struct problem *why) {
    size_t count;
    struct token *tokens = lexer_run(source, arena, &count, why);
    struct definition **end = definitions;
    *definitions = NULL;
    if (!tokens) return false;
    struct parser p = {.source = source, .arena = arena, .why = why, .next = tokens, .last = tokens + count - 1};
    while (!parser_at(&p, TOKEN_END)) {
        struct definition *d = parse_definition(&p);
        *end = d;
        end = &d->next;
    }
    if (why->status == EXIT_HOLDS) check_names(&p, *definitions);
    if (why->status == EXIT_HOLDS) check_testers(&p, *definitions);
    return why->status == EXIT_HOLDS;
}
