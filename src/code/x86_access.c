#include "code/x86_access.h"

enum { LONGEST = 15, RSP = 4, RBP = 5 };

/* An instruction while it is taken apart. */
struct parts {
    const uint8_t *begin, *at;
    const uint64_t *registers;
    bool wide, small, repeat, repeat_not; /* prefixes: REX.W, 66, F3, F2 */
    bool odd;                             /* it is not known */
    uint8_t rex;
    uint8_t mode, reg, base; /* of the ModRM byte */
    uint64_t address;
};

static uint8_t next(struct parts *p) {
    if (p->at - p->begin >= LONGEST) return p->odd = true, 0;
    return *p->at++;
}

/* A number of so many bytes, with a sign. */
static int64_t number(struct parts *p, unsigned bytes) {
    uint64_t x = 0;
    for (unsigned i = 0; i < bytes; i++) x |= (uint64_t)next(p) << 8 * i;
    unsigned shift = 64 - 8 * bytes;
    return (int64_t)(x << shift) >> shift;
}

/* Returns the first byte that is none. */
static uint8_t take_prefixes(struct parts *p) {
    while (!p->odd) {
        uint8_t byte = next(p);
        if (byte == 0x66) p->small = true;
        else if (byte == 0xf3) p->repeat = true;
        else if (byte == 0xf2) p->repeat_not = true;
        else if (byte == 0x67 || byte == 0x64 || byte == 0x65) p->odd = true; /* short addresses, segments */
        else if (byte >> 4 == 4) return p->rex = byte, p->wide = byte & 8, next(p);
        else if (byte != 0xf0 && byte != 0x2e && byte != 0x36 && byte != 0x3e && byte != 0x26) return byte;
    }
    return 0;
}

/* Base, index and scale. Returns whether there is a base. */
static bool take_scaled(struct parts *p) {
    uint8_t sib = next(p), index = (uint8_t)((sib >> 3 & 7) | (p->rex & 2) << 2);
    if (index != RSP) p->address += p->registers[index] << (sib >> 6);
    p->base = (uint8_t)((sib & 7) | (p->rex & 1) << 3);
    return (sib & 7) != RBP || p->mode != 0;
}

/* The ModRM byte and what belongs to it. `after` are the bytes of the instruction behind that. */
static void take_operands(struct parts *p, unsigned after) {
    uint8_t byte = next(p);
    p->mode = byte >> 6;
    p->reg = (uint8_t)((byte >> 3 & 7) | (p->rex & 4) << 1);
    p->base = (uint8_t)((byte & 7) | (p->rex & 1) << 3);
    if (p->mode == 3) p->odd = true; /* no memory: it cannot have been caught */
    if (p->odd) return;
    bool here = (byte & 7) == RBP && p->mode == 0; /* relative to the next instruction */
    bool based = (byte & 7) == RSP ? take_scaled(p) : !here;
    if (p->mode == 1) p->address += (uint64_t)number(p, 1);
    if (p->mode == 2 || !based) p->address += (uint64_t)number(p, 4);
    if (based) p->address += p->registers[p->base];
    if (here) p->address += (uint64_t)(uintptr_t)p->at + after;
}

static unsigned operand_size(const struct parts *p) { return p->wide ? 8 : p->small ? 2 : 4; }

/* ---- What is common ---- */

enum { READS = 1, WRITES = 2, BOTH = 3 };

/* Size 0: it is not known. */
static struct x86_access plain(const struct parts *p, unsigned size, unsigned how) {
    return (struct x86_access){.kind = p->odd || !size ? X86_UNKNOWN : X86_PLAIN,
                               .size = (uint8_t)size,
                               .reads = how & READS,
                               .writes = how & WRITES,
                               .address = p->address};
}

/* One of the kinds that are described in full. */
static struct x86_access full(const struct parts *p, struct x86_access a, enum x86_kind kind) {
    if (a.kind == X86_PLAIN) a.kind = kind;
    a.length = (uint8_t)(p->at - p->begin);
    return a;
}

/* With a register as the other operand. */
static struct x86_access with_register(const struct parts *p, unsigned size, unsigned how, enum x86_kind kind) {
    struct x86_access a = full(p, plain(p, size, how), kind);
    a.high = size == 1 && !p->rex && p->reg >= 4;
    a.reg = a.high ? (uint8_t)(p->reg - 4) : p->reg;
    a.wide = (uint8_t)size;
    return a;
}

