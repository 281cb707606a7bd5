/* asset_layout.h: the variables of a model in ASSET's language, and what else its C half must say (asset_calls.h).
 *
 * How many variables there are, their widths and the number of transitions are what the model's code makes of them. So
 * it is linked with onager/asset_probe.h, and run in a process of its own, where it may crash and loop. What it says
 * becomes a text in C. All plug-ins of a model are made with the same one. It is made of the object that the plug-in
 * for searching is made of, if that is being made; else of one for this purpose.
 */
#ifndef MODEL_ASSET_ASSET_LAYOUT_H
#define MODEL_ASSET_ASSET_LAYOUT_H

#include <pthread.h>
#include <stdbool.h>

#include "base/problem.h"
#include "code/c_command.h"
#include "ts/ts.h"

struct asset_layout {
    pthread_mutex_t lock;
    pthread_cond_t made;
    bool coming; /* somebody will provide it, or settle that it does not come */
    bool tried;
    char *text;         /* the C half, without what is included last; NULL: it cannot be made */
    struct problem why; /* ... for this reason */
};

void asset_layout_init(struct asset_layout *l, bool coming);
void asset_layout_settle(struct asset_layout *l);
void asset_layout_fini(struct asset_layout *l);

/* What it is made from. The commands are without files; model/c/c_flags.h tells what they compile. */
struct asset_source {
    const char *path;
    const char *model_text; /* what the file holds */
    const char *text;       /* the whole text: see asset_text.h */
    const struct ts_parameter *parameters;
    size_t parameter_count;
    const struct command *model, *probe, *state;
    double endless;     /* seconds of processor time after which nr_transitions is taken to loop for ever */
    const char *folder; /* for files that are made meanwhile, and removed */
    struct child *child;
};

/* For any number of threads at a time. From an object file that is no other than the model, compiled; NULL: waits for
 * it, or makes one. NULL is returned with *why. */
const char *asset_layout_get(struct asset_layout *l, const struct asset_source *from, const char *object,
                             struct problem *why);

#endif
