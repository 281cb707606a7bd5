#include "disturb.h"

#include "unit.h"

#include "refuse.h"

struct told told_of(const struct answer *a) {
    struct told t = {a->verdict, a->property, a->held, a->trace.count > 0, ""};
    snprintf(t.message, sizeof t.message, "%s", a->message ? a->message : "");
    return t;
}

/* The first ones, the last ones, and some between. */
uint64_t disturb_occasion(uint64_t i, uint64_t count) {
    if (count <= DISTURBED_A_KIND) return i + 1;
    if (i < 3) return i + 1;
    if (i >= DISTURBED_A_KIND - 5) return count - (DISTURBED_A_KIND - 1 - i);
    return 4 + random_below((uint32_t)count - 8);
}

static bool is_wrong(const struct disturbance *d, const struct told *right, const struct told *now, bool fails) {
    if (right->verdict == VERDICT_VIOLATED && (now->held & right->property)) return true;
    if (now->verdict == VERDICT_HOLDS) return right->verdict != VERDICT_HOLDS;
    if (now->verdict == VERDICT_ERROR) return !fails;
    if (now->verdict != VERDICT_VIOLATED) return now->verdict != VERDICT_INCONCLUSIVE;
    if (fails && now->property == PROP_MODEL_ERROR) return false;
    if (!now->trace) return true;
    if (d->reduced && now->property == PROP_TERMINATION) return false;
    return right->verdict != VERDICT_VIOLATED || (!d->several && now->property != right->property);
}

void disturb_compare(struct disturbance *d, const struct told *right, const struct told *now, const char *kind,
                     uint64_t at, bool fails) {
    d->tries++;
    d->given_up += now->verdict != right->verdict;
    if (is_wrong(d, right, now, fails))
        fail_msg("%s: %s number %llu: verdict %d, property %u, held %u (%s), but undisturbed: %d, property %u (%s)",
                 d->what, kind, (unsigned long long)at, (int)now->verdict, (unsigned)now->property, now->held,
                 now->message, (int)right->verdict, (unsigned)right->property, right->message);
}

struct told disturb(struct disturbance *d) {
    static const char *const names[] = {
        "look", "memory", "memory for a while", "memory from then on", "read", "reads from then on"};
    refuse_stop();
    struct told right = d->ask(d->context);
    for (int kind = 0; kind < REFUSALS && right.verdict <= VERDICT_INCONCLUSIVE; kind++) {
        refuse_start((enum refusal)kind, 0);
        d->ask(d->context);
        uint64_t count = refuse_occasions();
        for (uint64_t i = 0; i < count && i < DISTURBED_A_KIND; i++) {
            uint64_t at = disturb_occasion(i, count);
            refuse_start((enum refusal)kind, at);
            struct told now = d->ask(d->context);
            refuse_stop();
            disturb_compare(d, &right, &now, names[kind], at, false);
        }
    }
    refuse_stop();
    return right;
}
