#include "code/page_watch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/memory.h"
#include "code/x86_access.h"

enum { MOST_FAULTS = 1 << 16 }; /* of one run: a fraction of a second */

#if defined __x86_64__

/* ---- What a plain instruction does ---- */

enum { CARRY = 0x1, PARITY = 0x4, ADJUST = 0x10, ZERO = 0x40, SIGN = 0x80, TRAP = 0x100, OVERFLOW = 0x800 };
enum { FAULT_STORES = 2 }; /* a bit of the error code of a page fault */

static const int register_numbers[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                       REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
enum { REGISTERS = sizeof register_numbers / sizeof register_numbers[0], RSI = 6, RDI = 7 };

static uint64_t low(uint64_t x, unsigned bytes) { return bytes < 8 ? x & ((UINT64_C(1) << 8 * bytes) - 1) : x; }

static uint64_t with_sign(uint64_t x, unsigned bytes) {
    unsigned shift = 64 - 8 * bytes;
    return (uint64_t)((int64_t)(x << shift) >> shift);
}

static uint64_t other_operand(const struct x86_access *a, const greg_t *r) {
    if (a->is_constant) return low((uint64_t)a->constant, a->size);
    return low((uint64_t)r[register_numbers[a->reg]] >> (a->high ? 8 : 0), a->size);
}

static void load(const struct x86_access *a, greg_t *r, uint64_t value) {
    uint64_t old = (uint64_t)r[register_numbers[a->reg]], shift = a->high ? 8 : 0;
    uint64_t mask = a->wide >= 4 ? ~UINT64_C(0) : low(~UINT64_C(0), a->wide) << shift;
    if (a->sign) value = with_sign(value, a->size);
    value = low(value, a->wide) << shift;
    r[register_numbers[a->reg]] = (greg_t)((old & ~mask) | value);
}

static void set_flags(greg_t *r, uint64_t result, unsigned bytes, unsigned more) {
    uint64_t flags = (uint64_t)r[REG_EFL] & ~(uint64_t)(CARRY | PARITY | ADJUST | ZERO | SIGN | OVERFLOW);
    flags |= more;
    if (result == 0) flags |= ZERO;
    if (result >> (8 * bytes - 1) & 1) flags |= SIGN;
    if (__builtin_popcount((unsigned)(result & 0xff)) % 2 == 0) flags |= PARITY;
    r[REG_EFL] = (greg_t)flags;
}

static void compare(greg_t *r, uint64_t left, uint64_t right, unsigned bytes) {
    uint64_t result = low(left - right, bytes), top = (left ^ right) & (left ^ result);
    unsigned carry = left < right ? CARRY : 0, adjust = (left ^ right ^ result) & ADJUST ? ADJUST : 0;
    set_flags(r, result, bytes, carry | adjust | (top >> (8 * bytes - 1) & 1 ? OVERFLOW : 0));
}

/* The result of the operation; the flags become its. */
static uint64_t compute(const struct x86_access *a, greg_t *r, uint64_t left, uint64_t right) {
    uint64_t carry = (uint64_t)r[REG_EFL] & CARRY, result = 0;
    switch (a->operation) {
    case X86_AND: set_flags(r, result = left & right, a->size, 0); break;
    case X86_OR: set_flags(r, result = left | right, a->size, 0); break;
    case X86_XOR: set_flags(r, result = left ^ right, a->size, 0); break;
    case X86_SUBTRACT:
        compare(r, left, right, a->size);
        result = low(left - right, a->size);
        break;
    case X86_ADD:
        result = low(left + right, a->size);
        uint64_t top = ~(left ^ right) & (left ^ result);
        set_flags(r, result, a->size,
                  (result < left ? CARRY : 0u) | ((left ^ right ^ result) & ADJUST ? ADJUST : 0u) |
                      (top >> (8 * a->size - 1) & 1 ? OVERFLOW : 0u));
        break;
    }
    if (a->keeps_carry) r[REG_EFL] = (greg_t)(((uint64_t)r[REG_EFL] & ~(uint64_t)CARRY) | carry);
    return result;
}

/* Does what the instruction would do, at `memory`. */
static void carry_out(const struct x86_access *a, greg_t *r, char *memory) {
    uint64_t there = 0, other = a->kind == X86_LOAD ? 0 : other_operand(a, r);
    memcpy(&there, memory, a->size);
    switch (a->kind) {
    case X86_LOAD: load(a, r, there); break;
    case X86_STORE: memcpy(memory, &other, a->size); break;
    case X86_COMPARE: compare(r, a->memory_right ? other : there, a->memory_right ? there : other, a->size); break;
    case X86_COMPUTE:
        there = compute(a, r, a->memory_right ? other : there, a->memory_right ? there : other);
        if (a->memory_right) load(a, r, there);
        else memcpy(memory, &there, a->size);
        break;
    default: set_flags(r, there & other, a->size, 0); break;
    }
    r[REG_RIP] += a->length;
}

/* ---- Faults ---- */

static bool is_inside(const struct watch *w, uint64_t address) {
    return address - (uint64_t)(uintptr_t)w->object < w->room;
}

/* If it cannot be closed, nothing more is seen, and so all of it counts as used. */
static void set_open(struct watch *w, bool open) {
    if (w->is_open == open) return;
    if (mprotect(w->object, w->room, open ? PROT_READ | PROT_WRITE : PROT_NONE) == 0) w->is_open = open;
    else if (!open) memset(w->seen, WATCH_READ | WATCH_STORED, w->size);
}

/* Adds what an operand at this address is, if it is in the object. False: it goes beyond. */
static bool add_use(struct watch *w, struct watch_use *uses, unsigned *count, uint64_t address, size_t size,
                    unsigned how) {
    size_t at = address - (uint64_t)(uintptr_t)w->object;
    if (at + size > w->size) return w->end = WATCH_BESIDE, false;
    uses[(*count)++] = (struct watch_use){at, size, how};
    return true;
}

static bool find_uses(struct watch *w, const struct x86_access *a, uint64_t address, const uint64_t *registers,
                      struct watch_use *uses, unsigned *count) {
    if (a->kind != X86_STRING)
        return add_use(w, uses, count, address, a->size,
                       (a->reads ? WATCH_READ : 0u) | (a->writes ? WATCH_STORED : 0u));
    uint64_t source = registers[RSI], target = registers[RDI];
    unsigned there = a->writes ? WATCH_STORED : WATCH_READ;
    if (a->at_source && is_inside(w, source) && !add_use(w, uses, count, source, a->size, WATCH_READ)) return false;
    return !a->at_target || !is_inside(w, target) || add_use(w, uses, count, target, a->size, there);
}

/* Notes the uses. False: the asker says no. */
static bool note(struct watch *w, const struct watch_use *uses, unsigned count, const void *machine) {
    if (w->ask && !w->ask(w->asker, uses, count, machine)) return w->end = WATCH_REFUSED, false;
    for (unsigned u = 0; u < count; u++)
        for (size_t i = 0; i < uses[u].size; i++) w->seen[uses[u].at + i] |= (uint8_t)uses[u].how;
    return true;
}

/* Nothing is left that could be missed: no need to look any more. */
static bool note_all(struct watch *w) {
    if (w->ask) return w->end = WATCH_ODD, false;
    memset(w->seen, WATCH_READ | WATCH_STORED, w->size);
    set_open(w, true);
    return true;
}

/* Does what was found out about the instruction agree with what the processor says? */
static bool agrees(const struct watch *w, const struct x86_access *a, uint64_t address, bool stores,
                   const uint64_t *registers) {
    if (a->kind == X86_UNKNOWN || !(stores ? a->writes : a->reads)) return false;
    if (a->kind != X86_STRING) return a->address == address;
    return (a->at_source && is_inside(w, registers[RSI])) || (a->at_target && is_inside(w, registers[RDI]));
}

static bool on_access(struct watch *w, uint64_t address, void *machine) {
    greg_t *r = ((ucontext_t *)machine)->uc_mcontext.gregs;
    uint64_t registers[REGISTERS];
    struct watch_use uses[2];
    unsigned count = 0;
    for (unsigned i = 0; i < REGISTERS; i++) registers[i] = (uint64_t)r[register_numbers[i]];
    struct x86_access a = x86_access_of((const uint8_t *)(uintptr_t)r[REG_RIP], registers);
    if (!agrees(w, &a, address, r[REG_ERR] & FAULT_STORES, registers)) return note_all(w);
    if (!find_uses(w, &a, address, registers, uses, &count) || !note(w, uses, count, machine)) return false;
    if (a.kind > X86_STRING) {
        carry_out(&a, r, (char *)w->mirror + (address - (uint64_t)(uintptr_t)w->object));
    } else {
        set_open(w, true);
        w->stepping = true;
        r[REG_EFL] |= TRAP;
    }
    return true;
}

enum watch_done watch_carry_out(struct watch *w, void *machine) {
    greg_t *r = ((ucontext_t *)machine)->uc_mcontext.gregs;
    uint64_t registers[REGISTERS];
    struct watch_use uses[2];
    unsigned count = 0;
    for (unsigned i = 0; i < REGISTERS; i++) registers[i] = (uint64_t)r[register_numbers[i]];
    struct x86_access a = x86_access_of((const uint8_t *)(uintptr_t)r[REG_RIP], registers);
    if (a.kind <= X86_STRING || !is_inside(w, a.address) ||
        a.address - (uint64_t)(uintptr_t)w->object + a.size > w->size)
        return WATCH_NOT_DONE;
    find_uses(w, &a, a.address, registers, uses, &count);
    if (!note(w, uses, count, machine)) return WATCH_NOT_LET;
    carry_out(&a, r, (char *)w->mirror + (a.address - (uint64_t)(uintptr_t)w->object));
    return WATCH_DONE;
}

static bool on_step(struct watch *w, greg_t *r) {
    w->stepping = false;
    r[REG_EFL] &= ~(greg_t)TRAP;
    set_open(w, false);
    if (w->is_open && w->ask) return w->end = WATCH_ODD, false;
    return true;
}

bool watch_look(void *looker, int signal, const siginfo_t *info, void *machine) {
    struct watch *w = looker;
    greg_t *r = ((ucontext_t *)machine)->uc_mcontext.gregs;
    if (!w->on) return false;
    if (signal == SIGTRAP) return w->stepping && info->si_code == TRAP_TRACE && on_step(w, r);
    if (signal != SIGSEGV) return false;
    uint64_t address = (uint64_t)(uintptr_t)info->si_addr;
    w->address = info->si_addr;
    if (!is_inside(w, address) || w->is_open) return w->end = WATCH_ELSEWHERE, false;
    if (w->faults++ == MOST_FAULTS) return w->end = WATCH_TOO_LONG, false;
    return on_access(w, address, machine);
}

/* ---- Pages ---- */

bool watch_init(struct watch *w, size_t size, struct guard *g) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size + page - 1) / page * page;
    *w = (struct watch){.guard = g, .size = size, .room = room, .seen = memory_get_zeroed(size)};
    int file = memfd_create("watched", MFD_CLOEXEC);
    if (file >= 0 && ftruncate(file, (off_t)room) == 0) {
        void *pages = mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        void *mirror = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        w->pages = pages == MAP_FAILED ? NULL : pages;
        w->mirror = mirror == MAP_FAILED ? NULL : mirror;
        if (w->pages && w->mirror) w->object = mmap(w->pages + page, room, PROT_NONE, MAP_SHARED | MAP_FIXED, file, 0);
        if (w->object == MAP_FAILED) w->object = NULL;
    }
    if (file >= 0) close(file);
    if (!w->object) return watch_fini(w), false;
    g->look = watch_look;
    g->looker = w;
    return true;
}

