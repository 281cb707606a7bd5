/* c_includes.h: whether a model includes nothing but the headers of standard C and our own.
 *
 * Most models do. What the compiler sees of them is known without running its preprocessor: the text, our headers, and
 * those of standard C, which are taken never to change. The answer is read off the text, and "no" whenever there is a
 * doubt: an #include of another name, or not of the form <NAME>; __has_include; a directive that is written in an
 * unusual way; flags or variables of the environment that change where files are looked for; a compiler that is a
 * script, or a folder of headers that holds other files.
 */
#ifndef MODEL_C_C_INCLUDES_H
#define MODEL_C_C_INCLUDES_H

#include <stdbool.h>

bool c_includes_nothing(const char *text, const char *compiler, const char *headers);

#endif
