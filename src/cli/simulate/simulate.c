#include "cli/simulate/simulate.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/recorded.h"
#include "report/execution/pictures.h"

enum { NAME = 128, MOST_LISTED = 200, MOST_RUN = 100000 };

bool stroll_init(struct stroll *m, const struct options *o, struct ts *ts, struct ts_worker *w, struct problem *why) {
    struct ts_fault fault;
    *m = (struct stroll){.o = o, .ts = ts, .w = w, .random = o->seed ? o->seed : 1};
    trace_init(&m->path, ts->words);
    word *start = memory_get(ts->words * sizeof(word));
    bool good = ts->ops->initial(w, start, &fault);
    if (good) trace_add(&m->path, TS_NONE, start);
    else problem_set(why, EXIT_BAD_INPUT, "%s: %s: %s", ts->path, fault.where, fault.text);
    free(start);
    return good;
}

void stroll_fini(struct stroll *m) { trace_fini(&m->path); }

void stroll_complain(struct stroll *m, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    m->failed = true;
}

int stroll_fire(struct stroll *m, const word *s, uint32_t t, word *next) {
    struct ts_fault fault;
    int fired = m->ts->ops->fire(m->w, s, t, next, &fault);
    if (fired < 0) {
        char name[NAME];
        m->ts->ops->transition_name(m->w, t, name, sizeof name);
        printf("!!! %s: %s (%s)\n", fault.where, fault.text, name);
    }
    return fired;
}

/* ---- Showing ---- */

/* The step from one state to another, as steps are shown. */
static void show_step(struct stroll *m, uint32_t t, const word *from, const word *to, const char *number) {
    struct trace two;
    char name[NAME] = "";
    if (t != TS_NONE) m->ts->ops->transition_name(m->w, t, name, sizeof name);
    trace_init(&two, m->ts->words);
    trace_add(&two, TS_NONE, from);
    trace_add(&two, t, to);
    json_t *execution = execution_json(&two, m->ts, m->w, false);
    struct pages p = pages_of(execution, showing_of(m->o, m->ts).look, stdout);
    struct wrap w;
    printf("%6s  ", number);
    wrap_begin(&w, &p, 10, 8);
    wrap_word(&w, name, p.look.colour ? "\033[1m" : NULL);
    wrap_word(&w, "", NULL);
    wrap_changes(&w, &p, 1);
    wrap_end(&w);
    json_decref(execution);
    trace_fini(&two);
}

static void show_state(struct stroll *m) {
    struct trace one;
    trace_init(&one, m->ts->words);
    trace_add(&one, TS_NONE, stroll_state(m));
    json_t *execution = execution_json(&one, m->ts, m->w, false);
    struct pages p = pages_of(execution, showing_of(m->o, m->ts).look, stdout);
    struct wrap w;
    fputs("state   ", stdout);
    wrap_begin(&w, &p, 8, 8);
    wrap_state(&w, &p, 0);
    wrap_end(&w);
    json_decref(execution);
    trace_fini(&one);
}

static void show_message(struct stroll *m, enum ts_feature which, const char *kind) {
    const char *message = NULL;
    struct ts_fault fault;
    if (!ts_has(m->ts, which)) return;
    if (!m->ts->ops->check(m->w, stroll_state(m), which, &message, &fault))
        printf("!!! %s: %s\n", fault.where, fault.text);
    else if (message) printf("!!! %s: %s\n", kind, message);
}

void stroll_show(struct stroll *m) {
    word *next = memory_get(m->ts->words * sizeof(word));
    uint32_t enabled = 0;
    printf("step %" PRIu64 " of %" PRIu64 "\n", m->at, m->path.count - 1);
    show_state(m);
    show_message(m, TS_CHECK_STATE, "Safety error");
    for (uint32_t t = 0; t < m->ts->transitions; t++) {
        char number[16];
        int fired = stroll_fire(m, stroll_state(m), t, next);
        if (fired <= 0 || ++enabled > MOST_LISTED) continue;
        snprintf(number, sizeof number, "%" PRIu32, t);
        show_step(m, t, stroll_state(m), next, number);
    }
    if (enabled > MOST_LISTED) printf("        ... and %" PRIu32 " more\n", enabled - MOST_LISTED);
    if (enabled == 0) {
        puts("        (nothing is enabled)");
        show_message(m, TS_CHECK_DEADLOCK, "Illegal deadlock");
    }
    free(next);
    if (m->at + 1 >= m->path.count) return;
    char name[NAME];
    m->ts->ops->transition_name(m->w, m->path.transitions[m->at + 1], name, sizeof name);
    printf("        (forward: %s)\n", name);
}

/* ---- Walking ---- */

void stroll_step(struct stroll *m, uint32_t t, const word *next) {
    m->path.count = m->at + 1;
    m->path.cycle = m->path.no_return = TRACE_NONE;
    m->path.closing = TS_NONE;
    trace_add(&m->path, t, next);
    m->at++;
}

