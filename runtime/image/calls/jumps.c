/* SPDX-License-Identifier: BSD-3-Clause
 * setjmp and longjmp. The C library hides addresses by a number of the process's own; here they are
 * as they are, since they are right in every process. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

/* What a jmp_buf holds. */
typedef struct {
    uint64_t registers[8]; /* rbx, rbp, r12 to r15, rsp, rip */
    int saved;             /* the mask of signals is there */
    sigset_t mask;
} target_t;

_Static_assert(sizeof(target_t) <= sizeof(jmp_buf), "a jmp_buf has room for it");

int xmpi_image_keep_mask(target_t *target);
_Noreturn void xmpi_image_jump(const target_t *target, int value);
_Noreturn void __wrap_siglongjmp(target_t *target, int value);

__asm__(".text\n"
        ".globl __wrap_setjmp, __wrap__setjmp, __wrap___sigsetjmp, xmpi_image_jump\n"
        ".type __wrap_setjmp, @function\n.type __wrap__setjmp, @function\n"
        ".type __wrap___sigsetjmp, @function\n.type xmpi_image_jump, @function\n"
        "__wrap_setjmp:\n__wrap__setjmp:\n"
        "    xor %esi, %esi\n"
        "__wrap___sigsetjmp:\n"
        "    mov %rbx, (%rdi)\n    mov %rbp, 8(%rdi)\n    mov %r12, 16(%rdi)\n"
        "    mov %r13, 24(%rdi)\n    mov %r14, 32(%rdi)\n    mov %r15, 40(%rdi)\n"
        "    lea 8(%rsp), %rdx\n    mov %rdx, 48(%rdi)\n"
        "    mov (%rsp), %rdx\n    mov %rdx, 56(%rdi)\n"
        "    mov %esi, 64(%rdi)\n"
        "    test %esi, %esi\n    jne xmpi_image_keep_mask\n"
        "    xor %eax, %eax\n    ret\n"
        "xmpi_image_jump:\n"
        "    mov %esi, %eax\n    test %eax, %eax\n    jne 1f\n    inc %eax\n"
        "1:  mov (%rdi), %rbx\n    mov 8(%rdi), %rbp\n    mov 16(%rdi), %r12\n"
        "    mov 24(%rdi), %r13\n    mov 32(%rdi), %r14\n    mov 40(%rdi), %r15\n"
        "    mov 48(%rdi), %rsp\n    jmp *56(%rdi)\n");

int xmpi_image_keep_mask(target_t *target)
{
    sigprocmask(SIG_BLOCK, NULL, &target->mask);
    return 0;
}

void __wrap_siglongjmp(target_t *target, int value)
{
    if (target->saved)
        sigprocmask(SIG_SETMASK, &target->mask, NULL);
    xmpi_image_jump(target, value);
}

/* (The last is what optimization with checks makes of it.) */
__asm__(".globl __wrap_longjmp, __wrap__longjmp, __wrap___longjmp_chk\n"
        ".set __wrap_longjmp, __wrap_siglongjmp\n"
        ".set __wrap__longjmp, __wrap_siglongjmp\n"
        ".set __wrap___longjmp_chk, __wrap_siglongjmp\n");
