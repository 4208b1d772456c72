/* SPDX-License-Identifier: BSD-3-Clause
 * Whoever comes after this library with a function of the same name. */
#define _GNU_SOURCE
#include "observe/files/next.h"

#include <dlfcn.h>
#include <stddef.h>

#include "base/misuse.h"

/* (Where the C library comes before this one in the order of libraries, nobody comes next, and only
 * this library itself is here.) */
void *xmpi_file_next(const char *name)
{
    void *next = dlsym(RTLD_NEXT, name);
    if (next == NULL)
        next = dlsym(RTLD_DEFAULT, name);
    if (next == NULL)
        xmpi_misuse("%s: no library has it", name);
    return next;
}
