#include "cli/load_lts.h"

#include <string.h>

#include "lts/aut.h"

bool has_suffix(const char *path, const char *suffix) {
    size_t n = strlen(path), m = strlen(suffix);
    return n >= m && strcmp(path + n - m, suffix) == 0;
}

bool load_lts(const struct options *o, const char *path, struct lts *out, struct problem *why) {
    struct aut_options how = {.tau = o->tau};
    if (strcmp(path, "-") == 0 || has_suffix(path, ".aut")) return aut_read(path, &how, out, why);
    return problem_set(why, EXIT_BAD_INPUT,
                       "%s: what is it? The name of a file with an LTS ends with .aut (the Aldebaran format)", path);
}
