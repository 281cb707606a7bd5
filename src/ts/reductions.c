#include "ts/reductions.h"

const struct reduction_row reduction_table[] = {
#define REDUCTION_ROW(flag, ...) {.member = offsetof(struct reduction, flag), __VA_ARGS__},
    REDUCTIONS(REDUCTION_ROW)
#undef REDUCTION_ROW
        {0},
};
