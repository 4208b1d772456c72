/* SPDX-License-Identifier: BSD-3-Clause
 * The temporary folder of one command. Each input has a folder of its own in it, so that files of
 * the same name, and the #include of one from another, cannot meet. */
#ifndef XMPICC_WORKSPACE_H
#define XMPICC_WORKSPACE_H

#include <stdbool.h>

#include "driver/base/memory.h"

typedef struct {
    const char *folder; /* $TMPDIR/xmpi.… */
    bool real;          /* not real: only a name to print */
    const char **texts; /* for each input: its rewritten text; NULL: it is compiled as it is */
    bool fell_back;     /* some input with a pragma is compiled as it is */
} workspace_t;

/* Makes the folder for INPUTS inputs (or only its name); 0, or the exit status after a message. */
int workspace_make(workspace_t *workspace, memory_t *memory, size_t inputs, bool real);
void workspace_remove(workspace_t *workspace);

/* The name of a file NAME in the folder of input number INPUT, which is made. */
char *workspace_file(const workspace_t *workspace, memory_t *memory, size_t input,
                     const char *name);

#endif
