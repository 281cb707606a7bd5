/* faulty.c: a model whose code goes wrong where and how the environment says, so that one compilation serves all.
 *
 *     WHERE=fire|initial|check_state|check_deadlock|may_progress|must_progress|obligations|symmetry|print_state|name
 *     HOW=null|divide|abort|assert|exit|stack|loop|sleep|trap|raise|range|static
 *
 * x counts from 0 to 5, in steps of one or two; what goes wrong does so when x is 3 (in initial, at once; in
 * check_deadlock, at the end).
 */
#include <onager.h>
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define STATE(var, array) var(UPTO(5), x)
DEFINE_STATE(STATE)

static volatile int *volatile nowhere;
static volatile int zero;

static bool is(const char *variable, const char *value) {
    const char *text = getenv(variable);
    return text && strcmp(text, value) == 0;
}

__attribute__((noinline)) static int deeper(volatile char *above) {
    volatile char here[1024];
    here[0] = above[0];
    int below = deeper(here);
    return below + here[1023];
}

static void go_wrong(const char *where) {
    volatile char start[1] = {0};
    if (!is("WHERE", where)) return;
    if (is("HOW", "null")) *nowhere = 1;
    if (is("HOW", "divide")) zero = 7 / zero;
    if (is("HOW", "abort")) abort();
    if (is("HOW", "assert")) assert(zero == 1);
    if (is("HOW", "exit")) exit(0);
    if (is("HOW", "stack")) zero = deeper(start);
    if (is("HOW", "loop"))
        while (zero == 0) {}
    if (is("HOW", "sleep"))
        for (;;) sleep(1);
    if (is("HOW", "trap")) __builtin_trap();
    if (is("HOW", "static")) zero = 1;
    if (is("HOW", "raise")) model_error("this cannot be");
}

static void initial(state *s) {
    (void)s;
    go_wrong("initial");
}

static bool fire(state *s, unsigned t) {
    unsigned step = t + 1;
    if (s->x == 3 && t == 1) go_wrong("fire");
    if (s->x == 3 && t == 1 && is("WHERE", "fire") && is("HOW", "range")) step = 4;
    else if (s->x + step > 5) return false;
    s->x += step;
    return true;
}

static const char *check_state(const state *s) {
    if (s->x == 3) go_wrong("check_state");
    return NULL;
}

static const char *check_deadlock(const state *s) {
    (void)s;
    go_wrong("check_deadlock");
    return NULL;
}

static bool may_progress(const state *s) {
    if (s->x == 3) go_wrong("may_progress");
    return s->x == 5;
}

static bool must_progress(const state *s) {
    if (s->x == 3) go_wrong("must_progress");
    return s->x == 5;
}

static void obligations(const state *s, unsigned t, stubborn *set) {
    (void)t;
    if (s->x == 3) go_wrong("obligations");
    stb_all(set);
}

static void symmetry(state *s) {
    if (s->x == 3) go_wrong("symmetry");
}

static void print_state(const state *s, FILE *out) {
    if (s->x == 3) go_wrong("print_state");
    fprintf(out, "x is %u", s->x);
}

static const char *transition_name(unsigned t) {
    go_wrong("name");
    return t ? "two steps" : "one step";
}

MODEL(.transitions = 2, .initial = initial, .fire = fire, .check_state = check_state, .check_deadlock = check_deadlock,
      .may_progress = may_progress, .must_progress = must_progress, .obligations = obligations, .symmetry = symmetry,
      .print_state = print_state, .transition_name = transition_name)
