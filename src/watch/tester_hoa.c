#include "watch/tester_hoa.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "omega/hoa/hoa.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/text.h"

_Static_assert((int)ACCEPT_INFINITE == (int)TESTER_INFINITE && (int)ACCEPT_FINITE == (int)TESTER_REJECT &&
                   (int)ACCEPT_DEADLOCK == (int)TESTER_DEADLOCK && (int)ACCEPT_LIVELOCK == (int)TESTER_LIVELOCK,
               "kinds of states are kinds of acceptance");

/* Each action by itself is a valuation, in which nothing else holds. */
static void make_lts(const struct ba *a, struct lts *out) {
    struct lts_builder b;
    uint32_t label[MOST_PROPOSITIONS];
    lts_build(&b);
    for (uint32_t p = 0; p < a->propositions.count; p++) label[p] = names_add(&b.labels, a->propositions.text[p]);
    for (uint32_t s = 0; s < a->states; s++)
        for (const struct ba_edge *e = ba_begin(a, s); e < ba_end(a, s); e++)
            for (uint32_t p = 0; p < a->propositions.count; p++)
                if (cube_has(e->label, UINT64_C(1) << p)) lts_build_edge(&b, s, label[p], e->target);
    b.states = a->states;
    assert(a->initials == 1);
    b.initial = a->initial[0];
    lts_build_finish(&b, out);
}

static void name_states(struct hoa *h) {
    for (uint32_t s = 0; s < h->ba.states; s++)
        if (!h->state_name[s]) h->state_name[s] = text_format("%u", s);
}

bool tester_hoa_parse(const char *text, size_t size, const char *name, struct tester *out, struct problem *why) {
    struct hoa h;
    struct lts lts;
    *out = (struct tester){0};
    if (!hoa_parse_any(text, size, name, true, &h, why)) return false;
    make_lts(&h.ba, &lts);
    name_states(&h);
    tester_init(out, h.name ? h.name : "(without a name)", &lts, h.ba.accept, h.state_name);
    hoa_fini(&h);
    if (tester_well_formed(out, name, why)) return true;
    tester_fini(out);
    return false;
}

bool tester_hoa_read(const char *path, struct tester *out, struct problem *why) {
    char *text = files_read(path, why);
    if (!text) return false;
    bool good = tester_hoa_parse(text, strlen(text), path, out, why);
    free(text);
    return good;
}
