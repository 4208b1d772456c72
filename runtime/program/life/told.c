/* SPDX-License-Identifier: BSD-3-Clause
 * Remembers static variables that hold the rank or the size of the world. */
#define _GNU_SOURCE
#include "program/life/told.h"

#include <link.h>
#include <stdbool.h>
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

/* A static variable with the rank or size of the world. */
typedef struct {
    int kind, value;
    int *address;
} told_t;

static struct {
    told_t held[XMPI_TOLD_MAX];
    int n;
} told;

void xmpi_told(int kind, int *address, int value)
{
    for (int i = 0; i < told.n; i++)
        if (told.held[i].address == address) {
            told.held[i].value = value;
            told.held[i].kind = kind;
            return;
        }
    if (told.n < XMPI_TOLD_MAX && !is_on_stack(address) && dl_iterate_phdr(is_in_object, address) != 0)
        told.held[told.n++] = (told_t){kind, value, address};
}

void xmpi_told_refresh(int rank, int size)
{
    for (int i = 0; i < told.n; i++) {
        told_t *one = &told.held[i];
        int now = one->kind == XMPI_GEN_RANK ? rank : size;
        if (*one->address == one->value)
            *one->address = now;
        one->value = now;
    }
}

void xmpi_told_forget(void)
{
    told.n = 0;
}

int xmpi_told_variables(int **variable)
{
    for (int i = 0; i < told.n; i++)
        variable[i] = told.held[i].address;
    return told.n;
}
