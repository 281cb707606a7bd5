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
    CLEARED = 4096,   /* bytes below the stack that are 0 when code goes on, so that halts are more alike */
    START = 2048,     /* below these is what the processor starts from */
    ROOM_LEFT = 65536 /* bytes that must be left on the stack */
};

static const int kept[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI, REG_R8,
                           REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP, REG_EFL};
enum { KEPT = sizeof kept / sizeof *kept, KEPT_RSP = 4 };

/* The beginning of a halt. Floating-point registers follow, unless they are as at the start, and then the stack. */
struct head {
    uint64_t registers[KEPT];
    uint64_t has_floats;
};

/* What runner_enter and runner_home work with: the code below knows where the members are. */
struct runner_frame {
    uint64_t registers[16]; /* in the order of their numbers */
    uint64_t start;         /* where these are, in this order: rip, cs, flags, rsp, ss */
    uint64_t stack;         /* of whoever has entered */
    uint64_t result;
    uint64_t came_back;
    uint64_t unused[12];
    _Alignas(64) uint8_t floats[512], own_floats[512];
};
_Static_assert(offsetof(struct runner_frame, start) == 128 && offsetof(struct runner_frame, floats) == 256 &&
                   offsetof(struct runner_frame, own_floats) == 768,
               "as the code below has it");

/* Goes on with the machine of the frame, on its stack. Returns when that comes home; where it halts or fails, a signal
 * handler jumps out. */
void runner_enter(struct runner_frame *f);
/* Where the code returns to; its stack has the frame's address then. */
extern const char runner_home[];
__asm__(".text\n\t.p2align 4\n\t.globl runner_enter\n\t.hidden runner_enter\n\t.type runner_enter,@function\n"
        "runner_enter:\n\t"
        "pushq %rbp\n\tpushq %rbx\n\tpushq %r12\n\tpushq %r13\n\tpushq %r14\n\tpushq %r15\n\t"
        "movq %rsp, 136(%rdi)\n\tfxsave64 768(%rdi)\n\tfxrstor64 256(%rdi)\n\t"
        "movq 0(%rdi), %rax\n\tmovq 8(%rdi), %rcx\n\tmovq 16(%rdi), %rdx\n\tmovq 24(%rdi), %rbx\n\t"
        "movq 40(%rdi), %rbp\n\tmovq 48(%rdi), %rsi\n\tmovq 64(%rdi), %r8\n\tmovq 72(%rdi), %r9\n\t"
        "movq 80(%rdi), %r10\n\tmovq 88(%rdi), %r11\n\tmovq 96(%rdi), %r12\n\tmovq 104(%rdi), %r13\n\t"
        "movq 112(%rdi), %r14\n\tmovq 120(%rdi), %r15\n\tmovq 128(%rdi), %rsp\n\tmovq 56(%rdi), %rdi\n\tiretq\n\t"
        ".size runner_enter, .-runner_enter\n\t"
        ".p2align 4\n\t.globl runner_home\n\t.hidden runner_home\n"
        "runner_home:\n\t"
        "movq (%rsp), %rdi\n\tmovq %rax, 144(%rdi)\n\tmovq $1, 152(%rdi)\n\tmovq 136(%rdi), %rsp\n\tcld\n\t"
        "fxrstor64 768(%rdi)\n\t"
        "popq %r15\n\tpopq %r14\n\tpopq %r13\n\tpopq %r12\n\tpopq %rbx\n\tpopq %rbp\n\tret\n\t");

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

/* What is on the stack, and the floating-point registers. Returns how many bytes of stack there are. */
static size_t put_stack(struct runner *r, const struct runner_halt *halt) {
    struct head head;
    const uint8_t *from = (const uint8_t *)halt->bytes + sizeof head;
    memcpy(&head, halt->bytes, sizeof head);
    if (head.has_floats) memcpy(r->frame->floats, from, FLOATS), from += FLOATS;
    else plain_floats(r->frame->floats);
    uint32_t none = 0; /* of the mask: it cannot be set */
    memcpy(r->frame->floats + 28, &none, sizeof none);
    size_t size = halt->size - (size_t)(from - (const uint8_t *)halt->bytes);
    clear_below(r, top_of(r) - size);
    memcpy(top_of(r) - size, from, size);
    return size;
}

static void get_registers(const struct runner_halt *halt, ucontext_t *machine) {
    struct head head;
    memcpy(&head, halt->bytes, sizeof head);
    for (unsigned i = 0; i < KEPT; i++) machine->uc_mcontext.gregs[kept[i]] = (greg_t)head.registers[i];
}