void watch_fini(struct watch *w) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (w->guard && w->guard->looker == w) w->guard->look = NULL, w->guard->looker = NULL;
    if (w->pages) munmap(w->pages, w->room + 2 * page);
    if (w->mirror) munmap(w->mirror, w->room);
    free(w->seen);
    *w = (struct watch){0};
}

void watch_begin(struct watch *w) {
    assert(w->guard->look && w->guard->looker); /* somebody looks, or nothing would be seen */
    memset(w->seen, 0, w->size);
    w->faults = 0;
    w->end = WATCH_NO_END;
    w->address = NULL;
    w->stepping = false;
    set_open(w, false);
    w->on = true;
}

void watch_end(struct watch *w) { w->on = false; }

/* ---- Does it work? ---- */

enum { TRIED = 96 }; /* bytes */

/* What the instructions below do, byte by byte. The last one is plain, and sees whether the pages were closed again. */
static void expect(uint8_t *seen) {
    static const struct {
        uint8_t at, size, how;
    } uses[] = {
        {3, 1, WATCH_READ},
        {8, 2, WATCH_READ},
        {12, 4, WATCH_READ},
        {16, 8, WATCH_READ},
        {25, 1, WATCH_READ},
        {26, 1, WATCH_STORED},
        {28, 4, WATCH_READ | WATCH_STORED},
        {36, 1, WATCH_READ},
        {37, 1, WATCH_STORED},
        {40, 16, WATCH_READ},
        {60, 8, WATCH_READ | WATCH_STORED},
        {70, 5, WATCH_READ},
        {80, 5, WATCH_STORED},
        {88, 1, WATCH_READ},
    };
    memset(seen, 0, TRIED);
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) memset(seen + uses[i].at, uses[i].how, uses[i].size);
}

