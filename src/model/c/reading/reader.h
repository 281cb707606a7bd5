/* reader.h: what the files of read_source.h share; for them alone.
 *
 *     read_source.c  opening and closing, units, and the calls of struct source_ops
 *     reader.c       a unit is run up to its next point
 *     leaf.c         what a unit has done in the end
 */
#ifndef MODEL_C_READING_READER_H
#define MODEL_C_READING_READER_H

#include "base/names.h"
#include "code/runner.h"
#include "model/c/observer.h"
#include "model/c/reading/layout.h"
#include "model/c/reading/points.h"

struct c_model;

/* What is known of a variable while a unit runs. */
enum {
    READ_KNOWN = 1,  /* `original`: its value before the unit, which the unit has read */
    READ_STORED = 2, /* the unit has stored there */
    READ_FRESH = 4,  /* it was given to an instruction that has not happened yet */
};

struct read_variable {
    unsigned flags;
    uint64_t original; /* as packed */
};

struct reader {
    struct source source;
    struct c_model *model;
    const char *path; /* of the model */
    void *library;
    const struct onager_observer *plugin;
    struct onager_ask *asks; /* by proposition */
    struct guard guard;
    struct runner runner;
    struct layout layout;
    struct points points;
    struct beginning {
        point point;      /* POINT_NONE: not asked for yet */
        uint32_t lasting; /* what lasting_count was */
    } * beginnings;       /* by unit, as a tree and merged */
    struct names texts;   /* that failures are told by */
    struct place {
        uint64_t instruction;
        char *text; /* or NULL */
    } * places;
    uint32_t place_count, place_room;
    double endless;
    /* The unit that runs: */
    uint32_t unit;
    bool merged;
    struct read_variable *variables;
    uint8_t *lasting;        /* by unit and variable: who has read it wants it again, as was seen; */
    uint32_t *lasting_count; /* ... by unit, so many are */
    bool *loops;             /* by unit: it was in an endless loop, of the model or of what is read into it */
    uint32_t looping;        /* ... so many units were */
    uint32_t generation;     /* what lasting_count was when the unit began */
    uint32_t *touched;       /* those with flags, in any order */
    uint32_t touched_count;
    uint32_t wanted; /* the variable that it has halted at */
    bool between;    /* it has stored between variables */
    uint64_t result; /* that it has returned */
    uint8_t *record; /* of the point that is made */
    uint32_t record_room;
};

/* ---- reader.c ---- */

point reader_begin(struct reader *r, uint32_t unit, bool merged);
point reader_go_on(struct reader *r, point p, uint64_t value);
watch_ask reader_ask;

/* The unit wants the value that the variable had, though it has read it before. */
void reader_lasts(struct reader *r, uint32_t variable);

/* The unit wants a variable, though it has come to its end: what it has done depends on its value. */
point reader_want(struct reader *r, uint32_t variable, bool ended);

/* ---- leaf.c ---- */

/* After the unit has returned r->result; after it has failed. */
point leaf_returned(struct reader *r);
point leaf_failed(struct reader *r);
/* A leaf, if the unit is not to go on: it takes too long. POINT_NONE: it may. */
point leaf_of_effort(struct reader *r);
/* A leaf that only says this; `instruction` may be 0. */
point leaf_says(struct reader *r, enum point_kind kind, const char *text, uint64_t instruction);

#endif