/* The enabled transitions, in order; to be freed. */
static uint32_t *enabled_here(struct stroll *m, uint32_t *count) {
    uint32_t *list = memory_get((m->ts->transitions + UINT64_C(1)) * sizeof *list);
    word *next = memory_get(m->ts->words * sizeof(word));
    *count = 0;
    for (uint32_t t = 0; t < m->ts->transitions; t++)
        if (stroll_fire(m, stroll_state(m), t, next) > 0) list[(*count)++] = t;
    free(next);
    return list;
}

static void take(struct stroll *m, uint32_t t) {
    word *next = memory_get(m->ts->words * sizeof(word));
    char name[NAME];
    m->ts->ops->transition_name(m->w, t, name, sizeof name);
    int fired = stroll_fire(m, stroll_state(m), t, next);
    if (fired > 0) stroll_step(m, t, next);
    else if (fired == 0) stroll_complain(m, "%s cannot occur here; `why %s` says why", name, name);
    free(next);
    if (fired > 0) stroll_show(m);
}

/* The transition that a number or a name stands for; of several with that name, one that is enabled. */
static bool find(struct stroll *m, const char *text, uint32_t *found) {
    uint32_t count, fitting = 0, *list = enabled_here(m, &count);
    char name[NAME];
    for (uint32_t i = 0; i < count; i++) {
        m->ts->ops->transition_name(m->w, list[i], name, sizeof name);
        if (strcmp(name, text) != 0) continue;
        *found = list[i];
        fitting++;
    }
    free(list);
    if (fitting > 1) return stroll_complain(m, "%u enabled steps are called %s: give the number", fitting, text), false;
    if (fitting == 0) *found = ts_find_transition(m->ts, m->w, text);
    if (*found != TS_NONE) return true;
    struct problem why = {0};
    ts_lacks_transition(m->ts, m->w, text, &why);
    stroll_complain(m, "%s (`help` lists the commands)", why.text);
    problem_fini(&why);
    return false;
}

/* xorshift64*: the same walks everywhere. */
static uint32_t random_below(struct stroll *m, uint32_t n) {
    m->random ^= m->random >> 12;
    m->random ^= m->random << 25;
    m->random ^= m->random >> 27;
    return (uint32_t)((m->random * UINT64_C(2685821657736338717) >> 33) % n);
}

static void walk(struct stroll *m, uint64_t steps, bool at_random) {
    word *next = memory_get(m->ts->words * sizeof(word));
    for (uint64_t i = 0; i < steps; i++) {
        uint32_t count, *list = enabled_here(m, &count),
                        t = count ? list[at_random ? random_below(m, count) : 0] : TS_NONE;
        free(list);
        if (t == TS_NONE || stroll_fire(m, stroll_state(m), t, next) <= 0) break;
        word *from = memory_get(m->ts->words * sizeof(word));
        memcpy(from, stroll_state(m), m->ts->words * sizeof(word));
        stroll_step(m, t, next);
        char number[24];
        snprintf(number, sizeof number, "%" PRIu64, m->at);
        if (i < MOST_LISTED) show_step(m, t, from, next, number);
        free(from);
    }
    free(next);
    stroll_show(m);
}

/* ---- Commands ---- */

static bool number_of(struct stroll *m, const char *text, uint64_t usual, uint64_t most, uint64_t *n) {
    int64_t value;
    *n = usual;
    if (!*text) return true;
    if (!text_to_int(text, 0, (int64_t)most, &value))
        return stroll_complain(m, "%s: a number from 0 to %" PRIu64 " is wanted here", text, most), false;
    *n = (uint64_t)value;
    return true;
}

static void do_back(struct stroll *m, const char *rest) {
    uint64_t n;
    if (!number_of(m, rest, m->at ? 1 : 0, m->at, &n)) return;
    m->at -= n;
    stroll_show(m);
}

static void do_forward(struct stroll *m, const char *rest) {
    uint64_t n, most = m->path.count - 1 - m->at;
    if (!number_of(m, rest, most ? 1 : 0, most, &n)) return;
    m->at += n;
    stroll_show(m);
}

static void do_goto(struct stroll *m, const char *rest) {
    uint64_t n;
    if (!number_of(m, rest, 0, m->path.count - 1, &n)) return;
    m->at = n;
    stroll_show(m);
}

static void do_restart(struct stroll *m, const char *rest) {
    (void)rest;
    do_goto(m, "0");
}

static void do_random(struct stroll *m, const char *rest) {
    uint64_t n;
    if (number_of(m, rest, 1, MOST_RUN, &n)) walk(m, n, true);
}

static void do_run(struct stroll *m, const char *rest) {
    uint64_t n;
    if (number_of(m, rest, 1000, MOST_RUN, &n)) walk(m, n, false);
}

static void do_show(struct stroll *m, const char *rest) {
    (void)rest;
    stroll_show(m);
}

static void do_why(struct stroll *m, const char *rest) {
    uint32_t t;
    word *next = memory_get(m->ts->words * sizeof(word));
    if (!find(m, rest, &t)) {
    } else if (stroll_fire(m, stroll_state(m), t, next) > 0) puts("it is enabled");
    else {
        char *why = execution_why(m->ts, m->w, stroll_state(m), t);
        puts(why ? why : "this model's code does not tell (doc/FACTS.md)");
        free(why);
    }
    free(next);
}

