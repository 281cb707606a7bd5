#include <string.h>

#include "report/facts.h"

enum { MOST_LISTED = 40 }; /* cubes of a transition, and lines about pairs */

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}
static bool is(const json_t *object, const char *key) { return json_is_true(json_object_get(object, key)); }

static void put_value(const json_t *value, FILE *out) {
    if (json_is_string(value)) fputs(json_string_value(value), out);
    else if (json_is_integer(value)) fprintf(out, "%lld", (long long)json_integer_value(value));
    else fputs("any", out);
}

static void put_list(const json_t *list, const char *between, FILE *out) {
    size_t i;
    json_t *value;
    json_array_foreach(list, i, value) {
        if (i > 0) fputs(between, out);
        put_value(value, out);
    }
}

static void put_words(const char *label, const json_t *list, FILE *out) {
    if (json_array_size(list) == 0) return;
    fprintf(out, "    %s ", label);
    put_list(list, " ", out);
    fputc('\n', out);
}

/* ---- Variables ---- */

/* "C[2]": how much of it is the name of the array; 0: it is none. */
static size_t array_name(const char *name) { return strcspn(name, "[") < strlen(name) ? strcspn(name, "[") : 0; }

static bool alike(const json_t *a, const json_t *b) {
    static const char *const keys[] = {"bits", "of", "initial", "values", "read", "written"};
    const char *x = text_of(a, "name"), *y = text_of(b, "name");
    if (!array_name(x) || array_name(x) != array_name(y) || strncmp(x, y, array_name(x)) != 0) return false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!json_equal(json_object_get(a, keys[i]), json_object_get(b, keys[i]))) return false;
    return true;
}

/* Values that follow each other, as "0..7". */
static void put_values(const json_t *values, FILE *out) {
    for (size_t i = 0; i < json_array_size(values);) {
        const json_t *first = json_array_get(values, i);
        size_t k = i + 1;
        while (json_is_integer(first) && k < json_array_size(values) &&
               json_integer_value(json_array_get(values, k)) == json_integer_value(first) + (json_int_t)(k - i))
            k++;
        if (i > 0) fputs(", ", out);
        put_value(first, out);
        if (k > i + 2) fprintf(out, "..%lld", (long long)json_integer_value(json_array_get(values, k - 1)));
        i = k > i + 2 ? k : i + 1;
    }
}

static void put_variable(const json_t *first, const json_t *last, FILE *out) {
    const char *name = text_of(first, "name"), *end = text_of(last, "name");
    const json_t *values = json_object_get(first, "values"), *of = json_object_get(first, "of");
    size_t known = json_array_size(values);
    if (first == last) fprintf(out, "  %s: ", name);
    else fprintf(out, "  %.*s..%s: ", (int)strlen(name) - 1, name, end + array_name(end) + 1);
    if (!json_is_array(values))
        fprintf(out, "%lld bits, whose values are not told apart",
                (long long)json_integer_value(json_object_get(first, "bits")));
    else if (known == 1) fputs("never other than ", out), put_value(json_array_get(values, 0), out);
    else {
        put_values(values, out);
        if ((json_int_t)known < json_integer_value(of))
            fprintf(out, " (%zu of %lld values)", known, (long long)json_integer_value(of));
    }
    if (!is(first, "read")) fputs(is(first, "written") ? "; written, never read" : "; never used", out);
    else if (!is(first, "written") && known != 1) fputs("; never written", out);
    fputc('\n', out);
}

static void put_variables(const json_t *list, FILE *out) {
    fputs("\nvariables\n", out);
    for (size_t i = 0, k; i < json_array_size(list); i = k) {
        for (k = i + 1; k < json_array_size(list) && alike(json_array_get(list, i), json_array_get(list, k));) k++;
        put_variable(json_array_get(list, i), json_array_get(list, k - 1), out);
    }
}

/* ---- Conditions ---- */

static void put_condition(const json_t *when, FILE *out) {
    const char *name, *before = "";
    json_t *values;
    if (json_object_size(when) == 0) fputs("always", out);
    json_object_foreach((json_t *)(uintptr_t)when, name, values) {
        fprintf(out, "%s%s=", before, name);
        put_list(values, "|", out);
        before = ", ";
    }
}

/* Does the condition leave it this value only? Then storing that changes nothing. */
static bool has_it(const json_t *when, const char *name, const json_t *value) {
    const json_t *values = json_object_get(when, name);
    return json_array_size(values) == 1 && json_equal(json_array_get(values, 0), value);
}

static void put_stores(const json_t *cube, FILE *out) {
    const json_t *stores = json_object_get(cube, "stores"), *when = json_object_get(cube, "when");
    const char *name, *before = "";
    json_t *value;
    if (!stores) return;
    fputs("  -> ", out);
    if (!json_is_object(stores)) fputs("anything", out), before = NULL;
    json_object_foreach((json_t *)(uintptr_t)stores, name, value) {
        if (has_it(when, name, value)) continue;
        fprintf(out, "%s%s=", before, name);
        put_value(value, out);
        before = ", ";
    }
    if (before && !*before) fputs("nothing changes", out);
}

