#include "base/effort.h"

#include <assert.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"

enum { LOOKS_A_SECOND = 20 }; /* at memory: that takes a system call or two */

bool effort_is_called_off(const struct effort *e) {
    return e && ((e->interrupted && *e->interrupted) || (e->deadline > 0 && clock_seconds() > e->deadline));
}

bool effort_look(struct effort *e) {
    if (!e) return false;
    if (e->over) return true;
    double now = clock_seconds();
    if (e->interrupted && *e->interrupted) e->over = EFFORT_INTERRUPTED;
    else if (e->deadline > 0 && now > e->deadline) e->over = EFFORT_LATE;
    else if (e->most && now > e->next_look) {
        e->next_look = now + 1.0 / LOOKS_A_SECOND;
        if (memory_resident() > e->most) e->over = EFFORT_MEMORY;
    }
    return e->over != EFFORT_GOES_ON;
}

bool effort_allows(struct effort *e, uint64_t bytes) {
    if (!e || effort_look(e)) return !e;
    if (e->most && memory_resident() + bytes > e->most) e->over = EFFORT_MEMORY;
    return !e->over;
}

bool effort_problem(const struct effort *e, const char *what, struct problem *why) {
    char bytes[16];
    text_bytes((double)e->most, bytes);
    switch (e->over) {
    case EFFORT_INTERRUPTED: return problem_set(why, EXIT_INCONCLUSIVE, "interrupted: %s was not completed", what);
    case EFFORT_LATE:
        return problem_set(why, EXIT_INCONCLUSIVE, "%s was not completed within %g s\nGive it more with --time", what,
                           e->seconds);
    case EFFORT_TABLES:
        return problem_set(why, EXIT_INCONCLUSIVE,
                           "%s takes more than %s: the sets of states that a trace can lead to are too many\nGive it "
                           "more with --max-memory, or take smaller systems or a finer relation (weak, branching)",
                           what, bytes);
    default:
        assert(e->over == EFFORT_MEMORY); /* nobody is told why what is not needed was left */
        return problem_set(why, EXIT_INCONCLUSIVE, "%s takes more than %s of memory\nGive it more with --max-memory",
                           what, bytes);
    }
}
