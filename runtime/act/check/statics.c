/* SPDX-License-Identifier: BSD-3-Clause
 * The program's own variables that nobody has registered. */
#define _GNU_SOURCE
#include "act/check/statics.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "act/check/names.h"

/* Between variables there is what the sanitizer forbids to touch, and it looks into memcpy. */
#ifdef __SANITIZE_ADDRESS__
__attribute__((no_sanitize("address"))) static void copy(void *to, const void *from, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((volatile char *)to)[i] = ((const volatile char *)from)[i];
}
#else
static void copy(void *to, const void *from, size_t size)
{
    memcpy(to, from, size);
}
#endif

extern void *__libc_stack_end; /* of the dynamic linker: above the frame of main */

/* --- regions -------------------------------------------------------------------------------------
 */

static bool add_region(xmpi_memory_t *memory, char *at, char *end, bool stack)
{
    if (end <= at)
        return true;
    xmpi_region_t *grown = realloc(memory->region, ((size_t)memory->regions + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    memory->region = grown;
    grown[memory->regions++] =
        (xmpi_region_t){.at = at, .size = (size_t)(end - at), .stack = stack};
    return true;
}

/* The static data of the main program, which is the first object; not where the runtime itself is
 * part of it, whose own variables would be among them. */
typedef struct {
    xmpi_memory_t *memory;
    bool failed;
} search_t;

static bool holds(const struct dl_phdr_info *info, const ElfW(Phdr) * header, const void *address)
{
    uintptr_t begin = info->dlpi_addr + header->p_vaddr;
    return (uintptr_t)address >= begin && (uintptr_t)address < begin + header->p_memsz;
}

/* Relocations of the linker end where what is written at run time begins. */
static uintptr_t end_of_relro(const struct dl_phdr_info *info)
{
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO)
            return info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    return 0;
}

static int add_main(struct dl_phdr_info *info, size_t size, void *argument)
{
    static char own; /* of the runtime */
    search_t *search = argument;
    uintptr_t relro = end_of_relro(info);
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || (header->p_flags & PF_W) == 0 || holds(info, header, &own))
            continue;
        uintptr_t begin = info->dlpi_addr + header->p_vaddr, end = begin + header->p_memsz;
        if (relro > begin && relro <= end)
            begin = relro;
        search->failed |=
            !add_region(search->memory, (char *)begin, (char *)end, false); /* NOLINT */
    }
    return 1; /* the main program only */
}

/* --- what is registered
 * --------------------------------------------------------------------------- */

/* Takes [AT, AT + SIZE) out of the regions. */
static bool leave_out(xmpi_memory_t *memory, const void *at, size_t size)
{
    char *begin = (char *)(uintptr_t)at, *end = begin + size;
    for (int i = 0; i < memory->regions; i++) {
        xmpi_region_t *region = &memory->region[i];
        char *last = region->at + region->size;
        if (end <= region->at || begin >= last)
            continue;
        region->size = begin > region->at ? (size_t)(begin - region->at) : 0;
        if (end < last && !add_region(memory, end, last, region->stack))
            return false;
    }
    return true;
}

static bool leave_out_array(xmpi_memory_t *memory, const xmpi_array_t *array)
{
    bool done =
        array->slot == NULL ||
        leave_out(memory, array->slot, array->fixed > 0 ? (size_t)array->fixed : sizeof(void *));
    for (int i = 0; i < array->aliases && done; i++)
        done = leave_out(memory, array->alias[i], sizeof(void *));
    return done;
}

static bool leave_out_all(xmpi_memory_t *memory, const xmpi_registry_t *registry,
                          const xmpi_own_t *own, int n)
{
    bool done = true;
    for (int i = 0; i < registry->arrays && done; i++)
        done = leave_out_array(memory, &registry->array[i]);
    for (int i = 0; i < registry->lives && done; i++)
        done = leave_out(memory, registry->live[i].address, registry->live[i].size);
    for (int i = 0; i < registry->refreshes && done; i++)
        done = leave_out(memory, registry->refresh[i].address, registry->refresh[i].size);
    for (int i = 0; i < n && done; i++)
        done = leave_out(memory, own[i].at, own[i].size);
    return done;
}

