/* SPDX-License-Identifier: BSD-3-Clause
 * Where XMPI is installed and which mpicc it works with. */
#ifndef XMPICC_INSTALL_H
#define XMPICC_INSTALL_H

#include "driver/arguments/settings.h"
#include "driver/base/words.h"

typedef struct {
    const char *self;     /* this very program */
    const char *prefix;   /* the folder above the one it is in */
    const char *rewriter; /* xmpi-rewrite */
    const char *mpicc;
    bool standard; /* under /usr: compiler and linker look there without being told */
} install_t;

/* Finds everything; 0, or the exit status after a message. */
int install_find(install_t *install, const settings_t *settings, memory_t *memory);

/* Adds the option that makes <xmpi.h> and <xmpi_gen.h> found: "-isystem" or "-I". */
void install_add_include(const install_t *install, const char *option, words_t *words);

/* What links the runtime: the shared library, which a linker may leave out where nothing refers to
 * it; the same always; or the static library with all it needs, beside an MPI library that is an
 * archive or where all are. */
typedef enum { RUNTIME_SHARED, RUNTIME_ALWAYS, RUNTIME_ARCHIVE, RUNTIME_STATIC } runtime_kind_t;
void install_add_runtime(const install_t *install, runtime_kind_t kind, words_t *words);

/* What lets a program move (runtime/image): the object, the functions that it stands for, and one place in
 * memory for all processes. */
void install_add_image(const install_t *install, words_t *words);

/* 0 when there is a runtime to link, else the exit status after a message. */
int install_check_runtime(const install_t *install, memory_t *memory);

#endif
