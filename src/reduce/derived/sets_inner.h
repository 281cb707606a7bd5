/* sets_inner.h: what the files of sets.h share; for them alone.
 *
 *     sets.c         the set of a state
 *     sets_sample.c  is it worth looking for sets with one enabled transition first?
 */
#ifndef REDUCE_DERIVED_SETS_INNER_H
#define REDUCE_DERIVED_SETS_INNER_H

#include "reduce/derived/plain.h"
#include "reduce/derived/reach.h"
#include "reduce/derived/sets.h"

struct derived_sets {
    const struct derived *d;
    struct derived_sets_asking ask;
    const uint64_t *state;
    uint32_t *walked, walked_count; /* members without cubes */
    uint32_t *asked, asked_count;   /* members whose cubes do not tell all */

    /* Sets with one enabled transition are looked for first, without a look at the whole state. */
    struct plain *plain; /* or NULL */
    bool by_plain;       /* such a set was chosen, */
    struct plain_set chosen;
    bool listed;  /* ... and `in` tells its members */
    bool entered; /* the whole state was looked at */

    /* Of the state. */
    uint32_t *effect; /* of enabled members; EFFECT_VAGUE: not told */
    bool *enabled;
    uint32_t *enabled_list, enabled_count;
    uint32_t *found, found_count; /* enabled members, in any order */

    /* Of the watcher; NULL: there is none. */
    const struct guided_watch *watch;
    const bool *visible;
    bool watcher_in, watcher_was;

    /* U, and its reach. */
    struct reach reach;
    bool *in;
    uint32_t enabled_in;              /* transitions that are enabled and in U */
    uint32_t open_in;                 /* ... and allowed by the watcher; its own moves count as one */
    uint32_t hidden_in;               /* ... and not visible */
    bool needs_open, needs_hidden;    /* one must stay */
    bool keeps;                       /* imaginary transitions that are disabled must stay in U; */
    bool lost;                        /* one that must stay has not */
    uint32_t *removed, removed_count; /* in this attempt */

    bool *seen; /* nodes of a walk */
    uint32_t *seen_list;
};

/* Looks at the whole state. False: its values cannot stand together. */
bool sets_enter(struct derived_sets *s);
/* Then: the set by deletion, `in`. With `keeps`, it has all imaginary transitions that are disabled. */
void sets_delete(struct derived_sets *s, bool keeps);

/* What has made a set most often in a sample is tried first; what never has, is not. If sets with one enabled
 * transition are too rare, they are not looked for: s->plain becomes NULL. All this depends on the facts alone. */
void sets_try_plain(struct derived_sets *s);

#endif