/* Writes down what runner_enter starts from. */
static void put_registers(struct runner *r, const ucontext_t *machine) {
    uint16_t code, stack;
    __asm__("mov %%cs, %0\n\tmov %%ss, %1" : "=r"(code), "=r"(stack));
    const greg_t *from = machine->uc_mcontext.gregs;
    for (unsigned i = 0; i < 16; i++) r->frame->registers[i] = (uint64_t)from[kept[i]];
    uint64_t start[5] = {(uint64_t)from[REG_RIP], code, (uint64_t)from[REG_EFL], (uint64_t)from[REG_RSP], stack};
    char *at = (char *)(uintptr_t)from[REG_RSP] - CLEARED - START;
    memcpy(at, start, sizeof start);
    r->frame->start = (uint64_t)(uintptr_t)at;
    r->frame->came_back = 0;
}

/* ---- Signals ---- */

static bool is_on_stack(const struct runner *r, uint64_t address) {
    return address - (uint64_t)(uintptr_t)r->stack <= RUNNER_STACK;
}

static bool on_ask(void *runner, const struct watch_use *uses, unsigned count, const void *machine) {
    struct runner *r = runner;
    const greg_t *registers = ((const ucontext_t *)machine)->uc_mcontext.gregs;
    if (r->ask(r->asker, uses, count, machine)) return true;
    if (r->here) return false;
    if (is_on_stack(r, (uint64_t)registers[REG_RSP])) take_halt(r, machine);
    else r->halt.size = 0;
    return false;
}

static bool look(void *looker, int signal, const siginfo_t *info, void *machine) {
    struct runner *r = looker;
    greg_t *registers = ((ucontext_t *)machine)->uc_mcontext.gregs;
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
    r->frame = memory_get_lines(sizeof *r->frame);
    return true;
}

void runner_fini(struct runner *r) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (r->guard && r->guard->looker == r) r->guard->look = NULL, r->guard->looker = NULL;
    if (r->stack) munmap(r->stack - page, RUNNER_STACK + 2 * page);
    watch_fini(&r->watch);
    free(r->halt.bytes);
    free(r->frame);
    *r = (struct runner){0};
}

static enum runner_end run(struct runner *r, const struct runner_halt *halt, const ucontext_t *machine) {
    if (put_stack(r, halt) + ROOM_LEFT > RUNNER_STACK || r->watch.is_open)
        return r->watch.end = WATCH_ODD, RUNNER_FAILED;
    put_registers(r, machine);
    if (GUARD_ENTER(r->guard)) {
        runner_enter(r->frame);
        guard_leave(r->guard);
    }
    watch_end(&r->watch);
    r->result = r->frame->result;
    return r->frame->came_back ? RUNNER_RETURNED : r->halt.size > 0 ? RUNNER_HALTED : RUNNER_FAILED;
}

/* The access that it has halted at is done here, if it can be, which takes no signal. */
enum runner_end runner_go_on(struct runner *r, const struct runner_halt *halt) {
    ucontext_t machine;
    r->halt.size = 0;
    watch_begin(&r->watch);
    get_registers(halt, &machine);
    r->here = true;
    enum watch_done done = watch_carry_out(&r->watch, &machine);
    r->here = false;
    if (done != WATCH_NOT_LET) return run(r, halt, &machine);
    watch_end(&r->watch);
    memcpy(r->halt.bytes, halt->bytes, halt->size);
    r->halt.size = halt->size;
    return RUNNER_HALTED;
}

enum runner_end runner_start(struct runner *r, uintptr_t function, uint64_t argument) {
    struct {
        struct head head;
        uint64_t stack[3]; /* the address to return to, that of the frame, and what makes it as a call leaves it */
    } start = {.stack = {(uint64_t)(uintptr_t)runner_home, (uint64_t)(uintptr_t)r->frame, 0}};
    enum { RSI = 6, RDI = 7, RIP = 16, FLAGS = 17 };
    start.head.registers[RDI] = (uint64_t)(uintptr_t)r->watch.object;
    start.head.registers[RSI] = argument;
    start.head.registers[RIP] = function;
    start.head.registers[FLAGS] = 0x202;
    start.head.registers[KEPT_RSP] = (uint64_t)(uintptr_t)(top_of(r) - sizeof start.stack);
    struct runner_halt halt = {sizeof start, &start};
    ucontext_t machine;
    r->halt.size = 0;
    watch_begin(&r->watch);
    get_registers(&halt, &machine);
    return run(r, &halt, &machine);
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