/* Returns what was loaded. */
__attribute__((noinline)) static uint64_t use(char *p) {
    uint64_t sum = 0;
    __asm__ volatile("movzbl 3(%1), %%eax\n\t add %%rax, %0\n\t"
                     "movw 8(%1), %%ax\n\t add %%rax, %0\n\t"
                     "movl 12(%1), %%eax\n\t add %%rax, %0\n\t"
                     "movq 16(%1), %%rax\n\t add %%rax, %0\n\t"
                     "cmpb $25, 25(%1)\n\t sete %%al\n\t movzbl %%al, %%eax\n\t add %%rax, %0\n\t"
                     "movb $7, 26(%1)\n\t"
                     "addl $1, 28(%1)\n\t"
                     "movsbq 36(%1), %%rax\n\t add %%rax, %0\n\t movb %%al, 37(%1)\n\t"
                     "movdqu 40(%1), %%xmm0\n\t movq %%xmm0, %%rax\n\t add %%rax, %0\n\t"
                     "notq 60(%1)\n\t"
                     "lea 70(%1), %%rsi\n\t lea 80(%1), %%rdi\n\t mov $5, %%ecx\n\t rep movsb\n\t"
                     "movzbl 88(%1), %%eax\n\t add %%rax, %0\n\t"
                     : "+&r"(sum)
                     : "r"(p)
                     : "rax", "rcx", "rsi", "rdi", "xmm0", "cc", "memory");
    return sum;
}

