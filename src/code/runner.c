#include "code/runner.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/memory.h"

#if defined __x86_64__

enum {
    FLOATS = 416,     /* bytes of a machine's floating-point and vector registers */
    COMPONENTS = 512, /* where the list of those that a signal frame has begins, and the mark that there is a list */
    MARK = 464,
    CLEARED = 4096, /* bytes below the stack that are 0 when code goes on, so that halts are more alike */
};
static const uint32_t mark = 0x46505853;

static const int kept[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI, REG_R8,
                           REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP, REG_EFL};
enum { KEPT = sizeof kept / sizeof *kept, KEPT_RSP = 4 };

/* The beginning of a halt. Floating-point registers follow, unless they are as at the start, and then the stack. */
struct head {
    uint64_t registers[KEPT];
    uint64_t has_floats;
};

static char *top_of(const struct runner *r) { return r->stack + RUNNER_STACK; }

/* ---- Between halts and machines ---- */

/* As a process has them at its start. */
static void plain_floats(uint8_t *floats) {
    static const uint16_t control = 0x37f;
    static const uint32_t vectors = 0x1f80, all = 0xffff;
    memset(floats, 0, FLOATS);
    memcpy(floats, &control, sizeof control);
    memcpy(floats + 24, &vectors, sizeof vectors);
    memcpy(floats + 28, &all, sizeof all);
}

/* The registers whose values tell something: the mask of those that there are does not. */
static void get_floats(const ucontext_t *machine, uint8_t *floats) {
    static const uint32_t all = 0xffff;
    memcpy(floats, machine->uc_mcontext.fpregs, FLOATS);
    memcpy(floats + 28, &all, sizeof all);
}

static void set_floats(ucontext_t *machine, const uint8_t *floats) {
    uint8_t *to = (uint8_t *)machine->uc_mcontext.fpregs;
    uint32_t mask, there;
    memcpy(&mask, to + 28, sizeof mask);
    memcpy(to, floats, FLOATS);
    memcpy(to + 28, &mask, sizeof mask);
    memcpy(&there, to + MARK, sizeof there);
    if (there == mark) to[COMPONENTS] |= 3; /* these are given, not initial */
}

static void take_halt(struct runner *r, const ucontext_t *machine) {
    struct head head = {.has_floats = 0};
    uint8_t floats[FLOATS], plain[FLOATS], *to = r->halt.bytes;
    for (unsigned i = 0; i < KEPT; i++) head.registers[i] = (uint64_t)machine->uc_mcontext.gregs[kept[i]];
    get_floats(machine, floats);
    plain_floats(plain);
    head.has_floats = memcmp(floats, plain, FLOATS) != 0;
    memcpy(to, &head, sizeof head);
    to += sizeof head;
    if (head.has_floats) memcpy(to, floats, FLOATS), to += FLOATS;
    size_t size = (size_t)(top_of(r) - (char *)(uintptr_t)head.registers[KEPT_RSP]);
    memcpy(to, top_of(r) - size, size);
    r->halt.size = (uint32_t)(to + size - (uint8_t *)r->halt.bytes);
}

static void clear_below(struct runner *r, char *stack) {
    size_t room = (size_t)(stack - r->stack), size = room < CLEARED ? room : CLEARED;
    memset(stack - size, 0, size);
}

static void put_halt(struct runner *r, const struct runner_halt *halt, ucontext_t *machine) {
    struct head head;
    uint8_t plain[FLOATS];
    const uint8_t *from = halt->bytes;
    memcpy(&head, from, sizeof head);
    from += sizeof head;
    for (unsigned i = 0; i < KEPT; i++) machine->uc_mcontext.gregs[kept[i]] = (greg_t)head.registers[i];
    if (!head.has_floats) plain_floats(plain);
    set_floats(machine, head.has_floats ? from : plain);
    if (head.has_floats) from += FLOATS;
    size_t size = halt->size - (size_t)(from - (const uint8_t *)halt->bytes);
    clear_below(r, top_of(r) - size);
    memcpy(top_of(r) - size, from, size);
}

/* ---- Signals ---- */

/* Where the code returns to: a page that is closed. */
static uint64_t home(const struct runner *r) { return (uint64_t)(uintptr_t)r->watch.pages; }

static bool is_on_stack(const struct runner *r, uint64_t address) {
    return address - (uint64_t)(uintptr_t)r->stack <= RUNNER_STACK;
}

