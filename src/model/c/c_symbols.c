#include "model/c/c_symbols.h"

#include <stdio.h>
#include <string.h>

#include "code/elf.h"

/* Families of functions, the reason, the remedy. Names are separated by spaces. Names that compilers and libraries put
 * in place of others (__fgets_chk, __isoc99_scanf) are cut down to these before they are looked up. */
static const struct family {
    const char *names, *reason, *remedy;
} families[] = {
    {"_exit _Exit quick_exit pthread_exit thrd_exit", "it would end the program without an answer",
     "call model_error, or return"},
    {"longjmp siglongjmp _longjmp setjmp sigsetjmp _setjmp getcontext setcontext swapcontext makecontext",
     "it would jump past the checks of model code", "return instead"},
    {"fork vfork _Fork clone clone3 execl execlp execle execv execvp execvpe execve execveat fexecve posix_spawn "
     "posix_spawnp system popen wait waitpid waitid daemon",
     "a model must not start programs", "make what they do a part of the state"},
    {"pthread_create thrd_create pthread_cancel pthread_kill", "a model must not start or end threads",
     "describe them as transitions"},
    {"signal bsd_signal sysv_signal sigaction sigprocmask pthread_sigmask sigaltstack raise kill killpg tgkill "
     "sigqueue alarm setitimer timer_create ptrace prctl",
     "onager needs signals to notice faults of model code", "call model_error to report something"},
    {"atexit on_exit at_quick_exit __cxa_atexit", "it would run code after the model is closed", "leave it out"},
    {"syscall dlopen dlmopen dlsym dlvsym", "what is called in this way cannot be known",
     "call functions by their names"},
    {"mmap mmap64 mprotect munmap mremap brk sbrk shmat shm_open", "a model must not change the memory's layout",
     "put what is to be remembered into the state"},
    {"rand rand_r srand random random_r srandom initstate setstate drand48 erand48 lrand48 nrand48 mrand48 jrand48 "
     "srand48 arc4random arc4random_buf arc4random_uniform getrandom getentropy",
     "the same state must always have the same successors", "make a transition for each possible value"},
    {"time clock gettimeofday clock_gettime ftime times timespec_get ntp_gettime localtime gmtime ctime strptime "
     "getrusage",
     "the same state must always have the same successors", "make time a variable of the state"},
    {"getpid getppid gettid getuid geteuid getgid getegid getcwd gethostname uname sched_getcpu getcpu getloadavg "
     "sysconf",
     "the same state must always have the same successors", "make it a PARAM"},
    {"setenv putenv unsetenv clearenv setlocale chdir fchdir umask", "a model must not change the program that runs it",
     "put what is to be remembered into the state"},
    {"strtok hsearch hcreate tsearch asctime getopt getopt_long tmpnam", "it keeps something between its calls",
     "use the function of the same name that ends with _r, or put what is to be remembered into the state"},
    {"read pread pread64 readv recv recvfrom recvmsg fread fread_unlocked fgets fgets_unlocked gets fgetc getc getchar "
     "fgetc_unlocked getc_unlocked getchar_unlocked _IO_getc fgetwc getwc getwchar fgetws scanf fscanf vscanf vfscanf "
     "wscanf fwscanf getline getdelim getpass getw select poll epoll_wait",
     "a model must not read input", "make tables constants of the file, and values PARAMs"},
    {"fclose open open64 openat openat64 creat creat64 fopen fopen64 freopen freopen64 fdopen tmpfile tmpfile64 "
     "mkstemp mkstemps mkdtemp opendir fdopendir readdir scandir stat stat64 lstat fstat access remove unlink unlinkat "
     "rename mkdir rmdir link symlink truncate ftruncate pipe pipe2 dup dup2 dup3 close socket connect accept bind "
     "socketpair memfd_create eventfd ioctl fcntl",
     "a model must not use files", "put what is to be remembered into the state, and tables into constants"},
};