/* With a constant as the other operand, which comes next. */
static struct x86_access with_constant(struct parts *p, unsigned size, unsigned bytes, unsigned how,
                                       enum x86_kind kind) {
    int64_t constant = number(p, bytes);
    struct x86_access a = full(p, plain(p, size, how), kind);
    a.is_constant = true;
    a.constant = constant;
    return a;
}

static unsigned constant_bytes(unsigned size) { return size == 8 ? 4 : size; }

/* ---- Instructions of one byte ---- */

/* adc, sbb */
static bool uses_carry(unsigned operation) { return operation == 2 || operation == 3; }

/* add, or, adc, sbb, and, sub, xor, cmp, between a register and memory */
static struct x86_access arithmetic(struct parts *p, uint8_t code) {
    unsigned size = code & 1 ? operand_size(p) : 1;
    unsigned operation = code >> 3;
    take_operands(p, 0);
    if (uses_carry(operation)) return plain(p, size, code & 2 ? READS : BOTH);
    struct x86_access a = operation == 7 ? with_register(p, size, READS, X86_COMPARE)
                                         : with_register(p, size, code & 2 ? READS : BOTH, X86_COMPUTE);
    a.memory_right = code & 2;
    a.operation = (enum x86_operation)operation;
    return a;
}

/* The same with a constant: 80, 81, 83 */
static struct x86_access with_group_1(struct parts *p, uint8_t code) {
    unsigned size = code == 0x80 ? 1 : operand_size(p), bytes = code == 0x81 ? constant_bytes(size) : 1;
    take_operands(p, bytes);
    unsigned operation = p->reg & 7;
    if (operation == 7) return with_constant(p, size, bytes, READS, X86_COMPARE);
    if (uses_carry(operation)) return plain(p, size, BOTH);
    struct x86_access a = with_constant(p, size, bytes, BOTH, X86_COMPUTE);
    a.operation = (enum x86_operation)operation;
    return a;
}

/* test, not, neg, mul, imul, div, idiv: F6, F7 */
static struct x86_access with_group_3(struct parts *p, uint8_t code) {
    unsigned size = code & 1 ? operand_size(p) : 1, bytes = constant_bytes(size);
    bool is_test = (*p->at >> 3 & 7) < 2;
    take_operands(p, is_test ? bytes : 0);
    if (is_test) return with_constant(p, size, bytes, READS, X86_TEST);
    return plain(p, size, (p->reg & 7) < 4 ? BOTH : READS);
}

/* inc, dec, call, jmp, push: FE, FF */
static struct x86_access with_group_5(struct parts *p, uint8_t code) {
    take_operands(p, 0);
    unsigned what = p->reg & 7;
    if (what < 2) {
        struct x86_access a = full(p, plain(p, code & 1 ? operand_size(p) : 1, BOTH), X86_COMPUTE);
        a.is_constant = a.keeps_carry = true;
        a.constant = 1;
        a.operation = what ? X86_SUBTRACT : X86_ADD;
        return a;
    }
    bool known = code == 0xff && (what == 2 || what == 4 || what == 6) && !p->small;
    return plain(p, known ? 8 : 0, READS);
}

/* movs, cmps, stos, lods, scas */
static struct x86_access with_string(const struct parts *p, uint8_t code) {
    struct x86_access a = plain(p, code & 1 ? operand_size(p) : 1, READS);
    unsigned what = code & 0xfe;
    if (a.kind == X86_PLAIN) a.kind = X86_STRING;
    a.at_source = what == 0xa4 || what == 0xa6 || what == 0xac;
    a.at_target = what != 0xac;
    a.writes = what == 0xa4 || what == 0xaa;
    a.reads = what != 0xaa;
    return a;
}

static struct x86_access move_constant(struct parts *p, uint8_t code) {
    unsigned size = code & 1 ? operand_size(p) : 1, bytes = constant_bytes(size);
    take_operands(p, bytes);
    if (p->reg & 7) p->odd = true;
    return with_constant(p, size, bytes, WRITES, X86_STORE);
}

