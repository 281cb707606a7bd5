/* syntax.h: an FSP file as it was written.
 *
 * Everything lives in the arena of the file. Lists are linked by `next`. Names and labels are texts; nothing is looked
 * up or computed here. `at` is where a construct begins, for messages.
 */
#ifndef FSP_SYNTAX_H
#define FSP_SYNTAX_H

#include <stdbool.h>
#include <stdint.h>

struct place {
    uint32_t line, column; /* from 1; columns are bytes */
};

/* ---- Expressions: their values are numbers or labels ---- */

enum expression_kind {
    EXPRESSION_NUMBER,
    EXPRESSION_NAME,    /* an index variable, a parameter or a constant */
    EXPRESSION_LABEL,   /* 'a.b[i] */
    EXPRESSION_SIZE,    /* #S */
    EXPRESSION_ELEMENT, /* @(S, left) */
    EXPRESSION_UNARY,   /* op left */
    EXPRESSION_BINARY,  /* left op right */
};

struct expression {
    struct place at;
    enum expression_kind kind;
    unsigned op; /* enum token_kind */
    int64_t number;
    const char *name;
    const struct label *label;
    const struct set *set;
    const struct expression *left, *right;
    bool enclosed;   /* in parentheses */
    unsigned height; /* operators one above the other */
};

/* ---- Labels ----
 *
 * A label is a list of steps, each of which adds to the labels so far: `a` and `.a` a name, `[i]` a value, `{a, b}` and
 * `S` any of a set, `[R]` and `[i:R]` any value of a range or a set, the latter naming it. */

struct set {
    struct place at;
    const char *name;            /* of a set or range that is defined elsewhere, or NULL */
    const struct label *members; /* linked */
    const struct set *without;   /* the right side of a difference, or NULL */
};

/* What an index takes its values from: either low to high, or the one value `low`, or a name, or a set. */
struct range {
    struct place at;
    const struct expression *low, *high; /* high NULL: a single value */
    const struct set *set;
};

enum step_kind { STEP_NAME, STEP_SET, STEP_INDEX };

struct label_step {
    const struct label_step *next;
    struct place at;
    enum step_kind kind;
    const char *name; /* of STEP_NAME; of STEP_INDEX: the variable, or NULL */
    const struct set *set;
    const struct range *range;
};

struct label {
    const struct label *next;
    struct place at;
    const struct label_step *steps;
};

/* [i:R][j:S] before a body, or after a name that is being defined; the variable may be missing there. */
struct index {
    const struct index *next;
    struct place at;
    const char *variable; /* or NULL */
    const struct range *range;
};

/* ---- Operations on processes ---- */

/* forall [i:R] { ... } or new/old */
struct relabel {
    const struct relabel *next;
    struct place at;
    const struct index *indices; /* of forall, else NULL */
    const struct relabel *inner; /* what is below the forall */
    const struct label *new_label, *old_label;
};

struct argument {
    const struct argument *next;
    const struct expression *value;
};

struct parameter {
    const struct parameter *next;
    struct place at;
    const char *name;
    const struct expression *value; /* the default */
};

/* ---- Primitive processes ---- */

enum body_kind { BODY_CHOICE, BODY_REFERENCE, BODY_STOP, BODY_END, BODY_ERROR, BODY_IF, BODY_SEQUENCE };

/* when (guard) first -> second -> ... -> body */
struct alternative {
    const struct alternative *next;
    struct place at;
    const struct expression *guard; /* or NULL */
    const struct label *actions;    /* linked */
    const struct body *body;
};

/* A process before a semicolon. */
struct call {
    const struct call *next;
    struct place at;
    const char *name;
    const struct argument *arguments;
};

struct body {
    struct place at;
    enum body_kind kind;
    const struct alternative *alternatives;
    const char *name;               /* of a reference, */
    const struct argument *indices; /* and its indices */
    const struct expression *condition;
    const struct body *then, *otherwise; /* otherwise: NULL if there is no else; then: also what follows `calls` */
    const struct call *calls;
};

