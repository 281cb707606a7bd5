/* x86_access.h: what an x86-64 instruction does to memory.
 *
 * For who catches each access to some pages (page_watch.h), and must know how many bytes the instruction reads or
 * stores at the address where it was caught. It knows what compilers make of ordinary C for the plain x86-64 processor:
 * moves, arithmetic, string instructions, SSE2. Of all others it says that it does not know them, which is always
 * right.
 *
 * Each known instruction has one operand in memory, or is a string instruction. (Those that push, pop or call use the
 * stack, too, which is not watched.)
 */
#ifndef CODE_X86_ACCESS_H
#define CODE_X86_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

enum x86_kind {
    X86_UNKNOWN,
    X86_PLAIN,   /* known, and nothing more is */
    X86_STRING,  /* the operands are at the source index, the destination index, or both; one step, if repeated */
    X86_LOAD,    /* a general register becomes what is there */
    X86_STORE,   /* what is there becomes the value of a general register, or the constant */
    X86_COMPARE, /* the flags become those of the difference between what is there and the other operand */
    X86_TEST,    /* ... of both together, bit by bit */
    X86_COMPUTE, /* what is there, or the register, becomes the result of `operation` with the other operand */
};

enum x86_operation { X86_ADD = 0, X86_OR = 1, X86_AND = 4, X86_SUBTRACT = 5, X86_XOR = 6 };

struct x86_access {
    enum x86_kind kind;
    uint8_t size; /* bytes of the operand in memory */
    bool reads, writes;
    uint64_t address;          /* of the operand; not of X86_STRING */
    bool at_source, at_target; /* X86_STRING: which index registers it goes by */
    /* The kinds after X86_STRING: */
    uint8_t length;    /* bytes of the instruction */
    uint8_t reg;       /* the general register, 0 to 15; */
    bool high;         /* ... its second byte */
    bool is_constant;  /* no register, but: */
    int64_t constant;  /* extended by its sign */
    uint8_t wide;      /* X86_LOAD: bytes that are changed: 1, 2, or 8; 4: the other four become 0 */
    bool sign;         /* X86_LOAD: extends the sign, not zeros */
    bool memory_right; /* X86_COMPARE: what is in memory is subtracted; X86_COMPUTE: the result goes to the register */
    enum x86_operation operation; /* X86_COMPUTE */
    bool keeps_carry;             /* X86_COMPUTE: that flag stays */
};

/* The instruction that the code is at; `registers` are the general ones in the order of their numbers, rax, rcx, rdx,
 * rbx, rsp, rbp, rsi, rdi, r8 to r15, as they are before it. Reads no more of the code than the instruction. */
struct x86_access x86_access_of(const uint8_t *code, const uint64_t *registers);

#endif
