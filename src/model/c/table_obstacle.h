/* table_obstacle.h: why successors are not looked up in tables. */
#ifndef MODEL_C_TABLE_OBSTACLE_H
#define MODEL_C_TABLE_OBSTACLE_H

enum obstacle {
    OBSTACLE_NONE, /* they are, or may be */
    /* There is nothing to ask: */
    OBSTACLE_NOT_COMPILED,
    OBSTACLE_FILE_CHANGED,
    OBSTACLE_THREAD_DATA,
    OBSTACLE_NOT_SEALED,
    OBSTACLE_NOT_WATCHED,
    /* There is no answer: */
    OBSTACLE_STORES_ELSEWHERE,
    OBSTACLE_BESIDE,
    OBSTACLE_CRASH,
    OBSTACLE_TOO_LONG,
    OBSTACLE_OUT_OF_RANGE,
    OBSTACLE_HIDDEN,
    OBSTACLE_DIFFERENT,
    /* The answers are no good: */
    OBSTACLE_MANY_BITS,
    OBSTACLE_MANY_BYTES,
    OBSTACLE_RESTLESS,
};

/* "a transition depends on more than 12 bits of the state" */
const char *obstacle_text(enum obstacle o);

#endif
