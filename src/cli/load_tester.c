#include <string.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/load_lts.h"
#include "model/network/network_model.h"
#include "compare/canonical_tester.h"
#include "watch/tester_hoa.h"

static bool read_tester(const struct options *o, struct tester *out, struct problem *why) {
    bool file = network_model_is(o->tester);
    struct effort effort = effort_to_read(o);
    if (text_ends_with(o->tester, ".hoa")) return tester_hoa_read(o->tester, out, why);
    return network_model_tester(file ? o->tester : o->model, file ? NULL : o->tester, o->parameters, o->parameter_count,
                                stderr, &effort, out, why);
}

/* ---- Specifications ---- */

/* What the text before a composite asks for is done when an LTS is made of it, which is not done here. */
static bool has_no_quality(const struct ts *ts, struct problem *why) {
    return !ts->qualities ||
           problem_set(why, EXIT_BAD_INPUT,
                       "%s: the process is to be made %s, which changes what is visible of it, and --refines "
                       "does not build its LTS; leave that word out, or use onager compare",
                       ts->path,
                       ts->qualities & TS_PROPERTY        ? "a property"
                       : ts->qualities & TS_DETERMINISTIC ? "deterministic"
                                                          : "minimal");
}

static bool make_tester(const struct options *o, const struct ts *ts, struct tester *out, struct problem *why) {
    struct effort effort = effort_of(o);
    struct canonical_question q = {.name = o->refines, .whole = true, .effort = &effort};
    struct options spec;
    struct lts lts;
    if (!canonical_relation(o->below, &q.relation, why) || !has_no_quality(ts, why) ||
        !beside_model(o, "--refines", o->refines, &spec, why))
        return false;
    if (!load_lts(&spec, spec.model, &effort, &lts, why)) return false;
    q.spec = &lts;
    bool good = canonical_tester(&q, out, why);
    lts_fini(&lts);
    return good;
}

bool load_tester(const struct options *o, const struct ts *ts, struct tester *out, struct problem *why) {
    return o->refines ? make_tester(o, ts, out, why) : read_tester(o, out, why);
}
