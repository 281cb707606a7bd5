#include "explore/engine.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "explore/cycles.h"

#define ENGINE_ROW(id, engine_name, ...) {.name = engine_name, __VA_ARGS__},
static const struct engine orders[] = {MODEL_ENGINES(ENGINE_ROW)};
static const struct engine algorithms[] = {[LTL_DEFAULT] = {0}, PRODUCT_ENGINES(ENGINE_ROW)};
#undef ENGINE_ROW

enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };

const struct engine *engine_of_order(enum order order) { return &orders[order]; }

const struct engine *engine_of_algorithm(enum ltl_algorithm algorithm) {
    return algorithm == LTL_DEFAULT ? NULL : &algorithms[algorithm];
}

bool algorithm_takes(enum ltl_algorithm algorithm, enum engine_takes what) {
    return algorithm == LTL_DEFAULT || (algorithms[algorithm].takes & what);
}

char *algorithms_that_take(enum engine_takes what) {
    char *list = memory_copy_string("");
    unsigned left = 0;
    for (int i = LTL_DEFAULT + 1; i < ALGORITHMS; i++) left += (algorithms[i].takes & what) != 0;
    for (int i = LTL_DEFAULT + 1; i < ALGORITHMS; i++) {
        if (!(algorithms[i].takes & what)) continue;
        left--;
        char *longer = text_format("%s%s%s", list, algorithms[i].name, left > 1 ? ", " : left == 1 ? " or " : "");
        free(list);
        list = longer;
    }
    return list;
}
