/* SPDX-License-Identifier: BSD-3-Clause
 * Tools that wrap MPI calls before this library: found by where the dynamic linker finds the calls.
 */
#define _GNU_SOURCE
#include "observe/tools.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>

/* Where this code is: libxmpi, or the program that it is linked into. */
static const void *own_object(void)
{
    static const char here = 0;
    Dl_info info;
    return dladdr(&here, &info) != 0 ? info.dli_fbase : NULL;
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
    if (first == NULL || !is_defined(first, &info) || info.dli_fbase == own_object())
        return false;
    snprintf(text, room, "%s in %s", call, info.dli_fname);
    return true;
}

bool xmpi_tools_before(char *text, size_t room)
{
    for (int i = 0; xmpi_wrapped_calls[i] != NULL; i++)
        if (xmpi_tools_wrap(xmpi_wrapped_calls[i], text, room))
            return true;
    return false;
}
