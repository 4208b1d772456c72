/* SPDX-License-Identifier: BSD-3-Clause
 * Tools that wrap MPI calls before this library: found by where the dynamic linker finds the calls.
 */
#define _GNU_SOURCE
#include "observe/tools.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "observe/wrapped.h"

/* The addresses of an object that has been loaded: from its first byte on, and behind its last. */
typedef struct {
    uintptr_t address, begin, end; /* of an address in it */
} object_t;

static int find_object(struct dl_phdr_info *info, size_t size, void *context)
{
    object_t *object = context;
    uintptr_t begin = UINTPTR_MAX, end = 0;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD)
            continue;
        begin = at < begin ? at : begin;
        end = at + part->p_memsz > end ? at + part->p_memsz : end;
    }
    if (object->address < begin || object->address >= end)
        return 0;
    object->begin = begin;
    object->end = end;
    return 1;
}

/* Where this code is: libxmpi, or the program that it is linked into. Looked for once: dladdr takes
 * more instructions for each of the hundreds of calls than MPI_Init in all. */
static bool is_own(const void *address)
{
    static const char here = 0;
    static object_t own;
    if (own.end == 0) {
        own.address = (uintptr_t)&here;
        dl_iterate_phdr(find_object, &own);
    }
    return (uintptr_t)address >= own.begin && (uintptr_t)address < own.end;
}

/* A program that takes the address of a call has an entry of its own for it, which leads to whoever
 * comes next, and is no definition. */
static bool is_defined(const void *address, Dl_info *info)
{
    const ElfW(Sym) *symbol = NULL;
    return dladdr1(address, info, (void **)&symbol, RTLD_DL_SYMENT) != 0 && symbol != NULL &&
           symbol->st_shndx != SHN_UNDEF;
}

bool xmpi_tools_wrap(const char *call, char *text, size_t room)
{
    Dl_info info;
    const void *first = dlsym(RTLD_DEFAULT, call);
    if (first == NULL || is_own(first) || !is_defined(first, &info))
        return false;
    snprintf(text, room, "%s in %s", call, info.dli_fname);
    return true;
}

/* The first object of all is the program. */
static int find_program(struct dl_phdr_info *info, size_t size, void *context)
{
    object_t *program = context;
    for (int i = 0; i < info->dlpi_phnum && program->address == 0; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD)
            program->address = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    find_object(info, size, context);
    return 1;
}

static bool is_of_program(const void *address)
{
    static object_t program;
    if (program.end == 0)
        dl_iterate_phdr(find_program, &program);
    return (uintptr_t)address >= program.begin && (uintptr_t)address < program.end;
}

bool xmpi_tools_are_of_program(const char *name)
{
    Dl_info info;
    const void *first = dlsym(RTLD_DEFAULT, name);
    return first != NULL && is_of_program(first) && is_defined(first, &info);
}

static const void *section_of(const ElfW(Dyn) * entry, ElfW(Sxword) tag)
{
    while (entry->d_tag != DT_NULL && entry->d_tag != tag)
        entry++;
    return entry->d_tag == tag ? (const void *)entry->d_un.d_ptr : NULL;
}

static bool goes_past(const char *name)
{
    static const char *const harmless[] = {"PMPI_Wtime", "PMPI_Wtick", "PMPI_Initialized",
                                           "PMPI_Finalized", "PMPI_Comm_get_attr"};
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (strcmp(name, harmless[i]) == 0)
            return false;
    return strncmp(name, "PMPI_", 5) == 0;
}

/* What a program lacks stands before what it has in the table by which the linker finds names, the
 * second word of which is how much that is. */
bool xmpi_tools_are_passed(char *text, size_t room)
{
    static const char here = 0;
    struct link_map *program = dlopen(NULL, RTLD_LAZY);
    if (program == NULL || is_of_program(&here))
        return false;
    const ElfW(Sym) *symbol = section_of(program->l_ld, DT_SYMTAB);
    const char *names = section_of(program->l_ld, DT_STRTAB);
    const uint32_t *hashes = section_of(program->l_ld, DT_GNU_HASH);
    uint32_t n = symbol != NULL && names != NULL && hashes != NULL ? hashes[1] : 0;
    uint32_t i = 0;
    while (i < n && !goes_past(names + symbol[i].st_name))
        i++;
    if (i < n)
        snprintf(text, room, "%s", names + symbol[i].st_name);
    return i < n;
}

bool xmpi_tools_before(char *text, size_t room)
{
    for (int i = 0; xmpi_wrapped_calls[i] != NULL; i++)
        if (xmpi_tools_wrap(xmpi_wrapped_calls[i], text, room))
            return true;
    return false;
}
