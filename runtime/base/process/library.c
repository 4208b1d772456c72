/* SPDX-License-Identifier: BSD-3-Clause
 * Libraries that are loaded when they are first needed. */
#define _GNU_SOURCE
#include "base/process/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NOT_TRIED, LOADED, MISSING, STATIC };

/* Room for the versions of symbols that this library needs, as install/own_symbols.c changes them
 * for the dynamic linker. */
__attribute__((used)) static const char own_versions[2048] = "XMPI: versions of its own symbols";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A library binds its own symbols before the program's, which may have a copy of another version in
 * it; but sanitizers end a program that asks for that. */
static int deep(void)
{
    static const char *const sanitizers[] = {"__asan_init", "__tsan_init", "__msan_init",
                                             "__lsan_init"};
    for (size_t i = 0; i < sizeof sanitizers / sizeof *sanitizers; i++)
        if (dlsym(RTLD_DEFAULT, sanitizers[i]) != NULL)
            return 0;
    return RTLD_DEEPBIND;
}

static int is_c_library(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    return strstr(info->dlpi_name, "libc.so") != NULL;
}

/* A static program has its own C library. One that came with a library would be another, which does
 * not know of the threads that there are (glibc). */
static bool is_static(void)
{
    return dl_iterate_phdr(is_c_library, NULL) == 0;
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
        library->state = is_static() ? STATIC : load(library) ? LOADED : MISSING;
    int state = library->state;
    pthread_mutex_unlock(&lock);
    if (state == LOADED)
        return XMPI_OK;
    if (state == STATIC)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s: needs %s, which a static program cannot load: link the program "
                              "without -static",
                              library->purpose, library->file);
    return xmpi_error_set(error, XMPI_ERR_INPUT,
                          "%s: needs %s, which cannot be loaded here: install the package %s",
                          library->purpose, library->file, library->package);
}

bool xmpi_library_beside(const char *name, char *path, size_t room)
{
    Dl_info here;
    char real[PATH_MAX];
    if (dladdr(&lock, &here) == 0 || here.dli_fname == NULL ||
        realpath(here.dli_fname, real) == NULL)
        return false;
    char *slash = strrchr(real, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    int length = snprintf(path, room, "%s/%s", real, name);
    return length < (int)room && access(path, X_OK) == 0;
}
