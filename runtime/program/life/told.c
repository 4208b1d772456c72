/* SPDX-License-Identifier: BSD-3-Clause
 * Remembers static variables that hold the rank or the size of the world. */
#define _GNU_SOURCE
#include "program/life/told.h"

#include <link.h>
#include <stdint.h>

#include "xmpi_gen.h"

/* Whether *ADDRESS is in the data of the program or of one of its libraries: it is there as long as
 * the program runs, as nobody closes a library that uses MPI. */
static int is_in_object(struct dl_phdr_info *object, size_t size, void *address)
{
    (void)size;
    uintptr_t at = (uintptr_t)address;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t begin = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && (part->p_flags & PF_W) != 0 && at >= begin &&
            at < begin + part->p_memsz)
            return 1;
    }
    return 0;
}

/* A variable of a function that runs: quickly told, as functions ask again and again. */
static bool is_on_stack(const void *address)
{
    const uintptr_t near = 1 << 20;
    return (uintptr_t)address - (uintptr_t)__builtin_frame_address(0) < near;
}

void xmpi_told(xmpi_context_t *context, int kind, int *address, int value)
{
    context->asked++;
    for (int i = 0; i < context->helds; i++)
        if (context->held[i].address == address) {
            context->held[i].value = value;
            context->held[i].kind = kind;
            return;
        }
    if (context->helds < XMPI_TOLD_MAX && !is_on_stack(address) &&
        dl_iterate_phdr(is_in_object, address) != 0)
        context->held[context->helds++] = (xmpi_told_t){kind, value, address};
}

void xmpi_told_refresh(xmpi_context_t *context)
{
    for (int i = 0; i < context->helds; i++) {
        xmpi_told_t *told = &context->held[i];
        int now = told->kind == XMPI_GEN_RANK ? context->world.rank : context->world.size;
        if (*told->address == told->value)
            *told->address = now;
        told->value = now;
    }
}
