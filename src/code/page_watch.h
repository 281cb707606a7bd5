/* page_watch.h: an object of which each access is seen.
 *
 * The object lies on pages of its own that the processor protects. Whatever reads or stores there, in whatever way,
 * raises a signal; nothing goes unnoticed. The handler finds out which bytes the instruction is about (x86_access.h),
 * notes them, and lets it happen: plain instructions are carried out by the handler itself, on the same memory, which
 * is mapped a second time; for the others, the pages are opened for one step of the processor. An instruction that is
 * not known counts as one that reads and stores everything.
 *
 *     watch_begin(w); if (GUARD_ENTER(w->guard)) { ...code that works on w->object...; guard_leave(w->guard); }
 *     watch_end(w);
 *
 * Whoever wants to decide what may be accessed when sets `ask`, which is called before each access.
 *
 * A watch belongs to one guard, and so to one thread. Several threads may watch objects of their own at the same time.
 */
#ifndef CODE_PAGE_WATCH_H
#define CODE_PAGE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/guard.h"

enum { WATCH_READ = 1, WATCH_STORED = 2 };

/* What ended the code, if the guard did. */
enum watch_end {
    WATCH_NO_END,    /* what it did has nothing to do with the object */
    WATCH_BESIDE,    /* it used memory just before or behind the object */
    WATCH_TOO_LONG,  /* it used the object very often */
    WATCH_ELSEWHERE, /* it used memory that it may not use: see `address` */
    WATCH_REFUSED,   /* the asker did not let it go on */
    WATCH_ODD,       /* there is an asker, and what the instruction uses of the object is not known */
};

/* What an instruction uses of the object. */
struct watch_use {
    size_t at, size;
    unsigned how; /* WATCH_READ, WATCH_STORED */
};

/* Called in a handler, before an instruction is let happen, with all that it uses: one part of the object, or two. The
 * machine is an ucontext_t. False: it does not happen, and the code ends. */
typedef bool watch_ask(void *asker, const struct watch_use *uses, unsigned count, const void *machine);

struct watch {
    struct guard *guard;
    void *object;   /* may be used between watch_begin and watch_end only */
    void *mirror;   /* the same memory; may be used at any time, and nobody sees it */
    uint8_t *seen;  /* by byte: WATCH_READ and WATCH_STORED */
    size_t size;    /* of the object */
    watch_ask *ask; /* or NULL; to be set between watch_init and watch_begin */
    void *asker;    /* its first argument */
    /* What follows is its own. */
    size_t room; /* bytes of its pages */
    char *pages; /* with one more before and behind that stays closed */
    uint32_t faults;
    bool on, is_open, stepping;
    enum watch_end end;
    const void *address;
};

/* False: there is no such thing on this machine, or no memory. */
bool watch_init(struct watch *w, size_t size, struct guard *g);
void watch_fini(struct watch *w); /* also of a zeroed one */

/* From here on, nothing has been seen. */
void watch_begin(struct watch *w);
void watch_end(struct watch *w);

/* For a guard_look of somebody else, who has set g->look after watch_init: what the watch makes of a signal. */
bool watch_look(void *watch, int signal, const siginfo_t *info, void *machine);

/* Does what the instruction would do that a machine is at, without a signal, if it is a plain one that accesses the
 * object. */
enum watch_done {
    WATCH_NOT_DONE, /* it is none, or not plain */
    WATCH_DONE,
    WATCH_NOT_LET, /* the asker says no */
};
enum watch_done watch_carry_out(struct watch *w, void *machine);

/* Tries it: does it see what it should, no less and no more? It may not, under a debugger or an emulator. */
bool watch_works(struct guard *g);

#endif
