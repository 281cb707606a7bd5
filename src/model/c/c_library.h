/* c_library.h: a compiled model in memory.
 *
 * It is loaded from bytes, not from a file that somebody could change meanwhile. When it is sealed, its static memory
 * can only be read: model code that stores something there, to remember it from one state to the next, faults, and
 * c_library_explain tells what it was and where. Constructors have run before.
 */
#ifndef MODEL_C_C_LIBRARY_H
#define MODEL_C_C_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"
#include "base/problem.h"

/* Returns dlopen's handle, or NULL. */
void *c_library_load(const struct bytes *library, struct problem *why);
void c_library_close(void *handle);

bool c_library_seal(void *handle);                     /* false: the system refuses to */
bool c_library_has(void *handle, const void *address); /* in its static memory */
bool c_library_has_thread_data(void *handle);          /* variables of threads, which cannot be sealed */
int c_library_file(void *handle); /* a descriptor of its file, which stays the library's; -1: there is none */

/* The place in the model's file of an instruction, "ring.c:12". False: it is not known. */
bool c_library_place(void *handle, const char *path, const void *instruction, char *text, size_t size);

/* A fault at this address, by this instruction (or NULL: not known), of the model in file `path`. False: it was not
 * for storing into the library's memory. */
bool c_library_explain(void *handle, const char *path, const void *address, const void *instruction, char *text,
                       size_t size);

#endif
