/* tool.c: see tool.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "tool.h"

#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MAX_WORDS = 48, WORD = 160 };

struct command {
    char words[MAX_WORDS][WORD];
    unsigned count;
};

__attribute__((format(printf, 2, 3))) static void add(struct command *c, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (c->count < MAX_WORDS) vsnprintf(c->words[c->count++], WORD, format, args);
    va_end(args);
}

static void add_infinitely(struct command *c, const struct options *o) {
    char list[WORD] = "";
    size_t n = 0;
    add(c, "--infinitely");
    /* by name or by number */
    add(c, o->often & 1 ? "T%u" : "%u", o->often);
    for (unsigned t = 0; t < RM_MAX_TRANSITIONS; t++)
        if (o->rarely >> t & 1)
            n += (size_t)snprintf(list + n, sizeof list - n, t & 2 ? "%sT%u" : "%s%u", n ? "," : "", t);
    if (!n) return;
    add(c, "--finitely");
    add(c, "%s", list);
}

static void add_means(struct command *c, const struct options *o) {
    if (o->threads) {
        add(c, "--threads");
        add(c, "%u", o->threads);
    }
    if (o->overflow) {
        add(c, "--overflow");
        add(c, "bitstate");
        add(c, "--max-memory");
        add(c, "%uK", o->overflow);
    } else if (o->store != EXACT) {
        add(c, "--store");
        add(c, "%s", store_names[o->store]);
    }
    if (o->store == BITSTATE && !o->overflow) { /* it takes all that it may have */
        add(c, "--max-memory");
        add(c, "64M");
    }
}

static void build_command(struct command *c, const struct tool *tool, const char *subcommand, const struct run *run) {
    const struct options *o = &run->options;
    const struct {
        bool on;
        const char *word;
    } switches[] = {
        {o->mode.stubborn, "--stubborn"},
        {o->mode.symmetry, "--symmetry"},
        {o->swaps, "--swaps"},
        {o->fast, "--fast"},
        {o->no_state, "--no-check-state"},
        {o->no_deadlock, "--no-check-deadlock"},
        {o->no_may, "--no-may-progress"},
        {o->no_must, "--no-must-progress"},
        {o->no_termination, "--no-termination"},
        {o->termination, "--termination"},
        {o->terminal_not_may, "--terminal-not-may"},
        {o->terminal_not_must, "--terminal-not-must"},
    };
    add(c, "%s", tool->onager);
    add(c, "%s", subcommand);
    add(c, "%s", o->mode.must ? tool->must_model : tool->model);
    if (run->trace) add(c, "%s", run->trace);
    add(c, "-p");
    add(c, "shape=%u", run->form.shape);
    add(c, "-p");
    add(c, "slots=%u", run->form.slots);
    add(c, "-p");
    add(c, "declared=%u", o->declared);
    for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++)
        if (switches[i].on) add(c, "%s", switches[i].word);
    if (o->mode.forward) {
        add(c, "--scan");
        add(c, "forward");
    }
    if (o->deep) {
        add(c, "--order");
        add(c, "dfs");
    }
    if (o->infinitely) add_infinitely(c, o);
    if (o->max_states) {
        add(c, "--max-states");
        add(c, "%u", o->max_states);
    }
    add_means(c, o);
    add(c, "--json");
    add(c, "-");
}

static char *read_back(int fd) {
    struct stat about;
    size_t size = fstat(fd, &about) == 0 ? (size_t)about.st_size : 0;
    char *text = malloc(size + 1);
    if (!text) abort();
    ssize_t n = pread(fd, text, size, 0);
    text[n > 0 ? n : 0] = 0;
    return text;
}

static int spawn_and_wait(char **args, int out, int err) {
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0, 0);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    int failed = posix_spawn(&child, args[0], &actions, NULL, args, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed) return -1;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void tool_run(const struct tool *tool, const char *subcommand, const struct run *run, struct answer *answer) {
    struct command c = {.count = 0};
    char *args[MAX_WORDS + 1], text[32];
    size_t n;
    build_command(&c, tool, subcommand, run);
    snprintf(text, sizeof text, "%llu", (unsigned long long)run->seed);
    setenv("ONAGER_TEST_SEED", text, 1);
    n = (size_t)snprintf(answer->command, sizeof answer->command, "ONAGER_TEST_SEED=%s ", text);
    snprintf(text, sizeof text, "%d", (int)run->mutation);
    setenv("ONAGER_TEST_MUTATION", text, 1);
    if (run->mutation)
        n += (size_t)snprintf(answer->command + n, sizeof answer->command - n, "ONAGER_TEST_MUTATION=%s ", text);
    for (unsigned i = 0; i < c.count; i++) {
        args[i] = c.words[i];
        if (n < sizeof answer->command)
            n += (size_t)snprintf(answer->command + n, sizeof answer->command - n, "%s ", args[i]);
    }
    args[c.count] = NULL;
    int out = memfd_create("output", MFD_CLOEXEC), err = memfd_create("messages", MFD_CLOEXEC);
    answer->status = spawn_and_wait(args, out, err);
    answer->output = read_back(out);
    answer->messages = read_back(err);
    answer->json = json_loads(answer->output, 0, NULL);
    close(out);
    close(err);
}

void answer_fini(struct answer *answer) {
    free(answer->output);
    free(answer->messages);
    json_decref(answer->json);
}
