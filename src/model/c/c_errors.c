#include "model/c/c_errors.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/text.h"

enum { LINES_SHOWN = 40 }; /* of what a compiler says from its first error on */

/* Does the first error, with the notes that belong to it, say that var or array got as many arguments as it does not
 * take? */
static bool miscounts(const char *error) {
    const char *next = strstr(error + 1, "error:");
    size_t length = next ? (size_t)(next - error) : strlen(error);
    return memmem(error, length, "argument", 8) &&
           (memmem(error, length, "ONAGER_VAR_MEMBER", 17) || memmem(error, length, "ONAGER_ARRAY_MEMBER", 19));
}

/* What our own _Static_asserts say, which needs no compiler's trimmings. NULL: something else is wrong. */
static char *own_complaint(const char *output) {
    static const char mark[] = "onager: ";
    for (const char *line = output; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t length = strcspn(line, "\n");
        const char *error = memmem(line, length, "error:", 6);
        if (!error) continue;
        if (miscounts(error))
            return text_format("the state is declared with a wrong number of arguments: var(width, name) takes 2, "
                               "array(width, name, length) takes 3; and var comes first in #define STATE(var, array)");
        const char *at = memmem(error, length - (size_t)(error - line), mark, sizeof mark - 1);
        if (!at) return NULL; /* the first error is another one; ours may follow from it */
        at += sizeof mark - 1;
        return text_format("%.*s", (int)strcspn(at, "\"\n"), at);
    }
    return NULL;
}

/* What is said of the model; if that is wrong, what is said of the engine, whose turn comes after it, only follows from
 * it, and so does most of what comes late. Without the newlines at the end. */
static size_t worth_reading(const char *output, bool *cut) {
    static const char engine[] = "In file included from onager:"; /* as whole_text calls it */
    const char *line = output;
    int lines = 0;
    for (bool wrong = false; *line && !(wrong && strncmp(line, engine, sizeof engine - 1) == 0);) {
        *cut = wrong && lines++ == LINES_SHOWN;
        if (*cut) break;
        size_t length = strcspn(line, "\n");
        if (memmem(line, length, "error:", 6)) wrong = true;
        line += length + (line[length] == '\n');
    }
    size_t n = (size_t)(line - output);
    while (n > 0 && output[n - 1] == '\n') n--;
    return n;
}

bool c_errors_explain(const char *path, const char *output, struct problem *why) {
    char *own = own_complaint(output);
    bool cut = false;
    if (own) problem_set(why, EXIT_BAD_INPUT, "%s: %s", path, own);
    else if (strstr(output, "struct state") && strstr(output, "incomplete"))
        problem_set(why, EXIT_BAD_INPUT, "%s: the model does not declare its state: write DEFINE_STATE(...)", path);
    else if (strstr(output, "relocation truncated to fit"))
        problem_set(why, EXIT_BAD_INPUT,
                    "%s: its static variables take more than 2 GiB; is the length of an array too large, or negative?",
                    path);
    else {
        int length = (int)worth_reading(output, &cut);
        problem_set(why, EXIT_BAD_INPUT, "%s does not compile:\n%.*s%s", path, length, output,
                    cut ? "\n(what follows is left out)" : "");
    }
    free(own);
    return false;
}

/* How the compiler ended, if it said nothing. */
static bool explain_silence(const char *path, const char *compiler, int status, struct problem *why) {
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP) /* from who wants to end us, too */
        return problem_set(why, EXIT_INCONCLUSIVE, "interrupted: compiling %s was not completed", path);
    if (signal) return problem_set(why, EXIT_BAD_INPUT, "the compiler %s was ended by signal %d", compiler, signal);
    return problem_set(why, EXIT_BAD_INPUT, "the compiler %s failed with status %d and said nothing", compiler,
                       WEXITSTATUS(status));
}

bool c_errors_ended(const char *path, const struct child *child, struct problem *why) {
    bool late = child_is_late(child);
    return problem_set(why, EXIT_INCONCLUSIVE, "%scompiling %s was not completed%s", late ? "" : "interrupted: ", path,
                       late ? " within --time\nGive it more with --time" : "");
}

bool c_errors_none(const char *path, const struct command *c, const struct child *child, const char *messages,
                   int status, struct problem *why) {
    if (child && child_is_unwanted(child)) return c_errors_ended(path, child, why);
    if (status == 0) return true;
    return *messages ? c_errors_explain(path, messages, why) : explain_silence(path, c->args[0], status, why);
}

bool c_errors_nothing_made(const struct command *c, struct problem *why) {
    return problem_set(why, EXIT_BAD_INPUT, "the compiler %s made nothing", c->args[0]);
}

bool c_errors_cannot_run(const struct command *c, struct problem *why) {
    return problem_set(why, EXIT_BAD_INPUT, "the compiler %s cannot be run: %s", c->args[0], strerror(errno));
}
