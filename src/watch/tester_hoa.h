/* tester_hoa.h: tester processes (lts/tester.h) that are written in HOA, with the extension of omega/hoa/hoa.h. */
#ifndef WATCH_TESTER_HOA_H
#define WATCH_TESTER_HOA_H

#include <stddef.h>

#include "lts/tester.h"

/* Reads one tester, which is well-formed then. False: nothing is to be freed, and `why` begins with `name`. */
bool tester_hoa_parse(const char *text, size_t size, const char *name, struct tester *out, struct problem *why);
bool tester_hoa_read(const char *path, struct tester *out, struct problem *why);

#endif