static bool is_stack(const void *frame)
{
    const char *at = frame, *end = __libc_stack_end;
    return frame != NULL && at < end && end - at < (ptrdiff_t)1 << 30; /* else another thread's */
}

static int by_address(const void *one, const void *other)
{
    const xmpi_region_t *a = one, *b = other;
    return (a->at > b->at) - (a->at < b->at);
}

xmpi_status_t xmpi_memory_note(const xmpi_registry_t *registry, const xmpi_own_t *own, int n,
                               const void *frame, size_t most, xmpi_memory_t *memory)
{
    search_t search = {.memory = memory};
    size_t bytes = 0;
    *memory = (xmpi_memory_t){0};
    dl_iterate_phdr(add_main, &search);
    bool done = !search.failed;
    if (done && is_stack(frame))
        done = add_region(memory, (char *)(uintptr_t)frame, __libc_stack_end, true);
    done = done && leave_out_all(memory, registry, own, n);
    for (int i = 0; i < memory->regions; i++)
        bytes += memory->region[i].size;
    done = done && bytes <= most;
    for (int i = 0; i < memory->regions && done; i++) {
        xmpi_region_t *region = &memory->region[i];
        done = (region->was = malloc(region->size + 1)) != NULL;
        if (done)
            copy(region->was, region->at, region->size);
    }
    if (done && memory->regions > 1)
        qsort(memory->region, (size_t)memory->regions, sizeof *memory->region, by_address);
    if (!done)
        xmpi_memory_free(memory);
    return done ? XMPI_OK : XMPI_ERR_MEMORY;
}

/* --- differences
 * ---------------------------------------------------------------------------------- */

/* Whether the word is an address of something that is mapped, as far as that can be told. */
static bool is_mapped(uint64_t word)
{
    unsigned char page;
    uintptr_t base = (uintptr_t)word & ~(uintptr_t)(sysconf(_SC_PAGESIZE) - 1);
    return word >= 1 << 16 && word < (uint64_t)1 << 47 &&
           mincore((void *)base, 1, &page) == 0; /* NOLINT */
}

/* How many bytes of the region go back, word by word, but for addresses; FIRST: the first of them,
 * unless there is one already. */
static size_t put_back_region(const xmpi_region_t *region, const char **first)
{
    size_t bytes = 0, size;
    for (size_t i = 0; i < region->size; i += size) {
        uint64_t now = 0, was = 0;
        size = sizeof now - (uintptr_t)(region->at + i) % sizeof now;
        size = size < region->size - i ? size : region->size - i;
        copy(&now, region->at + i, size);
        copy(&was, region->was + i, size);
        if (now == was || (size == sizeof now && (is_mapped(now) || is_mapped(was))))
            continue;
        if (*first == NULL)
            *first = region->at + i;
        copy(region->at + i, &was, size);
        bytes += size;
    }
    return bytes;
}

size_t xmpi_memory_put_back(const xmpi_memory_t *memory, char *text, int size)
{
    size_t bytes = 0;
    *text = '\0';
    for (int i = 0; i < memory->regions; i++) {
        const char *first = NULL;
        const xmpi_region_t *region = &memory->region[i];
        bytes += put_back_region(region, &first);
        if (first == NULL || *text != '\0')
            continue;
        if (region->stack)
            xmpi_name_stack(first, text, size);
        else
            xmpi_name_static(first, text, size);
    }
    return bytes;
}

void xmpi_memory_free(xmpi_memory_t *memory)
{
    for (int i = 0; i < memory->regions; i++)
        free(memory->region[i].was);
    free(memory->region);
    *memory = (xmpi_memory_t){0};
}
