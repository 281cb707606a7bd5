/* What x86_access.h says about instructions, against the processor: an operand that ends where a closed page begins is
 * no fault, and one byte further it is; a page that can only be read is a fault for those that store. All instructions
 * of one and two bytes are tried, with all prefixes that matter. */
#include "code/x86_access.h"

#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "machine.h"
#include "unit.h"

#if defined __x86_64__
enum { PAGE = 4096 };

static struct machine machine;
static uint8_t *page;                  /* between two that are closed */
static _Alignas(64) uint8_t other[64]; /* for the second operand of a string instruction */

static sigjmp_buf back;
static const uint8_t *volatile fault_at;

static void on_fault(int signal, siginfo_t *info, void *context) {
    (void)context;
    fault_at = info->si_addr;
    siglongjmp(back, signal);
}

static int set_up(void **state) {
    (void)state;
    if (!machine_init(&machine)) return -1;
    page = mmap(NULL, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return -1;
    page += PAGE;
    return 0;
}

/* In each test anew: cmocka has handlers of its own. */
static void catch_faults(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
    sigaction(SIGILL, &action, NULL);
}

/* The signal, or 0. An operand that is where to jump to, or where to return to, leads to the end. */
static int run(int protection, const uint64_t *registers, uint8_t *operand) {
    uint64_t used[MACHINE_REGISTERS], target = (uint64_t)(uintptr_t)machine.end;
    size_t room = (size_t)(page + PAGE - operand);
    mprotect(page, PAGE, PROT_READ | PROT_WRITE);
    memcpy(operand, &target, room < sizeof target ? room : sizeof target);
    memcpy(used, registers, sizeof used);
    mprotect(page, PAGE, protection);
    int signal = sigsetjmp(back, 0);
    if (signal == 0) machine_run(&machine, used);
    return signal;
}

static bool is_fault(int signal) { return signal == SIGSEGV || signal == SIGBUS; }

static struct { unsigned known, unknown, refused, aligned; } counts;

static void check(const struct x86_access *a, uint64_t *registers, unsigned index) {
    uint8_t *right = page + PAGE - a->size;
    registers[index] = (uint64_t)(uintptr_t)right;
    int fits = run(PROT_READ | PROT_WRITE, registers, right);
    if (fits == SIGILL) {
        counts.refused++; /* this processor has not got it */
        return;
    }
    counts.known++;
    assert_false(is_fault(fits));
    registers[index]++;
    assert_true(is_fault(run(PROT_READ | PROT_WRITE, registers, right + 1)));
    if (fault_at != page + PAGE)
        counts.aligned++; /* a fault for another reason: it must be 16 bytes at a whole address */
    assert_true(fault_at == page + PAGE || a->size == 16);
    registers[index]--;
    assert_int_equal(is_fault(run(PROT_READ, registers, right)), a->writes && (a->at_target || !a->at_source));
    registers[index] = (uint64_t)(uintptr_t)page;
    assert_false(is_fault(run(PROT_READ | PROT_WRITE, registers, page)));
}

static void start(uint64_t *registers) {
    memset(registers, 0, MACHINE_REGISTERS * sizeof *registers);
    registers[MACHINE_RCX] = 1;
    registers[MACHINE_RSI] = registers[MACHINE_RDI] = (uint64_t)(uintptr_t)other;
    registers[MACHINE_FLAGS] = 0x202;
}

static void check_plain(const uint8_t *instruction, size_t size) {
    uint64_t registers[MACHINE_REGISTERS];
    start(registers);
    machine_set(&machine, instruction, size);
    struct x86_access a = x86_access_of(machine.code, registers);
    if (a.kind == X86_UNKNOWN || a.kind == X86_STRING) {
        counts.unknown++;
        return;
    }
    assert_true(a.address == registers[MACHINE_RDI]);
    check(&a, registers, MACHINE_RDI);
}

static void test_sizes(void **state) {
    (void)state;
    catch_faults();
    static const uint8_t prefixes[] = {0, 0x66, 0xf3, 0xf2}, rex[] = {0, 0x40, 0x48};
    for (unsigned long_code = 0; long_code < 2; long_code++)
        for (unsigned code = 0; code < 256; code++)
            for (unsigned i = 0; i < sizeof prefixes * sizeof rex; i++)
                for (uint8_t reg = 0; reg < 8; reg++) {
                    uint8_t instruction[8], n = 0;
                    if (!machine_is_group(long_code, (uint8_t)code) && reg != 0 && reg != 2)
                        continue; /* not the stack */
                    if (!long_code && (code == 0x0f || code == 0x64 || code == 0x65 || code == 0x67)) continue;
                    if (prefixes[i % 4]) instruction[n++] = prefixes[i % 4];
                    if (rex[i / 4]) instruction[n++] = rex[i / 4];
                    if (long_code) instruction[n++] = 0x0f;
                    instruction[n++] = (uint8_t)code;
                    instruction[n++] = (uint8_t)(reg << 3 | MACHINE_RDI);
                    check_plain(instruction, n);
                }
    printf("%u known instructions, %u refused by the processor, %u at whole addresses; %u unknown\n", counts.known,
           counts.refused, counts.aligned, counts.unknown);
    assert_true(counts.known > 1000 && counts.aligned < 800);
}

static void test_strings(void **state) {
    (void)state;
    catch_faults();
    static const uint8_t prefixes[] = {0, 0x66, 0xf3, 0xf2}, rex[] = {0, 0x40, 0x48};
    unsigned tried = 0;
    for (unsigned code = 0xa4; code <= 0xaf; code++)
        for (unsigned i = 0; i < sizeof prefixes * sizeof rex; i++) {
            uint8_t instruction[4], n = 0;
            uint64_t registers[MACHINE_REGISTERS];
            if (prefixes[i % 4]) instruction[n++] = prefixes[i % 4];
            if (rex[i / 4]) instruction[n++] = rex[i / 4];
            instruction[n++] = (uint8_t)code;
            machine_set(&machine, instruction, n);
            start(registers);
            struct x86_access a = x86_access_of(machine.code, registers), one = a;
            if (a.kind != X86_STRING) continue;
            tried++;
            one.at_source = false;
            if (a.at_target) check(&one, registers, MACHINE_RDI);
            start(registers);
            one.at_target = false, one.at_source = true;
            if (a.at_source) check(&one, registers, MACHINE_RSI);
        }
    assert_true(tried == 10 * 12);
}

/* Addresses: all forms with random registers, against what lea makes of them. */
static void test_addresses(void **state) {
    (void)state;
    random_start(1);
    for (uint32_t i = 0; i < 20000; i++) {
        uint8_t instruction[12] = {(uint8_t)(0x48 | random_below(8)), 0x8d}; /* lea, with REX.W */
        uint64_t registers[MACHINE_REGISTERS], used[MACHINE_REGISTERS];
        for (uint32_t k = 2; k < sizeof instruction; k++) instruction[k] = (uint8_t)random_word();
        instruction[2] &= (uint8_t)(random_below(3) << 6 | 0x3f); /* not a register */
        uint8_t reg = (uint8_t)((instruction[2] >> 3 & 7) | (instruction[0] & 4) << 1), base = instruction[2] & 7;
        bool scaled = base == 4, by_stack = scaled && (instruction[3] & 7) == 4 && !(instruction[0] & 1);
        if (instruction[2] >> 6 == 3 || reg == 4 || by_stack) continue;
        size_t moved = instruction[2] >> 6 == 1                             ? 1
                       : instruction[2] >> 6 == 2                           ? 4
                       : base == 5 || (scaled && (instruction[3] & 7) == 5) ? 4
                                                                            : 0;
        start(registers);
        for (unsigned k = 0; k < 16; k++) registers[k] = random_word();
        machine_set(&machine, instruction, 3 + scaled + moved);
        memcpy(used, registers, sizeof used);
        machine_run(&machine, used);
        machine.code[1] = 0x8b; /* mov: the same address */
        struct x86_access a = x86_access_of(machine.code, registers);
        assert_int_equal(a.kind, X86_LOAD);
        assert_int_equal(a.length, 3 + scaled + moved);
        assert_true(a.address == used[reg]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes), cmocka_unit_test(test_strings),
                                       cmocka_unit_test(test_addresses)};
    return cmocka_run_group_tests(tests, set_up, NULL);
}
#else
int main(void) { return puts("not on this machine") < 0; }
#endif
