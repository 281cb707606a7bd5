#include "model/c/c_model_fault.h"

#include <string.h>

#include "model/c/c_library.h"

void c_fault(struct ts_fault *f, enum ts_fault_kind kind, const char *where, uint32_t t, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(f->text, sizeof f->text, fmt, args);
    va_end(args);
    f->kind = kind;
    f->where = where;
    f->transition = t;
}

void c_fault_from_guard(struct ts_worker *w, struct ts_fault *f, const char *where, uint32_t t) {
    w->m->plugin->raised(); /* or the next call would be blamed for what this one said before */
    if (guard_timed_out(&w->guard))
        c_fault(f, TS_ENDLESS, where, t, "the model's code did not return within %g s: an endless loop?",
                w->m->endless);
    else if (c_library_explain(w->m->library, w->m->path, w->guard.address, w->guard.instruction, w->text,
                               sizeof w->text))
        c_fault(f, TS_CRASHED, where, t, "%s", w->text);
    else c_fault(f, TS_CRASHED, where, t, "the model's code crashed: %s", guard_reason(&w->guard));
}

/* *n is how much there is of it so far, also if it ends with a jump. AddressSanitizer would stop the program, where the
 * guard is to see that the pointer is wrong. */
__attribute__((noinline, no_sanitize("address"))) static void copy_text(char *to, size_t room,
                                                                        const volatile char *from, volatile size_t *n) {
    for (; *n + 1 < room && from[*n]; *n = *n + 1) to[*n] = from[*n];
}

enum c_text c_take_text(struct ts_worker *w, const char *text) {
    volatile size_t n = 0;
    volatile bool read = false;
    if (GUARD_ENTER(&w->guard)) {
        copy_text(w->text, sizeof w->text, text, &n);
        read = true;
        guard_leave(&w->guard);
    }
    w->text[n] = 0;
    return !read ? C_TEXT_BAD : n + 1 < sizeof w->text ? C_TEXT_WHOLE : C_TEXT_CUT_OFF;
}

bool c_take_whole_text(struct ts_worker *w, const char *text, struct ts_fault *f, const char *where, uint32_t t) {
    enum c_text taken = c_take_text(w, text);
    if (taken == C_TEXT_WHOLE) return true;
    c_fault(f, TS_CRASHED, where, t,
            taken == C_TEXT_BAD ? "it returned a pointer that leads to no text: return a string literal, or what "
                                  "format(...) returns"
                                : "it returned a text that does not end, or has more than %zu bytes",
            sizeof w->text - 2);
    return false;
}

bool c_fault_raised(struct ts_worker *w, struct ts_fault *f, const char *where, uint32_t t) {
    const char *message = w->m->plugin->raised();
    if (message) c_fault_message(w, f, where, t, message);
    return message != NULL;
}

void c_fault_message(struct ts_worker *w, struct ts_fault *f, const char *where, uint32_t t, const char *message) {
    if (c_take_text(w, message) != C_TEXT_BAD) {
        bool mistake = *w->text == *ONAGER_MISTAKE;
        c_fault(f, mistake ? TS_CRASHED : TS_RAISED, where, t, "%s", w->text + mistake);
    } else c_fault(f, TS_RAISED, where, t, "(model_error was given a pointer that leads to no text)");
}

static int64_t native_value(const struct onager_field *field, const void *s, uint32_t i) {
    const char *p = (const char *)s + field->native_offset + (size_t)i * field->size;
    uint64_t v = 0;
    memcpy(&v, p, field->size);
    unsigned unused = 64 - 8 * field->size;
    return ONAGER_IS_SIGNED(field->width) ? (int64_t)(v << unused) >> unused : (int64_t)v;
}

bool c_range_text(const struct onager_field *field, const void *native, uint32_t i, char *text, size_t size) {
    unsigned bits = (unsigned)ONAGER_BITS(field->width);
    int64_t low = ONAGER_IS_SIGNED(field->width) ? -(int64_t)(onager_low(bits - 1) + 1) : 0;
    int64_t high = ONAGER_IS_UPTO(field->width)     ? (int64_t)ONAGER_UPTO_MAX(field->width)
                   : ONAGER_IS_SIGNED(field->width) ? (int64_t)onager_low(bits - 1)
                                                    : (int64_t)onager_low(bits);
    if (bits == 64) return false;
    int64_t v = native_value(field, native, i);
    if (v >= low && v <= high && !(bits == 63 && low == 0 && v < 0)) return false;
    char index[16] = "";
    if (field->is_array) snprintf(index, sizeof index, "[%u]", i);
    snprintf(text, size, "the value %lld was stored in %s%s, which is declared as %s: %lld to %lld", (long long)v,
             field->name, index, field->spec, (long long)low, (long long)high);
    return true;
}

void c_fault_range(struct ts_worker *w, struct ts_fault *f, const char *where, uint32_t t) {
    const struct onager_plugin *p = w->m->plugin;
    char text[sizeof f->text];
    for (const struct onager_field *field = p->fields; field < p->fields + p->field_count; field++)
        for (uint32_t i = 0; i < field->length; i++)
            if (c_range_text(field, w->native, i, text, sizeof text)) {
                c_fault(f, TS_OUT_OF_RANGE, where, t, "%s", text);
                return;
            }
    c_fault(f, TS_OUT_OF_RANGE, where, t, "a value was stored that does not fit its variable");
}

void c_fault_obligation(const struct c_model *m, struct ts_fault *f, const char *where, uint32_t t, uint32_t named) {
    c_fault(f, TS_BAD_OBLIGATION, where, t, "the transition %u was named, but there are only 0 to %u", named,
            m->ts.transitions - 1);
}
