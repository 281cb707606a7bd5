#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "report/execution/forms.h"

size_t text_columns(const char *text) {
    size_t n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

void wrap_begin(struct wrap *w, const struct pages *p, unsigned indent, unsigned column) {
    unsigned width = p->look.width;
    *w = (struct wrap){.out = p->out, .width = width, .indent = indent, .column = column, .fresh = true};
    if (width && w->indent + 8 > width) w->indent = width > 12 ? 4 : 0; /* better than a column of single letters */
}

static void new_line(struct wrap *w) {
    fprintf(w->out, "\n%*s", (int)w->indent, "");
    w->column = w->indent;
    w->fresh = true;
}

/* As much of it as fits on lines of their own. */
static const char *break_word(struct wrap *w, const char *text) {
    assert(w->width > w->indent);
    while (w->column + text_columns(text) > w->width) {
        const char *end = text;
        for (unsigned n = w->column; n < w->width; n++)
            for (end++; ((unsigned char)*end & 0xC0) == 0x80; end++) {}
        fprintf(w->out, "%.*s", (int)(end - text), text);
        text = end;
        if (*text) new_line(w);
        else w->column = w->width;
    }
    return text;
}

void wrap_word(struct wrap *w, const char *text, const char *colour) {
    unsigned length = (unsigned)text_columns(text);
    if (w->width && w->column + !w->fresh + length > w->width && (!w->fresh || w->column > w->indent)) new_line(w);
    if (!w->fresh) {
        fputc(' ', w->out);
        w->column++;
    }
    if (w->width && length > 0) text = w->column + length > w->width ? break_word(w, text) : text;
    if (colour) fputs(colour, w->out);
    fputs(text, w->out);
    if (colour) fputs("\033[0m", w->out);
    w->column += (unsigned)text_columns(text);
    w->fresh = false;
}

void wrap_words(struct wrap *w, const char *text) {
    while (*text) {
        size_t n = strcspn(text, " ");
        char *word = text_format("%.*s", (int)n, text);
        if (n) wrap_word(w, word, NULL);
        free(word);
        text += n + (text[n] == ' ');
    }
}

void wrap_end(struct wrap *w) { fputc('\n', w->out); }

void wrap_changes(struct wrap *w, const struct pages *p, size_t i) {
    json_t *list = json_object_get(pages_step(p, i), "changed"), *one;
    size_t k;
    json_array_foreach(list, k, one) {
        const char *what = json_string_value(json_array_get(one, 0)), *to = json_string_value(json_array_get(one, 2));
        if (!what || !to) continue;
        char *text = *what ? text_format("%s=%s", what, to) : text_format("%s", to);
        wrap_word(w, text, p->look.colour ? "\033[36m" : NULL);
        free(text);
    }
    if (i > 0 && json_array_size(list) == 0) wrap_word(w, "(nothing changes)", NULL);
}

static bool has_text(const json_t *list, const json_t *text) {
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one) if (json_equal(one, text)) return true;
    return false;
}

/* Those of `now` that `other` lacks. */
static void propositions(struct wrap *w, const json_t *now, const json_t *other, char sign) {
    size_t i;
    json_t *one;
    json_array_foreach(now, i, one) {
        if (has_text(other, one)) continue;
        char *text = text_format("%c%s", sign, json_string_value(one));
        wrap_word(w, text, NULL);
        free(text);
    }
}

void wrap_notes(struct wrap *w, const struct pages *p, size_t i) {
    json_t *step = pages_step(p, i), *before = i ? pages_step(p, i - 1) : NULL;
    json_t *now = json_object_get(step, "propositions"), *then = json_object_get(before, "propositions");
    const char *tester = json_string_value(json_object_get(step, "tester")),
               *seen = json_string_value(json_object_get(step, "seen"));
    if (json_is_true(json_object_get(step, "mapped"))) wrap_word(w, "[mapped]", NULL);
    if (seen && strcmp(seen, pages_name(p, i)) != 0) wrap_word(w, seen, NULL);
    if (tester) {
        char *text = text_format("[%s]", tester);
        wrap_word(w, text, NULL);
        free(text);
    }
    if (!json_is_array(now)) return;
    propositions(w, now, then, '+');
    propositions(w, then, now, '-');
}
