#include "base/child.h"

#include <errno.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

extern char **environ;

enum { LOOK_EACH = 20 }; /* milliseconds: how soon a wish to end it is seen, if no signal brings it */
#define GRACE 0.4        /* seconds between asking and killing */

void child_init(struct child *c) { *c = (struct child){.interrupted = NULL}; }

void child_fini(struct child *c) { (void)c; }

void child_end(struct child *c) { atomic_store(&c->unwanted, true); }

bool child_is_late(const struct child *c) { return c->deadline > 0 && clock_seconds() > c->deadline; }

bool child_is_unwanted(const struct child *c) {
    return atomic_load(&c->unwanted) || (c->interrupted && *c->interrupted) || child_is_late(c);
}

/* Threads of a search block signals; what they start must hear them. */
static int spawn(pid_t *process, char *const *args, int in, int out, int messages, bool apart) {
    sigset_t none;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, (short)(POSIX_SPAWN_SETSIGMASK | (apart ? POSIX_SPAWN_SETPGROUP : 0)));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
    int error = posix_spawn(process, args[0], &actions, &attributes, args, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

/* It stays a zombie, so that its number, and that of its group, is no other's yet. */
static bool has_ended(pid_t process) {
    siginfo_t ended = {.si_pid = 0};
    return waitid(P_PID, (id_t)process, &ended, WEXITED | WNOWAIT | WNOHANG) == 0 && ended.si_pid == process;
}

static void wait_a_moment(int fd) {
    struct pollfd end = {.fd = fd, .events = POLLIN};
    if (fd >= 0) poll(&end, 1, LOOK_EACH);
    else nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL); /* an old kernel: no number to wait for */
}

static void see_to_its_end(const struct child *c, pid_t process) {
    int fd = (int)syscall(SYS_pidfd_open, process, 0);
    double asked = 0;
    while (!has_ended(process)) {
        if (child_is_unwanted(c)) {
            double now = clock_seconds();
            if (asked == 0) kill(-process, SIGTERM), asked = now;
            else if (now - asked > GRACE) kill(-process, SIGKILL);
        }
        wait_a_moment(fd);
    }
    if (asked != 0) kill(-process, SIGKILL); /* what it had started */
    if (fd >= 0) close(fd);
}

bool child_run(char *const *args, int in, int out, int messages, struct child *c, int *status) {
    pid_t process;
    errno = spawn(&process, args, in, out, messages, c != NULL);
    if (errno != 0) return false;
    if (c) see_to_its_end(c, process);
    while (waitpid(process, status, 0) < 0 && errno == EINTR) {}
    return true;
}
