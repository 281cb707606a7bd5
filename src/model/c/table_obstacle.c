#include "model/c/table_obstacle.h"

const char *obstacle_text(enum obstacle o) {
    switch (o) {
    case OBSTACLE_NONE: break;
    case OBSTACLE_NOT_COMPILED:
        return "fire calls something outside of the model: it may call its own functions only, and "
               "memcpy and the like";
    case OBSTACLE_FILE_CHANGED: return "the model's file has changed since the search began";
    case OBSTACLE_THREAD_DATA: return "the model has variables of threads (__thread)";
    case OBSTACLE_NOT_SEALED: return "the variables of the model's file cannot be protected on this machine";
    case OBSTACLE_NOT_WATCHED:
        return "onager cannot see on this machine which memory a transition uses (another kind of processor, too "
               "little memory, or a debugger or an emulator)";
    case OBSTACLE_STORES_ELSEWHERE: return "fire stores outside of the state, in a variable of the file perhaps";
    case OBSTACLE_BESIDE: return "fire uses memory just before or behind the state";
    case OBSTACLE_CRASH: return "fire crashed when it was watched";
    case OBSTACLE_TOO_LONG: return "a transition uses the state very often, or takes very long";
    case OBSTACLE_OUT_OF_RANGE: return "fire stored a value outside its range when it was watched";
    case OBSTACLE_HIDDEN: return "fire uses something else than the state and constants";
    case OBSTACLE_DIFFERENT: return "fire did something else when it was watched";
    case OBSTACLE_MANY_BITS: return "a transition depends on more than 12 bits of the state";
    case OBSTACLE_MANY_BYTES: return "the tables would take too much memory";
    case OBSTACLE_RESTLESS: return "what transitions depend on changes too often";
    }
    return "no reason is known";
}
