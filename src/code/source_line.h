/* source_line.h: which line of the source an instruction of a plug-in comes from. It is found with addr2line, which
 * comes with compilers; where there is none, it is not known. */
#ifndef CODE_SOURCE_LINE_H
#define CODE_SOURCE_LINE_H

#include <stdint.h>

/* Lines "FILE:LINE", a new string: the first for the instruction itself, further ones for the calls that were inlined
 * there. NULL: not known. `file` is a descriptor of the plug-in's file, `offset` counts from where it is loaded. */
char *source_lines(int file, uint64_t offset);

/* Takes one of these lines apart: returns LINE, 0 if there is none. *length: of FILE. */
unsigned source_line_number(const char *line, int *length);

#endif