struct local {
    const struct local *next;
    struct place at;
    const char *name;
    const struct index *indices;
    const struct body *body;
};

/* ---- Composites ---- */

enum composite_kind { COMPOSITE_REFERENCE, COMPOSITE_LIST, COMPOSITE_FORALL, COMPOSITE_IF };

/* {a,b}::x:P(1)/{new/old} and the like. */
struct composite {
    const struct composite *next;
    struct place at;
    enum composite_kind kind;
    const struct label *shared; /* before `::`, or NULL */
    const struct label *prefix; /* before `:`, or NULL */
    const char *name;
    const struct argument *arguments;
    const struct composite *inner; /* linked; of `if`: what follows then */
    const struct composite *otherwise;
    const struct index *indices;
    const struct expression *condition;
    const struct relabel *relabels;
};

/* ---- Formulas of temporal logic ---- */

enum formula_kind {
    FORMULA_TRUE,
    FORMULA_FALSE,
    FORMULA_ACTIONS,   /* a label or a set: one of these actions */
    FORMULA_REFERENCE, /* a fluent or an assertion, with indices and arguments */
    FORMULA_RIGID,     /* an expression, which is 0 or not */
    FORMULA_NOT,
    FORMULA_NEXT,
    FORMULA_ALWAYS,
    FORMULA_EVENTUALLY,
    FORMULA_UNTIL,
    FORMULA_WEAK_UNTIL,
    FORMULA_AND,
    FORMULA_OR,
    FORMULA_IMPLIES,
    FORMULA_EQUIVALENT,
    FORMULA_FORALL, /* the conjunction over indices */
    FORMULA_EXISTS, /* the disjunction */
};

struct formula {
    struct place at;
    enum formula_kind kind;
    const struct formula *left, *right; /* unary: left */
    const struct label *actions;
    const char *name;
    const struct argument *subscripts; /* F[i] */
    const struct argument *arguments;  /* A(N) */
    const struct index *indices;
    const struct expression *condition;
    unsigned height; /* operators one above the other */
};

/* ---- Testers ---- */

/* A[1][R]: states of a process. Without indices: all of that name. */
struct monitored {
    const struct monitored *next;
    struct place at;
    const char *name;
    const struct index *indices;
};

/* reject {A, B[1]} and the like. */
struct monitor {
    const struct monitor *next;
    unsigned kind; /* enum tester_kind */
    const struct monitored *states;
};

/* ---- Definitions ---- */

enum definition_kind {
    DEFINITION_CONSTANT,
    DEFINITION_RANGE,
    DEFINITION_SET,
    DEFINITION_PROCESS,
    DEFINITION_COMPOSITE,
    DEFINITION_IMPORT,
    DEFINITION_PROGRESS,
    DEFINITION_MENU,
    DEFINITION_FLUENT,
    DEFINITION_ASSERT,
    DEFINITION_TESTER, /* what the states of the process of that name are for */
};

struct definition {
    struct definition *next;
    struct place at; /* of the name */
    enum definition_kind kind;
    const char *name;
    bool property, minimal, deterministic; /* written before a process or a composite */

    const struct expression *value; /* a constant's; initially, of a fluent, or NULL */
    const struct range *range;
    const struct set *set;        /* a set's, a menu's; what progress asks for; what begins a fluent */
    const struct set *second_set; /* of progress: the condition, or NULL; what ends a fluent */
    const struct index *indices;  /* of progress and fluents */
    const struct parameter *parameters;
    const struct local *locals; /* of a process; the first is the process itself */
    const struct set *extension;
    const struct relabel *relabels;
    const struct composite *composite;
    const struct set *priority, *hidden; /* NULL: none */
    bool priority_high;                  /* << */
    bool hidden_rest;                    /* @: all but these are hidden */
    const char *path;                    /* of an import */
    const struct formula *formula;
    const struct monitor *monitors; /* of a tester */

    /* Of a constant, range or set: what it was found to be; see evaluate.h. */
    struct worked_out *worked_out;
};

#endif
