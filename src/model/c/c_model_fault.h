/* c_model_fault.h: model code called so that nothing it does can harm the caller, and what it did told in a struct
 * ts_fault. Model code may crash, loop for ever, raise an error (onager.h), or store what does not fit. */
#ifndef MODEL_C_C_MODEL_FAULT_H
#define MODEL_C_C_MODEL_FAULT_H

#include "model/c/c_model_parts.h"

/* `where`: the function of the model; t: its transition, or TS_NONE. The message is formatted. */
void c_fault(struct ts_fault *f, enum ts_fault_kind kind, const char *where, uint32_t t, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* After the guard has ended a call: it crashed, or did not come back. */
void c_fault_from_guard(struct ts_worker *w, struct ts_fault *f, const char *where, uint32_t t);

/* Obligations named a transition that there is not. */
void c_fault_obligation(const struct c_model *m, struct ts_fault *f, const char *where, uint32_t t, uint32_t named);

/* After packing w->native has failed: which variable does not fit. */
void c_fault_range(struct ts_worker *w, struct ts_fault *f, const char *where, uint32_t t);

/* Element i of the field is out of its range in the struct: the text says so. False: it is not. */
bool c_range_text(const struct onager_field *field, const void *native, uint32_t i, char *text, size_t size);

/* True if the model has raised an error; it is then in f. */
bool c_fault_raised(struct ts_worker *w, struct ts_fault *f, const char *where, uint32_t t);

/* The model has raised an error with this message. */
void c_fault_message(struct ts_worker *w, struct ts_fault *f, const char *where, uint32_t t, const char *message);

/* A text that the model gave us. Its pointer may lead anywhere, so it is copied with care, to w->text. */
enum c_text { C_TEXT_WHOLE, C_TEXT_CUT_OFF, C_TEXT_BAD };
enum c_text c_take_text(struct ts_worker *w, const char *text);
/* The same, where it must be there as a whole. False: see *f; what gave the text is called `where`. */
bool c_take_whole_text(struct ts_worker *w, const char *text, struct ts_fault *f, const char *where, uint32_t t);

/* Runs `code`, which calls the model, guarded; on a crash or an error raised by the model, fills in *fault and returns
 * `result` from the function that it stands in. */
#define GUARDED(w, fault, where, t, result, code)                                                                      \
    do {                                                                                                               \
        if (GUARD_ENTER(&(w)->guard)) {                                                                                \
            code;                                                                                                      \
            guard_leave(&(w)->guard);                                                                                  \
        } else {                                                                                                       \
            c_fault_from_guard(w, fault, where, t);                                                                    \
            return result;                                                                                             \
        }                                                                                                              \
        if (c_fault_raised(w, fault, where, t)) return result;                                                         \
    } while (0)

#endif
