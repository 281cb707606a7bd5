/* fsp_file.h: an FSP file that was read, and what is needed while a target is made of it. */
#ifndef FSP_FSP_FILE_H
#define FSP_FSP_FILE_H

#include "base/arena.h"
#include "base/names.h"
#include "fsp/fsp.h"
#include "fsp/lexer.h"
#include "lts/lts.h"

struct fsp_file {
    struct source source;
    char *path, *text;
    struct arena arena;
    struct definition *definitions;
    struct names value_names;   /* constants, ranges and sets, */
    struct definition **values; /* by the numbers of their names */
    struct names process_names; /* processes and composites, */
    struct definition **processes;
    struct ts_parameter *overrides;
    bool foreign; /* some may be for somebody else */
    uint32_t override_count;
    struct fsp_limits limits;
};

const struct definition *file_value(const struct fsp_file *f, const char *name);   /* or NULL */
const struct definition *file_process(const struct fsp_file *f, const char *name); /* or NULL */
const struct definition *file_tester(const struct fsp_file *f, const char *name);  /* what is said of it, or NULL */

/* A process with given parameters, once it has been made. */
struct made {
    bool busy, done;
    struct lts lts;
};

struct maker {
    struct fsp_file *file;
    struct problem *why;
    struct arena arena;
    uint64_t steps;
    unsigned depth;          /* of what is being evaluated for something else */
    struct names made_names; /* "P(1, a)" */
    struct made **made;
    uint32_t made_room;
    struct names warnings;
    uint32_t inner;      /* composites that were hidden in, so far */
    bool hidden_inside;  /* was there any, in the composite that is being taken apart? */
    bool compose_hidden; /* what is hidden in composites becomes tau at once: see composite.c */
};

void maker_init(struct maker *m, struct fsp_file *f, struct problem *why);
void maker_fini(struct maker *m);

/* A problem at a place in the file; returns false. */
bool maker_problem(struct maker *m, struct place at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void maker_warning(struct maker *m, struct place at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Counts a step of the work; false: there were too many. */
bool maker_step(struct maker *m, struct place at);
/* Around everything that may call itself; false: too deep. */
bool maker_enter(struct maker *m, struct place at);
void maker_leave(struct maker *m);

/* "; did you mean X?", or the names there are, or nothing. To be freed. */
char *file_hint(const struct fsp_file *f, const char *name);

#endif