static bool on_ask(void *runner, const struct watch_use *uses, unsigned count, const void *machine) {
    struct runner *r = runner;
    const greg_t *registers = ((const ucontext_t *)machine)->uc_mcontext.gregs;
    if (r->ask(r->asker, uses, count, machine)) return true;
    if (is_on_stack(r, (uint64_t)registers[REG_RSP])) take_halt(r, machine);
    else r->halt.size = 0;
    return false;
}

static bool look(void *looker, int signal, const siginfo_t *info, void *machine) {
    struct runner *r = looker;
    greg_t *registers = ((ucontext_t *)machine)->uc_mcontext.gregs;
    if (r->starting) {
        r->starting = false;
        put_halt(r, r->from, machine);
        return true;
    }
    if (signal == SIGSEGV && (uint64_t)registers[REG_RIP] == home(r)) {
        r->came_back = true;
        r->result = (uint64_t)registers[REG_RAX];
        return false;
    }
    if (watch_look(&r->watch, signal, info, machine)) return true;
    r->failed.instruction = (uint64_t)registers[REG_RIP];
    r->failed.first = (uint64_t)registers[REG_RDI];
    r->failed.third = (uint64_t)registers[REG_RDX];
    return false;
}

/* ---- Running ---- */

bool runner_init(struct runner *r, size_t object_size, struct guard *g, watch_ask *ask, void *asker) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    *r = (struct runner){.guard = g, .ask = ask, .asker = asker};
    if (!watch_works(g) || !watch_init(&r->watch, object_size, g)) return false;
    r->watch.ask = on_ask;
    r->watch.asker = r;
    g->look = look;
    g->looker = r;
    char *stack = mmap(NULL, RUNNER_STACK + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) return runner_fini(r), false;
    r->stack = stack + page;
    if (mprotect(r->stack, RUNNER_STACK, PROT_READ | PROT_WRITE) != 0) return runner_fini(r), false;
    r->halt.bytes = memory_get(sizeof(struct head) + FLOATS + RUNNER_STACK);
    return true;
}

void runner_fini(struct runner *r) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (r->guard && r->guard->looker == r) r->guard->look = NULL, r->guard->looker = NULL;
    if (r->stack) munmap(r->stack - page, RUNNER_STACK + 2 * page);
    watch_fini(&r->watch);
    free(r->halt.bytes);
    *r = (struct runner){0};
}

enum runner_end runner_go_on(struct runner *r, const struct runner_halt *halt) {
    r->from = halt;
    r->starting = true;
    r->came_back = false;
    r->halt.size = 0;
    watch_begin(&r->watch);
    if (r->watch.is_open) r->starting = false, r->watch.end = WATCH_ODD;
    else if (GUARD_ENTER(r->guard)) (void)*(volatile char *)r->watch.object; /* the handler takes it from here */
    watch_end(&r->watch);
    return r->came_back ? RUNNER_RETURNED : r->halt.size > 0 ? RUNNER_HALTED : RUNNER_FAILED;
}

enum runner_end runner_start(struct runner *r, uintptr_t function, uint64_t argument) {
    struct {
        struct head head;
        uint64_t stack[3]; /* the address to return to, and what makes the stack as a call leaves it */
    } start = {.stack = {home(r)}};
    enum { RSI = 6, RDI = 7, RIP = 16, FLAGS = 17 };
    start.head.registers[RDI] = (uint64_t)(uintptr_t)r->watch.object;
    start.head.registers[RSI] = argument;
    start.head.registers[RIP] = function;
    start.head.registers[FLAGS] = 0x202;
    start.head.registers[KEPT_RSP] = (uint64_t)(uintptr_t)(top_of(r) - sizeof start.stack);
    return runner_go_on(r, &(struct runner_halt){sizeof start, &start});
}

#else

bool runner_init(struct runner *r, size_t object_size, struct guard *g, watch_ask *ask, void *asker) {
    (void)object_size, (void)g, (void)ask, (void)asker;
    *r = (struct runner){0};
    return false;
}
void runner_fini(struct runner *r) { (void)r; }
enum runner_end runner_start(struct runner *r, uintptr_t function, uint64_t argument) {
    return (void)r, (void)function, (void)argument, RUNNER_FAILED;
}
enum runner_end runner_go_on(struct runner *r, const struct runner_halt *halt) {
    return (void)r, (void)halt, RUNNER_FAILED;
}

#endif