static void put_cubes(const char *what, const json_t *cubes, FILE *out) {
    size_t i;
    json_t *cube;
    if (!json_is_array(cubes)) {
        fprintf(out, "    %s: under too many conditions to list\n", what);
        return;
    }
    json_array_foreach(cubes, i, cube) {
        if (i == MOST_LISTED) break;
        fprintf(out, "    %s: ", what);
        put_condition(json_object_get(cube, "when"), out);
        put_stores(cube, out);
        fputc('\n', out);
    }
    if (json_array_size(cubes) > MOST_LISTED)
        fprintf(out, "    %s: and %zu conditions more (see --json)\n", what, json_array_size(cubes) - MOST_LISTED);
}

static void put_texts(const char *what, const json_t *list, FILE *out) {
    size_t i;
    json_t *row;
    json_array_foreach(list, i, row) {
        const char *place = text_of(row, "place");
        fprintf(out, "    %s: %s%s%s%s\n", what, text_of(row, "text"), place ? " (" : "", place ? place : "",
                place ? ")" : "");
    }
}

/* ---- Transitions and functions ---- */

static void put_transition(const json_t *t, FILE *out) {
    fprintf(out, "\ntransition %s  (%lld points%s)\n", text_of(t, "name"),
            (long long)json_integer_value(json_object_get(t, "points")), is(t, "merged") ? ", merged" : "");
    if (is(t, "never_enabled")) fputs("    never enabled\n", out);
    put_texts("may do anything", json_object_get(t, "unknown"), out);
    put_words("reads ", json_object_get(t, "reads"), out);
    put_words("writes", json_object_get(t, "writes"), out);
    put_cubes("if", json_object_get(t, "enabled"), out);
    if (json_array_size(json_object_get(t, "conflicts")) > 0) {
        fputs("    does not always accord with: ", out);
        put_list(json_object_get(t, "conflicts"), ", ", out);
        fputc('\n', out);
    }
    put_texts("may fail", json_object_get(t, "errors"), out);
    put_cubes("fails if", json_object_get(t, "errors_when"), out);
}

static void put_function(const json_t *f, FILE *out) {
    const json_t *always = json_object_get(f, "always"), *proved = json_object_get(f, "proved");
    bool is_check = strncmp(text_of(f, "kind"), "check", 5) == 0;
    fprintf(out, "\n%s  (%lld points%s)\n", text_of(f, "name"),
            (long long)json_integer_value(json_object_get(f, "points")), is(f, "merged") ? ", merged" : "");
    if (json_is_true(proved)) fputs("    proved: no possible state is bad\n", out);
    else if (json_is_boolean(always) && is_check)
        fputs(json_is_true(always) ? "    finds fault with every possible state\n"
                                   : "    finds no fault with any possible state\n",
              out);
    else if (json_is_boolean(always)) fprintf(out, "    always %s\n", json_is_true(always) ? "true" : "false");
    put_texts("may answer anything", json_object_get(f, "unknown"), out);
    put_words("reads ", json_object_get(f, "reads"), out);
    if (json_object_get(f, "bad_when")) put_cubes("may be bad if", json_object_get(f, "bad_when"), out);
    put_texts("may fail", json_object_get(f, "errors"), out);
}

/* ---- Pairs ---- */

static void put_pair(const json_t *row, FILE *out) {
    const json_t *names = json_object_get(row, "variables"), *values = json_object_get(row, "values"),
                 *elements = json_object_get(row, "elements");
    const char *which = json_string_value(elements), *a = json_string_value(json_array_get(names, 0)),
               *b = json_string_value(json_array_get(names, 1));
    bool same = which && strcmp(which, "same") == 0, other = which && strcmp(which, "different") == 0;
    fprintf(out, "    %s%s=", a, same || other ? "[i]" : "");
    put_value(json_array_get(values, 0), out);
    fprintf(out, " and %s%s=", b, same ? "[i]" : other ? "[j]" : "");
    put_value(json_array_get(values, 1), out);
    fputs(other ? ", i != j" : "", out);
    if (!which) fprintf(out, ": %zu pairs of elements", json_array_size(elements));
    fputc('\n', out);
}

static void put_pairs(const json_t *list, FILE *out) {
    size_t listed = 0, i;
    json_t *row;
    if (json_array_size(list) == 0) return;
    fputs("\nnever together\n", out);
    json_array_foreach(list, i, row) {
        if (listed++ == MOST_LISTED) break;
        put_pair(row, out);
    }
    if (json_array_size(list) > MOST_LISTED)
        fprintf(out, "    and %zu lines more (see --json)\n", json_array_size(list) - MOST_LISTED);
}

void facts_text(const json_t *document, FILE *out) {
    const json_t *list;
    json_t *row;
    size_t i;
    fprintf(out, "%s: what its code does in every possible state\n", text_of(document, "model"));
    put_variables(json_object_get(document, "variables"), out);
    list = json_object_get(document, "transitions");
    json_array_foreach(list, i, row) put_transition(row, out);
    list = json_object_get(document, "functions");
    json_array_foreach(list, i, row) put_function(row, out);
    put_pairs(json_object_get(document, "never_together"), out);
}
