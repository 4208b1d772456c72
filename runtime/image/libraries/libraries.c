/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "image/libraries/libraries.h"

#include <dlfcn.h>
#include <stddef.h>

void *__real_dlsym(void *library, const char *name) __attribute__((weak));

void *xmpi_libraries_find(const char *name)
{
    return __real_dlsym != NULL ? __real_dlsym(RTLD_DEFAULT, name) : NULL;
}
