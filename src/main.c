/* onager: an explicit-state model checker.
 *
 * The way of a check:  options -> front (compile, load) -> ts -> search (with store, prop) -> report.
 * doc/ARCHITECTURE.md says in which order to read.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interim.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/threads_note.h"
#include "report/report.h"

#define SAME_SIGNAL 0.2 /* seconds */

static volatile sig_atomic_t interrupted;

/* Leaves no file behind that is not complete. */
static void on_end(int signal) {
    interim_remove_all();
    sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    raise(signal);
}

/* The first signal asks for a report, a later one ends the program. One that comes at once is the first again:
 * timeout(1) sends one to the process and one to its group. */
static void on_interrupt(int signal) {
    static double first;
    double now = clock_seconds();
    if (!interrupted) first = now;
    interrupted = 1;
    if (now - first < SAME_SIGNAL) return;
    on_end(signal);
}

static int run(const struct options *o, struct problem *why) {
    switch (o->command) {
    case COMMAND_CHECK: return command_check(o, why);
    case COMMAND_RUN: return command_run(o, why);
    case COMMAND_AUDIT: return command_audit(o, why);
    case COMMAND_REPLAY: return command_replay(o, why);
    case COMMAND_VERIFY: return command_verify(o, why);
    case COMMAND_SIMULATE: return command_simulate(o, why);
    case COMMAND_STUBBORN: return command_stubborn(o, why);
    case COMMAND_FACTS: return command_facts(o, why);
    case COMMAND_LTS: return command_lts(o, why);
    case COMMAND_INFO: return command_info(o, why);
    case COMMAND_COMPARE: return command_compare(o, why);
    case COMMAND_MINIMIZE: return command_minimize(o, why);
    case COMMAND_DRAW: return command_draw(o, why);
    case COMMAND_LTL: return command_ltl(o, why);
    case COMMAND_TESTER: return command_tester(o, why);
    case COMMAND_VERSION: return puts("onager " ONAGER_VERSION) < 0;
    case COMMAND_COMPLETION: return options_completion(o->model, stdout) ? EXIT_HOLDS : EXIT_BAD_INPUT;
    case COMMAND_MAN: return options_man(stdout), EXIT_HOLDS;
    case COMMAND_HELP:
    case COMMAND_NONE: break;
    }
    options_help(o->about, stdout);
    return EXIT_HOLDS;
}

static void show_problem(const struct options *o, const struct problem *why) {
    if (o->json && strcmp(o->json, "-") == 0) {
        struct problem ignored = {0};
        json_t *document = report_json_problem(why->status, why->text);
        report_write_json(document, "-", &ignored);
        json_decref(document);
        problem_fini(&ignored);
    }
    fprintf(stderr, "onager: %s\n", why->text);
}

static bool is_ignored(int signal) {
    struct sigaction before;
    return sigaction(signal, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
}

/* The first three ask for an end, the others are one. A hang-up that is ignored, as under nohup(1), stays so. */
static void catch_signals(void) {
    static const int asking[] = {SIGINT, SIGTERM, SIGHUP}, ending[] = {SIGPIPE, SIGQUIT, SIGXCPU};
    enum { SIGNALS = 3 };
    struct sigaction interrupt = {.sa_handler = on_interrupt}, end = {.sa_handler = on_end};
    for (int i = 0; i < SIGNALS; i++) sigaddset(&interrupt.sa_mask, asking[i]); /* one at a time */
    for (int i = 0; i < SIGNALS; i++) {
        if (asking[i] != SIGHUP || !is_ignored(SIGHUP)) sigaction(asking[i], &interrupt, NULL);
        if (!is_ignored(ending[i])) sigaction(ending[i], &end, NULL);
    }
    signal(SIGXFSZ, SIG_IGN); /* a limit on file sizes makes writing fail, which is dealt with */
}

/* Was all of standard output written? If not, says why. The reason may be lost, if writing failed before the end; then
 * it is found by writing once more. */
static bool finish_output(void) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return true;
    if (errno == 0 && write(STDOUT_FILENO, "\n", 1) == 1) errno = EIO;
    fprintf(stderr, "onager: standard output cannot be written: %s\n", strerror(errno));
    return false;
}

int main(int argc, char **argv) {
    struct options o;
    struct problem why = {0};
    int status = EXIT_BAD_INPUT;
    catch_signals();
    bool understood = options_parse(&o, argc, argv, &why);
    o.interrupted = &interrupted;
    if (understood) threads_note(&o);
    if (understood && outputs_agree(&o, &why) && outputs_can_begin(&o, &why)) status = run(&o, &why);
    if (why.status) show_problem(&o, &why);
    if (status != EXIT_INTERNAL && !finish_output()) status = EXIT_BAD_INPUT;
    problem_fini(&why);
    options_fini(&o);
    return status;
}
