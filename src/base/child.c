#include "base/child.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void child_init(struct child *c) {
    *c = (struct child){0};
    pthread_mutex_init(&c->lock, NULL);
}

void child_fini(struct child *c) { pthread_mutex_destroy(&c->lock); }

void child_end(struct child *c) {
    pthread_mutex_lock(&c->lock);
    c->unwanted = true;
    if (c->process > 0) kill(c->process, SIGTERM);
    pthread_mutex_unlock(&c->lock);
}

/* Threads of a search block signals; what they start must hear them. */
static int spawn(pid_t *process, char *const *args, int in, int out, int messages) {
    sigset_t none;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
    int error = posix_spawn(process, args[0], &actions, &attributes, args, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

static void note(struct child *c, pid_t process) {
    if (!c) return;
    pthread_mutex_lock(&c->lock);
    c->process = process;
    if (process > 0 && c->unwanted) kill(process, SIGTERM);
    pthread_mutex_unlock(&c->lock);
}

bool child_run(char *const *args, int in, int out, int messages, struct child *c, int *status) {
    pid_t process;
    siginfo_t ended;
    errno = spawn(&process, args, in, out, messages);
    if (errno != 0) return false;
    note(c, process);
    /* It is not to be ended any more when its number may become another's. */
    while (waitid(P_PID, (id_t)process, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
    note(c, 0);
    while (waitpid(process, status, 0) < 0 && errno == EINTR) {}
    return true;
}
