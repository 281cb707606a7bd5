/* machine.h: runs a few bytes of x86-64 code, for tests that ask the processor what an instruction does. */
#ifndef UNIT_MACHINE_H
#define UNIT_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The general registers in the order of their numbers, and the flags. The stack pointer is not set. */
enum { MACHINE_RAX, MACHINE_RCX, MACHINE_RDX, MACHINE_RBX, MACHINE_RSP, MACHINE_RBP, MACHINE_RSI, MACHINE_RDI };
enum { MACHINE_FLAGS = 16, MACHINE_REGISTERS = 17, MACHINE_ARITHMETIC = 0x8d5 /* these flags */ };

struct machine {
    uint8_t *code; /* a page: the instruction, no-operations, a return; */
    uint8_t *end;  /* ... the return */
};

bool machine_init(struct machine *m); /* false: no memory that can be written and executed */
void machine_fini(struct machine *m);

/* What is behind the instruction is taken for its constant, if it has one. */
void machine_set(struct machine *m, const uint8_t *instruction, size_t size);

/* From the beginning to the return, with these registers, which become those that it ends with. */
void machine_run(const struct machine *m, uint64_t *registers);

/* Whether the register that its second byte names is a part of the code of the instruction, which is 0F and this byte,
 * or this byte alone. */
bool machine_is_group(bool long_code, uint8_t code);

#endif
