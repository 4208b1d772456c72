/* SPDX-License-Identifier: BSD-3-Clause
 * The table by which libxmpi reaches what is linked into the program, and the point itself. */
#include <string.h>

#include "image/memory/arena.h"
#include "act/image/image.h"
#include "image/calls/clocks.h"
#include "image/libraries/openmp.h"
#include "image/process.h"
#include "image/signals.h"
#include "image/calls/streams.h"
#include "image/variables.h"
#include "xmpi.h"
#include "xmpi_gen.h"

extern void xmpi_image_outside(void (*work)(void *), void *argument);

static void held(char *why)
{
    why[0] = '\0';
    xmpi_process_held(why);
}

/* The header and what is known of the units; the stack, with what a function may keep beyond its
 * end; the heap; the variables. */
static size_t spans(xmpi_span_t *span, size_t most)
{
    const xmpi_arena_t *arena = xmpi_arena();
    const xmpi_heap_t *heap = &arena->heap;
    size_t n = 0;
    uint32_t unit = 1;
    if (most < 3)
        return 0;
    span[n++] = (xmpi_span_t){XMPI_ARENA, XMPI_ARENA + sizeof *arena};
    span[n++] = (xmpi_span_t){(uintptr_t)heap->unit, (uintptr_t)&heap->unit[heap->top + 1]};
    span[n++] = (xmpi_span_t){arena->stack - 128, arena->stack_top};
    while (n < most && xmpi_heap_next(heap, &unit, &span[n].from, &span[n].to))
        n++;
    return n + xmpi_variables_spans(span + n, most - n);
}

static xmpi_image_t image = {.version = XMPI_IMAGE_VERSION,
                             .outside = xmpi_image_outside,
                             .held = held,
                             .pack = xmpi_process_pack,
                             .let_go = xmpi_process_let_go,
                             .unpack = xmpi_process_unpack,
                             .cut = xmpi_streams_cut,
                             .stay = xmpi_process_stay,
                             .spans = spans,
                             .arena = {XMPI_ARENA, XMPI_ARENA + (1ul << 40)},
                             .clear = xmpi_process_clear,
                             .is_gone = xmpi_process_is_gone,
                             .left = xmpi_process_left,
                             .note = xmpi_signals_note,
                             .arguments = xmpi_process_arguments,
                             .wtime = xmpi_clocks_wtime};

__attribute__((constructor)) static void tell(void)
{
    xmpi_gen_program(1);
    xmpi_gen_image(&image);
}

/* (The compiler must not let the caller's frame go: it is where the program stands.) Where each
 * thread of a region comes by, the first one comes for all. */
void xmpi_gen_movable(const char *where)
{
    if (xmpi_openmp_in_other_thread())
        return;
    xmpi_image_outside(xmpi_gen_moves, (void *)(uintptr_t)where);
}

int XMPI_Point(void)
{
    xmpi_gen_movable("XMPI_Point");
    return MPI_SUCCESS;
}