static void do_trace(struct stroll *m, const char *rest) {
    struct showing how = showing_of(m->o, m->ts);
    int form = (int)how.form;
    if (*rest && !text_choice(rest, FORM_WORDS, &form)) {
        stroll_complain(m, "%s: there are the forms " FORM_WORDS, rest);
        return;
    }
    how.form = (enum trace_form)form;
    uint64_t count = m->path.count;
    m->path.count = m->at + 1;
    report_trace(&m->path, m->ts, m->w, execution_is_stuck(&m->path, m->ts, m->w), how, stdout);
    m->path.count = count;
}

static void do_save(struct stroll *m, const char *rest) {
    struct problem why = {0};
    if (!*rest || !pictures_know(rest)) {
        stroll_complain(m, "save FILE: its name ends with .json, .svg, .mmd or .html");
        return;
    }
    uint64_t count = m->path.count, cycle = m->path.cycle;
    if (m->at + 1 < count) m->path.cycle = TRACE_NONE;
    m->path.count = m->at + 1;
    json_t *document = report_json_about(m->ts);
    json_object_set_new(document, "trace",
                        execution_json(&m->path, m->ts, m->w, execution_is_stuck(&m->path, m->ts, m->w)));
    m->path.count = count;
    m->path.cycle = cycle;
    if (pictures_write(document, rest, &why)) printf("saved: %s\n", rest);
    else stroll_complain(m, "%s", why.text);
    json_decref(document);
    problem_fini(&why);
}

static void do_load(struct stroll *m, const char *rest) {
    struct problem why = {0};
    struct recorded r = {0};
    struct trace t;
    trace_init(&t, m->ts->words);
    if (recorded_load(&r, rest, &why) && recorded_replay(&t, &r, m->ts, m->w, rest, &why)) {
        trace_fini(&m->path);
        m->path = t;
        m->path.no_return = r.no_return;
        m->at = 0;
        printf("loaded: %" PRIu64 " states; forward, back and goto step through them\n", t.count);
        stroll_show(m);
    } else {
        stroll_complain(m, "%s", why.text);
        trace_fini(&t);
    }
    json_decref(r.document);
    problem_fini(&why);
}

static void do_until(struct stroll *m, const char *rest) { stroll_until(m, rest); }

static void do_quit(struct stroll *m, const char *rest) {
    (void)rest;
    m->over = true;
}

static void do_help(struct stroll *m, const char *rest);

static const struct {
    const char *name, *argument, *help;
    void (*act)(struct stroll *m, const char *rest);
} commands[] = {
    {"show", "", "the state, and the steps that are enabled there (also: an empty line)", do_show},
    {"back", "[N]", "one step back, or N", do_back},
    {"forward", "[N]", "one step forward again, or N", do_forward},
    {"goto", "N", "to step N of the path", do_goto},
    {"restart", "", "to the initial state; the path stays", do_restart},
    {"random", "[N]", "one random step, or N (--seed)", do_random},
    {"run", "[N]", "the lowest-numbered enabled step, again and again, at most 1000 times, or N", do_run},
    {"until", "CONDITION",
     "to a nearest state where a proposition holds, a variable has a value (x=3, S[0]=idle, x!=0), or "
     "nothing is enabled (deadlock)",
     do_until},
    {"why", "STEP", "why it cannot occur", do_why},
    {"trace", "[FORM]", "the path so far: " FORM_WORDS, do_trace},
    {"save", "FILE", "the path so far: .json, .svg, .mmd or .html", do_save},
    {"load", "FILE.json", "an execution that was saved, or found by check --json", do_load},
    {"help", "", "this list", do_help},
    {"quit", "", "the end (also: Ctrl-D)", do_quit},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void do_help(struct stroll *m, const char *rest) {
    (void)m;
    (void)rest;
    puts("STEP               takes it: the number or the name of an enabled transition");
    for (int i = 0; i < COMMANDS; i++)
        printf("%-8s%-11s%s\n", commands[i].name, commands[i].argument, commands[i].help);
}

const char *stroll_word(unsigned i) { return i < COMMANDS ? commands[i].name : NULL; }

void stroll_do(struct stroll *m, char *line) {
    line += strspn(line, " \t");
    for (size_t n = strlen(line); n > 0 && strchr(" \t\r\n", line[n - 1]); n--) line[n - 1] = 0;
    size_t length = strcspn(line, " \t");
    const char *rest = line + length + strspn(line + length, " \t");
    uint32_t t;
    if (!*line) {
        stroll_show(m);
        return;
    }
    if (*line == '#') return;
    for (int i = 0; i < COMMANDS; i++) {
        if (strlen(commands[i].name) != length || strncmp(commands[i].name, line, length) != 0) continue;
        commands[i].act(m, rest);
        return;
    }
    if (find(m, line, &t)) take(m, t);
}
