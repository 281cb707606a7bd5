/* c_library.h: a compiled model in memory.
 *
 * It is loaded from bytes, not from a file that somebody could change meanwhile. With `constant`, its static memory can
 * only be read once its constructors have run: model code that stores something there, to remember it from one state to
 * the next, faults, and c_library_explain tells what it was and where.
 */
#ifndef FRONT_C_LIBRARY_H
#define FRONT_C_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"
#include "base/problem.h"

/* Returns dlopen's handle, or NULL. */
void *c_library_load(const struct bytes *library, bool constant, struct problem *why);
void c_library_close(void *handle);
int c_library_file(void *handle); /* a descriptor of its file, which stays the library's; -1: there is none */

/* A fault at this address, by this instruction (or NULL: not known), of the model in file `path`. False: it was not
 * for storing into the library's memory. */
bool c_library_explain(void *handle, const char *path, const void *address, const void *instruction, char *text,
                       size_t size);

#endif
