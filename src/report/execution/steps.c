#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "report/execution/forms.h"

/* How wide the columns are. */
struct table {
    unsigned number, name;
};

static struct table table_of(const struct pages *p) {
    enum { MOST = 40, LEAST = 12 };
    struct table t = {.number = 1};
    for (size_t n = p->count - 1; n >= 10; n /= 10) t.number++;
    for (size_t i = 1; i <= p->count; i++) {
        size_t length = text_columns(pages_name(p, i));
        if (length > t.name) t.name = (unsigned)length;
    }
    unsigned most = p->look.width ? p->look.width / 3 : MOST;
    if (most < LEAST) most = LEAST;
    if (t.name > most) t.name = most < MOST ? most : MOST;
    return t;
}

/* The number and the name of a step, and where what is told of it begins. A long name has lines of its own. */
static void begin_line(struct wrap *w, const struct pages *p, const struct table *t, const char *number,
                       const char *name) {
    unsigned indent = t->number + 4 + t->name;
    const char *bold = p->look.colour ? "\033[1m" : NULL;
    fprintf(p->out, "%*s  ", (int)t->number, number);
    wrap_begin(w, p, t->number + 2, t->number + 2);
    if (*name) wrap_word(w, name, bold);
    bool fits = w->column <= t->number + 2 + t->name;
    if (!*name && !t->name) indent = t->number + 2;
    if (fits) fprintf(p->out, "%*s", (int)(indent - w->column), "");
    else fprintf(p->out, "\n%*s", (int)indent, "");
    wrap_begin(w, p, indent, indent);
}

static char *one_value(const json_t *value, const json_t *name) {
    if (json_is_string(name)) return memory_copy_string(json_string_value(name));
    if (json_is_string(value)) return memory_copy_string(json_string_value(value));
    return text_format("%lld", (long long)json_integer_value(value));
}

/* name=value, or name=[value value]; to be freed. */
static char *variable_text(const char *variable, const json_t *value, const json_t *name) {
    if (!json_is_array(value)) {
        char *one = one_value(value, name), *text = text_format("%s=%s", variable, one);
        free(one);
        return text;
    }
    char *text = text_format("%s=[", variable);
    for (size_t i = 0; i < json_array_size(value); i++) {
        char *one = one_value(json_array_get(value, i), json_array_get(name, i));
        char *longer = text_format("%s%s%s", text, i ? " " : "", one);
        free(one);
        free(text);
        text = longer;
    }
    char *whole = text_format("%s]", text);
    free(text);
    return whole;
}

static bool has_changed(const json_t *changed, const char *variable) {
    size_t i, length = strlen(variable);
    json_t *one;
    json_array_foreach(changed, i, one) {
        const char *what = json_string_value(json_array_get(one, 0));
        if (what && strncmp(what, variable, length) == 0 && (!what[length] || what[length] == '[')) return true;
    }
    return false;
}

/* All variables; those that the step has changed in colour. */
void wrap_state(struct wrap *w, const struct pages *p, size_t i) {
    json_t *step = pages_step(p, i), *names = json_object_get(step, "names"), *value;
    const json_t *changed = json_object_get(step, "changed");
    const char *variable;
    json_object_foreach(json_object_get(step, "state"), variable, value) {
        char *text = variable_text(variable, value, json_object_get(names, variable));
        bool mark = p->look.colour && has_changed(changed, variable);
        if (json_is_array(value) && !mark) wrap_words(w, text);
        else wrap_word(w, text, mark ? "\033[36m" : NULL);
        free(text);
    }
}

static void print_step(const struct pages *p, const struct table *t, size_t i, bool full) {
    struct wrap w;
    char number[24];
    snprintf(number, sizeof number, "%zu", i);
    begin_line(&w, p, t, number, pages_name(p, i));
    if (i == 0 && p->network && !full) wrap_word(&w, "(initial state)", NULL);
    else if (i == 0 || full) wrap_state(&w, p, i);
    else wrap_changes(&w, p, i);
    wrap_notes(&w, p, i);
    wrap_end(&w);
}

/* Where the last step of the cycle leads. */
static void print_closing(const struct pages *p, const struct table *t) {
    struct wrap w;
    const char *seen = json_string_value(json_object_get(p->execution, "closing_seen")), *name = pages_closing(p);
    char *text = text_format("(and so on, as from %zu)", p->cycle_begins);
    begin_line(&w, p, t, "", name);
    wrap_words(&w, text);
    if (seen && strcmp(seen, name) != 0) wrap_word(&w, seen, NULL);
    if (json_is_true(json_object_get(p->execution, "closing_mapped"))) wrap_word(&w, "[mapped]", NULL);
    wrap_end(&w);
    free(text);
}

void pages_steps(const struct pages *p, bool full) {
    struct table t = table_of(p);
    assert(t.number > 0);
    for (size_t i = 0; i < p->count; i++) {
        pages_rules(p, i);
        print_step(p, &t, i, full);
    }
    if (p->cycle_begins < p->count) print_closing(p, &t);
    if (!full && !p->network && p->count > 1 && p->cycle_begins > p->count) {
        struct wrap w;
        unsigned indent = t.number + 4 + t.name;
        begin_line(&w, p, &t, "", "");
        wrap_begin(&w, p, indent, indent);
        wrap_words(&w, "(in full:");
        wrap_state(&w, p, p->count - 1);
        fputc(')', p->out);
        wrap_end(&w);
    }
    pages_waits(p);
}
