#include <string.h>

#include "cli/commands.h"
#include "front/network_model.h"
#include "search/tester_hoa.h"

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text), k = strlen(end);
    return n >= k && strcmp(text + n - k, end) == 0;
}

bool load_tester(const struct options *o, struct tester *out, struct problem *why) {
    bool file = network_model_is(o->tester);
    struct effort effort = effort_to_read(o);
    if (ends_with(o->tester, ".hoa")) return tester_hoa_read(o->tester, out, why);
    return network_model_tester(file ? o->tester : o->model, file ? NULL : o->tester, o->parameters, o->parameter_count,
                                stderr, &effort, out, why);
}