static struct x86_access extend_32(struct parts *p) {
    take_operands(p, 0);
    if (!p->wide) p->odd = true;
    struct x86_access a = with_register(p, 4, READS, X86_LOAD);
    a.wide = 8;
    a.sign = true;
    return a;
}

static struct x86_access one_byte(struct parts *p, uint8_t code) {
    unsigned size = code & 1 ? operand_size(p) : 1;
    if (code < 0x40 && (code & 7) < 4) return arithmetic(p, code);
    if ((code >= 0xa4 && code <= 0xa7) || (code >= 0xaa && code <= 0xaf)) return with_string(p, code);
    switch (code) {
    case 0x63: return extend_32(p);
    case 0x69: /* imul */
    case 0x6b: return take_operands(p, code == 0x6b ? 1 : constant_bytes(size)), plain(p, size, READS);
    case 0x80:
    case 0x81:
    case 0x83: return with_group_1(p, code);
    case 0x84:
    case 0x85: return take_operands(p, 0), with_register(p, size, READS, X86_TEST);
    case 0x86: /* xchg */
    case 0x87: return take_operands(p, 0), plain(p, size, BOTH);
    case 0x88: /* mov */
    case 0x89: return take_operands(p, 0), with_register(p, size, WRITES, X86_STORE);
    case 0x8a:
    case 0x8b: return take_operands(p, 0), with_register(p, size, READS, X86_LOAD);
    case 0xc0: /* shifts */
    case 0xc1: return take_operands(p, 1), plain(p, size, BOTH);
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3: return take_operands(p, 0), plain(p, size, BOTH);
    case 0xc6:
    case 0xc7: return move_constant(p, code);
    case 0xf6:
    case 0xf7: return with_group_3(p, code);
    case 0xfe:
    case 0xff: return with_group_5(p, code);
    default: return plain(p, 0, BOTH);
    }
}

/* ---- Instructions of two bytes ---- */

/* movzx, movsx */
static struct x86_access extend(struct parts *p, uint8_t code) {
    take_operands(p, 0);
    struct x86_access a = with_register(p, code & 1 ? 2 : 1, READS, X86_LOAD);
    a.reg = p->reg;
    a.high = false;
    a.wide = (uint8_t)operand_size(p);
    a.sign = code & 8;
    return a;
}

/* bt, bts, btr, btc with a constant */
static struct x86_access with_group_8(struct parts *p) {
    take_operands(p, 1);
    unsigned what = p->reg & 7;
    return plain(p, what < 4 ? 0 : operand_size(p), what == 4 ? READS : BOTH);
}

/* cmpxchg8b, cmpxchg16b */
static struct x86_access with_group_9(struct parts *p) {
    take_operands(p, 0);
    return plain(p, (p->reg & 7) == 1 ? p->wide ? 16 : 8 : 0, BOTH);
}

enum prefix { NO_PREFIX, PREFIX_66, PREFIX_F3, PREFIX_F2, PREFIX_ODD };

static enum prefix prefix_of(const struct parts *p) {
    unsigned count = (unsigned)p->small + p->repeat + p->repeat_not;
    if (count > 1) return PREFIX_ODD;
    return p->small ? PREFIX_66 : p->repeat ? PREFIX_F3 : p->repeat_not ? PREFIX_F2 : NO_PREFIX;
}

/* Bytes of floating-point numbers, and of moves of them; 0: it is not known. */
static unsigned float_size(uint8_t code, enum prefix prefix) {
    static const uint8_t sizes[] = {[NO_PREFIX] = 16, [PREFIX_66] = 16, [PREFIX_F3] = 4, [PREFIX_F2] = 8};
    bool packed = prefix == NO_PREFIX || prefix == PREFIX_66;
    switch (code) {
    case 0x10:
    case 0x11:
    case 0x51:
    case 0x58:
    case 0x59:
    case 0x5c:
    case 0x5d:
    case 0x5e:
    case 0x5f: return sizes[prefix];
    case 0x12:
    case 0x13:
    case 0x16:
    case 0x17: return packed ? 8 : 0;
    case 0x14:
    case 0x15:
    case 0x28:
    case 0x29:
    case 0x54:
    case 0x55:
    case 0x56:
    case 0x57:
    case 0xc6: return packed ? 16 : 0;
    case 0x2c:
    case 0x2d: return packed ? 0 : sizes[prefix];
    case 0x2e:
    case 0x2f: return prefix == NO_PREFIX ? 4 : prefix == PREFIX_66 ? 8 : 0;
    default: return 0;
    }
}

