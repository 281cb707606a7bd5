/* version.h: the version of the program, as --version, the man page and JSON documents give it. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#define ONAGER_VERSION "0.1.0"

#endif
