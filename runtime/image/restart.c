/* SPDX-License-Identifier: BSD-3-Clause
 * Starting over: main is called again, in a program that is as it was before the first call. */
#include <stddef.h>

#include "act/image/restart.h"
#include "image/memory/arena.h"
#include "image/process.h"
#include "image/calls/reads.h"
#include "image/calls/streams.h"
#include "image/variables.h"
#include "xmpi_gen.h"

XMPI_NATIVE static struct {
    int argc;
    char **argv, **envp;
    char *top;
} first;

extern char _edata[];
extern void xmpi_image_outside(void (*work)(void *), void *argument);

/* (A frame of the process's own stack is left for good: nothing is on it that is needed.) */
_Noreturn void xmpi_image_again(int argc, char **argv, char **envp, char *top);

__asm__(".text\n"
        ".globl xmpi_image_again\n"
        ".type xmpi_image_again, @function\n"
        "xmpi_image_again:\n"
        ".cfi_startproc\n"
        "    mov xmpi_image_own_stack(%rip), %rsp\n"
        "    ldmxcsr (%rsp)\n    fldcw 4(%rsp)\n"
        "    mov %rcx, %rsp\n    xor %ebp, %ebp\n"
        ".cfi_undefined rip\n"
        "    call __real_main\n"
        "    jmp xmpi_image_main_ends\n"
        ".cfi_endproc\n"
        ".size xmpi_image_again, .-xmpi_image_again\n");

static void again(void)
{
    xmpi_image_again(first.argc, first.argv, first.envp, first.top);
}

/* As the spans of an image (image/table.c), but the heap as a whole. */
static size_t regions(xmpi_span_t *span, size_t most)
{
    const xmpi_arena_t *arena = xmpi_arena();
    const xmpi_heap_t *heap = &arena->heap;
    size_t n = 0;
    if (most < 4)
        return most;
    span[n++] = (xmpi_span_t){XMPI_ARENA, XMPI_ARENA + sizeof *arena};
    span[n++] = (xmpi_span_t){(uintptr_t)heap->unit, (uintptr_t)&heap->unit[heap->clean + 1]};
    span[n++] = (xmpi_span_t){arena->stack - 128, arena->stack_top};
    span[n++] = (xmpi_span_t){(uintptr_t)heap->base,
                              (uintptr_t)heap->base + (heap->clean - 1) * (size_t)XMPI_HEAP_UNIT};
    return n + xmpi_variables_spans(span + n, most - n);
}

/* (It is needed while the program is aside.) */
XMPI_NATIVE static xmpi_restart_t restart = {.regions = regions,
                                             .again = again,
                                             .has_read_input = xmpi_streams_have_read_input,
                                             .descriptors = xmpi_streams_descriptors,
                                             .hold_files = xmpi_files_hold,
                                             .files = xmpi_streams_places,
                                             .settle_files = xmpi_streams_settle,
                                             .note_reads = xmpi_reads_begin,
                                             .at_loop = xmpi_reads_at_loop,
                                             .reads = xmpi_reads_list,
                                             .reads_changed = xmpi_reads_changed};

void xmpi_restart_begin(int argc, char **argv, char **envp, char *top)
{
    first.argc = argc;
    first.argv = argv;
    first.envp = envp;
    first.top = top;
    restart.data_end = ((uintptr_t)_edata + 4095) & ~(uintptr_t)4095;
    xmpi_arena()->stack = (uint64_t)(uintptr_t)top; /* nothing is on it */
    xmpi_gen_restart(&restart);
}

/* (The compiler must not let the caller's frame go: it is where the program stands.) */
int xmpi_gen_resized(const char *where)
{
    xmpi_image_outside(xmpi_gen_resizes, (void *)(uintptr_t)where);
    return xmpi_gen_leaves();
}
