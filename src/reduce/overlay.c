#include "reduce/overlay.h"

static struct ts_worker *below(struct ts_worker *w) { return overlay_worker_of(w)->base; }
static const struct ts_ops *ops_below(struct ts_worker *w) { return overlay_worker_of(w)->x->base->ops; }

static uint32_t classify(struct ts_worker *w, struct ts_batch *batch) {
    return ops_below(w)->classify(below(w), batch);
}

static bool initial(struct ts_worker *w, word *out, struct ts_fault *fault) {
    return ops_below(w)->initial(below(w), out, fault);
}

static int fire(struct ts_worker *w, const word *s, uint32_t t, word *out, struct ts_fault *fault) {
    return ops_below(w)->fire(below(w), s, t, out, fault);
}

static bool representative(struct ts_worker *w, const word *s, word *out, struct ts_fault *fault) {
    return ops_below(w)->representative(below(w), s, out, fault);
}

static bool check(struct ts_worker *w, const word *s, enum ts_feature which, const char **message,
                  struct ts_fault *fault) {
    return ops_below(w)->check(below(w), s, which, message, fault);
}

static bool obligations(struct ts_worker *w, const word *s, uint32_t t, uint32_t *list, uint32_t *count,
                        struct ts_fault *fault) {
    return ops_below(w)->obligations(below(w), s, t, list, count, fault);
}

static bool print(struct ts_worker *w, const word *s, const word *previous, FILE *out, struct ts_fault *fault) {
    return ops_below(w)->print(below(w), s, previous, out, fault);
}

static void transition_name(struct ts_worker *w, uint32_t t, char *buffer, size_t size) {
    ops_below(w)->transition_name(below(w), t, buffer, size);
}

/* More actions may turn up while this is called; what the base knows by then, this system knows, too. */
static uint32_t action(struct ts_worker *w, const word *s, uint32_t t, struct ts_fault *fault) {
    struct overlay *x = overlay_worker_of(w)->x;
    uint32_t found = x->base->ops->action(below(w), s, t, fault);
    x->ts.actions = x->base->actions;
    x->ts.action_names = x->base->action_names;
    return found;
}

static int observable(struct ts_worker *w, uint32_t t, struct ts_fault *fault) {
    return ops_below(w)->observable(below(w), t, fault);
}

static bool valuate(struct ts_worker *w, const word *states, uint32_t count, const uint32_t *wanted,
                    uint32_t wanted_count, uint64_t *out, struct ts_fault *fault) {
    return ops_below(w)->valuate(below(w), states, count, wanted, wanted_count, out, fault);
}

static int may_change(struct ts_worker *w, uint32_t p, uint32_t t, struct ts_fault *fault) {
    return ops_below(w)->may_change(below(w), p, t, fault);
}

static const char *action_name(struct ts *ts, uint32_t a) {
    struct ts *base = overlay_of(ts)->base;
    return base->ops->action_name ? base->ops->action_name(base, a) : base->action_names[a];
}

static int64_t value(const struct ts *ts, const word *s, uint32_t v, uint32_t i, const char **name, size_t *length) {
    const struct ts *base = overlay_of(ts)->base;
    return base->ops->value(base, s, v, i, name, length);
}

static uint64_t watched(const struct ts *ts, bool *all, const char **limit) {
    const struct ts *base = overlay_of(ts)->base;
    return base->ops->watched(base, all, limit);
}

static const char *remark(struct ts *ts) {
    struct ts *base = overlay_of(ts)->base;
    return base->ops->remark ? base->ops->remark(base) : NULL;
}

struct ts_ops overlay_ops(void) {
    return (struct ts_ops){
        .classify = classify,
        .initial = initial,
        .fire = fire,
        .representative = representative,
        .check = check,
        .obligations = obligations,
        .print = print,
        .transition_name = transition_name,
        .value = value,
        .action = action,
        .action_name = action_name,
        .observable = observable,
        .valuate = valuate,
        .watched = watched,
        .may_change = may_change,
        .remark = remark,
    };
}