static bool sees_all(struct watch *w) {
    char plain[TRIED], *mirror = w->mirror;
    uint8_t right[TRIED];
    for (int i = 0; i < TRIED; i++) plain[i] = mirror[i] = (char)i;
    uint64_t expected = use(plain);
    volatile uint64_t sum = 0;
    volatile bool came_back = false;
    watch_begin(w);
    if (GUARD_ENTER(w->guard)) {
        sum = use(w->object);
        came_back = true;
        guard_leave(w->guard);
    }
    watch_end(w);
    expect(right);
    return came_back && sum == expected && memcmp(plain, mirror, TRIED) == 0 && memcmp(right, w->seen, TRIED) == 0;
}

bool watch_works(struct guard *g) {
    struct watch w;
    if (!watch_init(&w, TRIED, g)) return false;
    bool works = sees_all(&w);
    watch_fini(&w);
    return works;
}

#else

bool watch_init(struct watch *w, size_t size, struct guard *g) {
    (void)size, (void)g;
    *w = (struct watch){0};
    return false;
}
void watch_fini(struct watch *w) { (void)w; }
void watch_begin(struct watch *w) { (void)w; }
void watch_end(struct watch *w) { (void)w; }
bool watch_look(void *w, int signal, const siginfo_t *info, void *machine) {
    return (void)w, (void)signal, (void)info, (void)machine, false;
}
enum watch_done watch_carry_out(struct watch *w, void *machine) { return (void)w, (void)machine, WATCH_NOT_DONE; }
bool watch_works(struct guard *g) { return (void)g, false; }

#endif
