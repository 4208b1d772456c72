/* SPDX-License-Identifier: BSD-3-Clause
 * Libraries that are loaded when they are first needed. */
#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { NOT_TRIED, LOADED, MISSING };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A library binds its own symbols before the program's, which may have a copy of another version in
 * it; but sanitizers end a program that asks for that. */
static int deep(void)
{
    static const char *const sanitizers[] = {"__asan_init", "__tsan_init", "__msan_init"};
    for (size_t i = 0; i < sizeof sanitizers / sizeof *sanitizers; i++)
        if (dlsym(RTLD_DEFAULT, sanitizers[i]) != NULL)
            return 0;
    return RTLD_DEEPBIND;
}

static bool load(xmpi_library_t *library)
{
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL | deep());
    bool found = handle != NULL;
    for (size_t i = 0; found && library->name[i] != NULL; i++) {
        void *address = dlsym(handle, library->name[i]);
        memcpy((char *)library->function + i * sizeof address, &address, sizeof address);
        found = address != NULL;
    }
    return found;
}

xmpi_status_t xmpi_library_load(xmpi_library_t *library, xmpi_error_t *error)
{
    pthread_mutex_lock(&lock);
    if (library->state == NOT_TRIED)
        library->state = load(library) ? LOADED : MISSING;
    bool loaded = library->state == LOADED;
    pthread_mutex_unlock(&lock);
    if (loaded)
        return XMPI_OK;
    return xmpi_error_set(error, XMPI_ERR_INPUT,
                          "%s: needs %s, which cannot be loaded here: install the package %s",
                          library->purpose, library->file, library->package);
}
