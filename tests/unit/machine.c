#include "machine.h"

#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, NOTHING = 0x90, RETURN = 0xc3, BEHIND = 16 };

bool machine_init(struct machine *m) {
    void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    m->code = page == MAP_FAILED ? NULL : page;
    return m->code != NULL;
}

void machine_fini(struct machine *m) {
    if (m->code) munmap(m->code, PAGE);
}

void machine_set(struct machine *m, const uint8_t *instruction, size_t size) {
    memcpy(m->code, instruction, size);
    memset(m->code + size, NOTHING, BEHIND);
    m->end = m->code + size + BEHIND;
    *m->end = RETURN;
}

bool machine_is_group(bool long_code, uint8_t code) {
    if (long_code) return code == 0xba || code == 0xc7;
    return (code >= 0x80 && code <= 0x83) || (code >= 0xc0 && code <= 0xc7) || (code >= 0xd0 && code <= 0xd3) ||
           code >= 0xf6 || code == 0x8f;
}

#if defined __x86_64__
void machine_call(const void *code, uint64_t *registers);
__asm__(".text\n"
        ".globl machine_call\n"
        ".type machine_call, @function\n"
        "machine_call:\n"
        "    push %rbx\n    push %rbp\n    push %r12\n    push %r13\n    push %r14\n    push %r15\n"
        "    push %rsi\n    push %rdi\n" /* the registers, the code */
        "    mov %rsi, %rax\n"
        "    push 128(%rax)\n    popf\n"
        "    mov 8(%rax), %rcx\n    mov 16(%rax), %rdx\n    mov 24(%rax), %rbx\n    mov 40(%rax), %rbp\n"
        "    mov 48(%rax), %rsi\n    mov 56(%rax), %rdi\n    mov 64(%rax), %r8\n    mov 72(%rax), %r9\n"
        "    mov 80(%rax), %r10\n    mov 88(%rax), %r11\n    mov 96(%rax), %r12\n    mov 104(%rax), %r13\n"
        "    mov 112(%rax), %r14\n    mov 120(%rax), %r15\n    mov (%rax), %rax\n"
        "    call *(%rsp)\n"
        "    pushf\n    push %rax\n"
        "    mov 24(%rsp), %rax\n"
        "    mov %rcx, 8(%rax)\n    mov %rdx, 16(%rax)\n    mov %rbx, 24(%rax)\n    mov %rbp, 40(%rax)\n"
        "    mov %rsi, 48(%rax)\n    mov %rdi, 56(%rax)\n    mov %r8, 64(%rax)\n    mov %r9, 72(%rax)\n"
        "    mov %r10, 80(%rax)\n    mov %r11, 88(%rax)\n    mov %r12, 96(%rax)\n    mov %r13, 104(%rax)\n"
        "    mov %r14, 112(%rax)\n    mov %r15, 120(%rax)\n"
        "    pop (%rax)\n    pop 128(%rax)\n"
        "    add $16, %rsp\n"
        "    pop %r15\n    pop %r14\n    pop %r13\n    pop %r12\n    pop %rbp\n    pop %rbx\n"
        "    cld\n    ret\n");

void machine_run(const struct machine *m, uint64_t *registers) { machine_call(m->code, registers); }
#else
void machine_run(const struct machine *m, uint64_t *registers) { (void)m, (void)registers; }
#endif