/* The same of integers. */
static unsigned integer_size(const struct parts *p, uint8_t code, enum prefix prefix) {
    bool is_66 = prefix == PREFIX_66, is_f3 = prefix == PREFIX_F3;
    switch (code) {
    case 0x2a: return is_f3 || prefix == PREFIX_F2 ? p->wide ? 8 : 4 : 0;
    case 0x6e: return is_66 ? p->wide ? 8 : 4 : 0;
    case 0x7e: return is_66 ? p->wide ? 8 : 4 : is_f3 ? 8 : 0;
    case 0x6f:
    case 0x7f: return is_66 || is_f3 ? 16 : 0;
    case 0x70: return prefix == NO_PREFIX ? 0 : 16;
    case 0xc4: return is_66 ? 2 : 0;
    case 0xd6: return is_66 ? 8 : 0;
    default: break;
    }
    /* Not D7, which has no memory; E6, a conversion; F7, a store under a mask, at an address of its own. */
    bool known = (code >= 0x60 && code <= 0x6d) || (code >= 0x74 && code <= 0x76) || (code >= 0xd1 && code <= 0xd5) ||
                 (code >= 0xd8 && code <= 0xe5) || (code >= 0xe7 && code <= 0xef) || (code >= 0xf1 && code <= 0xf6) ||
                 (code >= 0xf8 && code <= 0xfe);
    return is_66 && known ? 16 : 0;
}

static struct x86_access sse(struct parts *p, uint8_t code) {
    enum prefix prefix = prefix_of(p);
    if (prefix == PREFIX_ODD) return plain(p, 0, BOTH);
    bool stores = code == 0x11 || code == 0x13 || code == 0x17 || code == 0x29 || code == 0x7f || code == 0xd6 ||
                  code == 0xe7 || (code == 0x7e && prefix == PREFIX_66);
    unsigned size = float_size(code, prefix);
    if (!size) size = integer_size(p, code, prefix);
    if (size) take_operands(p, code == 0x70 || code == 0xc4 || code == 0xc6 ? 1 : 0);
    return plain(p, size, stores ? WRITES : READS);
}

static struct x86_access two_bytes(struct parts *p) {
    uint8_t code = next(p);
    unsigned size = code & 1 ? operand_size(p) : 1;
    if (code >> 4 == 4) return take_operands(p, 0), plain(p, operand_size(p), READS); /* cmov */
    if (code >> 4 == 9) return take_operands(p, 0), plain(p, 1, WRITES);              /* set */
    switch (code) {
    case 0xa4: /* shld, shrd */
    case 0xac: return take_operands(p, 1), plain(p, operand_size(p), BOTH);
    case 0xa5:
    case 0xad: return take_operands(p, 0), plain(p, operand_size(p), BOTH);
    case 0xaf: /* imul, popcnt, bsf, bsr, tzcnt, lzcnt */
    case 0xb8:
    case 0xbc:
    case 0xbd: return take_operands(p, 0), plain(p, operand_size(p), READS);
    case 0xb0: /* cmpxchg, xadd */
    case 0xb1:
    case 0xc0:
    case 0xc1: return take_operands(p, 0), plain(p, size, BOTH);
    case 0xb6:
    case 0xb7:
    case 0xbe:
    case 0xbf: return extend(p, code);
    case 0xba: return with_group_8(p);
    case 0xc7: return with_group_9(p);
    default: return sse(p, code);
    }
}

struct x86_access x86_access_of(const uint8_t *code, const uint64_t *registers) {
    struct parts p = {.begin = code, .at = code, .registers = registers};
    uint8_t first = take_prefixes(&p);
    if (p.odd) return (struct x86_access){.kind = X86_UNKNOWN};
    struct x86_access a = first == 0x0f ? two_bytes(&p) : one_byte(&p, first);
    if (p.odd) a.kind = X86_UNKNOWN;
    return a;
}