/* What is named in the same way in C++: how the compiler's names for it begin, and what a modeller calls it. */
static const struct {
    const char *start, *name;
    struct family family;
} cxx_families[] = {
    {"_ZNSt6chrono",
     "a clock of std::chrono",
     {NULL, "the same state must always have the same successors", "make time a variable of the state"}},
    {"_ZNSt13random_device",
     "std::random_device",
     {NULL, "the same state must always have the same successors", "make a transition for each possible value"}},
    {"_ZSt3cin",
     "std::cin",
     {NULL, "a model must not read input", "make tables constants of the file, and values macros"}},
    {"_ZNSt13basic_filebuf",
     "a file stream",
     {NULL, "a model must not use files", "put what is to be remembered into the state, and tables into constants"}},
    {"_ZNSt14basic_ifstream",
     "std::ifstream",
     {NULL, "a model must not use files", "put what is to be remembered into the state, and tables into constants"}},
    {"_ZNSt14basic_ofstream",
     "std::ofstream",
     {NULL, "a model must not use files", "put what is to be remembered into the state, and tables into constants"}},
    {"_ZNSt13basic_fstream",
     "std::fstream",
     {NULL, "a model must not use files", "put what is to be remembered into the state, and tables into constants"}},
    {"_ZNSt6thread", "std::thread", {NULL, "a model must not start or end threads", "describe them as transitions"}},
    {"_ZNSt11this_thread",
     "std::this_thread",
     {NULL, "a model must not start or end threads", "describe them as transitions"}},
    {"_ZNSt13__future_base",
     "std::future",
     {NULL, "a model must not start or end threads", "describe them as transitions"}},
};

/* Whether `name` is in the list of names. */
static bool is_listed(const char *list, const char *name, size_t length) {
    for (const char *at = list; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        if (n == length && memcmp(at, name, n) == 0) return true;
        at += n;
    }
    return false;
}

static bool cut_start(const char **name, size_t *length, const char *start) {
    size_t n = strlen(start);
    if (*length <= n || memcmp(*name, start, n) != 0) return false;
    *name += n;
    *length -= n;
    return true;
}

static const struct family *family_of(const char *symbol) {
    static const char *const starts[] = {"__isoc99_", "__isoc23_", "__libc_", "__"};
    static const char check[] = "_chk";
    size_t whole = strlen(symbol);
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (is_listed(families[i].names, symbol, whole)) return &families[i];
    const char *name = symbol;
    size_t length = whole, n = sizeof check - 1;
    bool cut = false;
    for (size_t i = 0; i < sizeof starts / sizeof *starts && !cut; i++) cut = cut_start(&name, &length, starts[i]);
    if (!cut) return NULL;
    if (length > n && memcmp(name + length - n, check, n) == 0) length -= n;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (is_listed(families[i].names, name, length)) return &families[i];
    return NULL;
}

struct search {
    const struct family *family;
    char name[128]; /* of what was found; "" nothing */
};

static bool find_function(void *context, const struct elf_symbol *s) {
    struct search *found = context;
    if (s->defined) return true;
    for (size_t i = 0; i < sizeof cxx_families / sizeof *cxx_families; i++) {
        if (strncmp(s->name, cxx_families[i].start, strlen(cxx_families[i].start)) != 0) continue;
        found->family = &cxx_families[i].family;
        snprintf(found->name, sizeof found->name, "%s", cxx_families[i].name);
        return false;
    }
    found->family = family_of(s->name);
    if (found->family) snprintf(found->name, sizeof found->name, "%s", s->name);
    return !found->family;
}

/* Our own begin with onager_. */
static bool find_thread_variable(void *context, const struct elf_symbol *s) {
    struct search *found = context;
    if (!s->thread || !s->defined || strncmp(s->name, "onager_", 7) == 0) return true;
    elf_plain_name(s->name, found->name, sizeof found->name);
    return false;
}

static bool not_known(const char *path, struct problem *why) {
    return problem_set(
        why, EXIT_BAD_INPUT,
        "%s: onager cannot see what the model's code uses, because the compiled model has no symbols; remove from "
        "ONAGER_CFLAGS what strips them (-s)",
        path);
}

bool c_symbols_allowed(const struct bytes *library, const char *path, struct problem *why) {
    struct search function = {.family = NULL}, variable = {.family = NULL};
    if (!elf_is(library)) return true; /* the loader will tell what it is */
    if (!elf_symbols(library, ELF_DYNAMIC, find_function, &function)) return not_known(path, why);
    if (function.family)
        return problem_set(why, EXIT_BAD_INPUT, "%s: the model's code uses %s, and %s: %s", path, function.name,
                           function.family->reason, function.family->remedy);
    if (!elf_symbols(library, ELF_ALL, find_thread_variable, &variable)) return not_known(path, why);
    if (*variable.name)
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s: %s is a variable of the thread, and would be kept from one state to the next: put it "
                           "into the state, or make it a constant or a variable of a function",
                           path, variable.name);
    return true;
}
