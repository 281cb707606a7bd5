/* runner.h: code that works on an object and halts where somebody wants it to, and then goes on from there, as often as
 * he likes, each time with other bytes in the object.
 *
 * The code runs on a stack of its own, which always lies at the same place. When it is about to access the object, the
 * asker is told which bytes (page_watch.h). If he refuses, the code halts, before the access, and what it is in the
 * middle of becomes a halt: registers and stack, as bytes. Two equal halts, with the same bytes in the object, go on in
 * the same way: there is nothing else that they could depend on, if the code is made as include/onager/observe.h says.
 * Halts that would go on in the same way need not be equal: registers and stack may hold what is not used any more.
 *
 *     end = runner_start(r, function, argument);
 *     while (end == RUNNER_HALTED) { ...copy r->halt, put more into r->watch.mirror...; end = runner_go_on(r, halt); }
 */
#ifndef CODE_RUNNER_H
#define CODE_RUNNER_H

#include "code/page_watch.h"

enum runner_end {
    RUNNER_RETURNED, /* see r->result */
    RUNNER_HALTED,   /* see r->halt */
    RUNNER_FAILED,   /* see r->guard, r->watch.end and r->failed */
};

/* So many bytes, at most RUNNER_STACK + 1024. */
struct runner_halt {
    uint32_t size;
    void *bytes;
};

enum { RUNNER_STACK = 256 << 10 };

struct runner {
    struct guard *guard;
    struct watch watch;
    uint64_t result;         /* the returned register */
    struct runner_halt halt; /* lasts until the code goes on */
    struct {
        uint64_t instruction, first, third; /* where it failed, and the registers of the first and third argument */
    } failed;
    /* What follows is its own. */
    char *stack; /* with a closed page below */
    struct runner_frame *frame;
    bool here; /* the asker is asked in the runner, not in a handler */
    watch_ask *ask;
    void *asker;
};

/* False: there is no such thing on this machine, or no memory. The guard looks at signals for this runner only. */
bool runner_init(struct runner *r, size_t object_size, struct guard *g, watch_ask *ask, void *asker);
void runner_fini(struct runner *r); /* also of a zeroed one */

/* Calls function(object, argument). */
enum runner_end runner_start(struct runner *r, uintptr_t function, uint64_t argument);
enum runner_end runner_go_on(struct runner *r, const struct runner_halt *halt);

#endif
