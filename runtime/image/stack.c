/* SPDX-License-Identifier: BSD-3-Clause
 * Two stacks: that of the program, which lies in the arena, and the one that the process was
 * started with. Each has the canary of its frames with it. No frame of a shared library is on the
 * program's stack while it stands still. */
#include "image/memory/arena.h"

/* On the process's own stack, of which these say where it goes on. */
XMPI_NATIVE uint64_t xmpi_image_own_stack, xmpi_image_own_canary;

/* Calls main on the stack that ends at TOP. */
int xmpi_image_start(int argc, char **argv, char **envp, char *top);
void xmpi_image_outside(void (*work)(void *), void *argument);

/* What calls keep is pushed on the stack that is left; with it the control words of floating-point
 * arithmetic, which are the program's. Where main returns, the process may be another one than the
 * one that has called it; its own stack is as that process left it. */
__asm__(".text\n"
        ".globl xmpi_image_start\n"
        ".type xmpi_image_start, @function\n"
        "xmpi_image_start:\n"
        ".cfi_startproc\n"
        "    push %rbp\n    push %rbx\n    push %r12\n    push %r13\n    push %r14\n    push %r15\n"
        "    sub $8, %rsp\n    stmxcsr (%rsp)\n    fnstcw 4(%rsp)\n"
        "    mov %rsp, xmpi_image_own_stack(%rip)\n"
        "    mov %fs:0x28, %rax\n    mov %rax, xmpi_image_own_canary(%rip)\n"
        "    mov %rcx, %rsp\n    xor %ebp, %ebp\n"
        ".cfi_undefined rip\n" /* debuggers stop here */
        "    call __real_main\n"
        ".globl xmpi_image_main_ends\n"
        "xmpi_image_main_ends:\n"
        "    mov xmpi_image_own_canary(%rip), %rcx\n    mov %rcx, %fs:0x28\n"
        "    mov xmpi_image_own_stack(%rip), %rsp\n"
        "    ldmxcsr (%rsp)\n    fldcw 4(%rsp)\n    add $8, %rsp\n"
        "    pop %r15\n    pop %r14\n    pop %r13\n    pop %r12\n    pop %rbx\n    pop %rbp\n"
        "    ret\n"
        ".cfi_endproc\n"
        ".size xmpi_image_start, .-xmpi_image_start\n"

        ".globl xmpi_image_outside\n"
        ".type xmpi_image_outside, @function\n"
        "xmpi_image_outside:\n"
        ".cfi_startproc\n"
        "    push %rbp\n    .cfi_adjust_cfa_offset 8\n    push %rbx\n    .cfi_adjust_cfa_offset 8\n"
        "    push %r12\n    .cfi_adjust_cfa_offset 8\n    push %r13\n    .cfi_adjust_cfa_offset 8\n"
        "    push %r14\n    .cfi_adjust_cfa_offset 8\n    push %r15\n    .cfi_adjust_cfa_offset 8\n"
        "    sub $8, %rsp\n    .cfi_adjust_cfa_offset 8\n"
        "    stmxcsr (%rsp)\n    fnstcw 4(%rsp)\n"
        "    movabs $0x200000000000, %rax\n" /* XMPI_ARENA: stack and canary */
        "    mov %rsp, (%rax)\n"
        "    mov %fs:0x28, %rdx\n    mov %rdx, 8(%rax)\n"
        "    mov xmpi_image_own_canary(%rip), %rdx\n    mov %rdx, %fs:0x28\n"
        "    mov %rsp, %rbx\n"
        ".cfi_def_cfa rbx, 64\n"
        "    mov xmpi_image_own_stack(%rip), %rsp\n    and $-16, %rsp\n"
        "    mov %rdi, %rax\n    mov %rsi, %rdi\n"
        "    call *%rax\n"
        "    movabs $0x200000000000, %rax\n"
        "    mov 8(%rax), %rdx\n    mov %rdx, %fs:0x28\n"
        "    mov (%rax), %rsp\n"
        ".cfi_def_cfa rsp, 64\n"
        "    ldmxcsr (%rsp)\n    fldcw 4(%rsp)\n    add $8, %rsp\n    .cfi_adjust_cfa_offset -8\n"
        "    pop %r15\n    pop %r14\n    pop %r13\n    pop %r12\n    pop %rbx\n    pop %rbp\n"
        "    ret\n"
        ".cfi_endproc\n"
        ".size xmpi_image_outside, .-xmpi_image_outside\n");
