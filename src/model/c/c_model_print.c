#include <stdio_ext.h>
#include <stdlib.h>

#include "model/c/c_model_fault.h"

int64_t c_model_value(const struct ts *ts, const word *s, uint32_t v, uint32_t i, const char **name, size_t *length) {
    const struct c_model *m = c_model_of(ts);
    const struct onager_field *field = &m->fields[v];
    unsigned bits = (unsigned)ONAGER_BITS(field->width);
    uint64_t raw = onager_get_bits(s, ONAGER_MARK_BITS + field->bit_offset + (size_t)i * bits, bits);
    *name = NULL;
    if (raw < m->names[v].count) {
        *name = m->names[v].names[raw].start;
        *length = m->names[v].names[raw].length;
    }
    return ONAGER_IS_SIGNED(field->width) ? (int64_t)(raw << (64 - bits)) >> (64 - bits) : (int64_t)raw;
}

static void print_value(const struct ts *ts, const word *s, uint32_t v, uint32_t i, FILE *out) {
    const char *name;
    size_t length;
    int64_t n = c_model_value(ts, s, v, i, &name, &length);
    if (name) fprintf(out, "%.*s", (int)length, name);
    else if (ts->variables[v].is_signed) fprintf(out, "%lld", (long long)n);
    else fprintf(out, "%llu", (unsigned long long)n);
}

static bool same_value(const struct ts *ts, const word *a, const word *b, uint32_t v, uint32_t i) {
    const char *name;
    size_t length;
    return c_model_value(ts, a, v, i, &name, &length) == c_model_value(ts, b, v, i, &name, &length);
}

/* name=value of everything, or of what differs from the previous state. */
static void print_default(const struct ts *ts, const word *s, const word *previous, FILE *out) {
    const char *gap = "";
    for (uint32_t v = 0; v < ts->variable_count; v++) {
        const struct ts_variable *variable = &ts->variables[v];
        if (previous || !variable->length) {
            for (uint32_t i = 0; i < (variable->length ? variable->length : 1); i++) {
                if (previous && same_value(ts, s, previous, v, i)) continue;
                fprintf(out, "%s%s", gap, variable->name);
                if (variable->length) fprintf(out, "[%u]", i);
                fputc('=', out);
                print_value(ts, s, v, i, out);
                gap = " ";
            }
        } else {
            fprintf(out, "%s%s=[", gap, variable->name);
            for (uint32_t i = 0; i < variable->length; i++) {
                if (i) fputc(' ', out);
                print_value(ts, s, v, i, out);
            }
            fputc(']', out);
            gap = " ";
        }
    }
    if (!*gap) fputs("(nothing changes)", out);
}

static bool print_native(struct ts_worker *w, FILE *out, struct ts_fault *fault) {
    GUARDED(w, fault, "print_state", TS_NONE, false, w->m->model->print_state(w->native, out));
    return true;
}

bool c_model_print(struct ts_worker *w, const word *s, const word *previous, FILE *out, struct ts_fault *fault) {
    if (!w->m->model->print_state) return print_default(&w->m->ts, s, previous, out), true;
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    __fsetlocking(memory, FSETLOCKING_BYCALLER); /* so that it can be closed even if printing crashed half-way */
    w->m->plugin->unpack(w->native, s);
    bool good = print_native(w, memory, fault);
    fclose(memory);
    while (size > 0 && text[size - 1] == '\n') size--;
    if (good) fwrite(text, 1, size, out);
    free(text);
    return good;
}

void c_model_transition_name(struct ts_worker *w, uint32_t t, char *buffer, size_t size) {
    const char *volatile name = NULL;
    if (w->m->model->transition_name && GUARD_ENTER(&w->guard)) {
        name = w->m->model->transition_name(t);
        guard_leave(&w->guard);
    }
    if (!name) snprintf(buffer, size, "t%u", t);
    else if (c_take_text(w, name) != C_TEXT_BAD) snprintf(buffer, size, "%s", w->text);
    else snprintf(buffer, size, "t%u (transition_name returned a pointer that leads to no text)", t);
}
