/* aut_plain.h: most lines of an .aut file, fast. For aut_read.c, which reads the others and says what is wrong. */
#ifndef LTS_AUT_PLAIN_H
#define LTS_AUT_PLAIN_H

#include "lts/text_reader.h"

/* A label as it was spelt. */
struct aut_label {
    uint64_t first, last; /* eight characters each, which may overlap; a short one has zeroes */
    uint32_t length;      /* 0: none */
    uint32_t label;
    char text[40];
};

enum { AUT_LABELS = 512 };

struct aut {
    bool header;              /* it has been read */
    uint64_t promised, count; /* transitions */
    uint32_t states;          /* promised */
    struct aut_label known[AUT_LABELS];
};

/* See struct text_format. */
const char *aut_plain_lines(struct text_reader *r, const char *at, const char *end);

#endif
