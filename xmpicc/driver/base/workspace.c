/* SPDX-License-Identifier: BSD-3-Clause
 * The temporary folder of one command. */
#define _GNU_SOURCE
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "driver/base/message.h"
#include "driver/base/workspace.h"

/* The compilers split -ffile-prefix-map=OLD=NEW at the first '='. */
static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder == NULL || *folder == '\0' || strchr(folder, '=') != NULL ? "/tmp" : folder;
}

int workspace_make(workspace_t *workspace, memory_t *memory, size_t inputs, bool real)
{
    char *folder = memory_format(memory, "%s/xmpi.XXXXXX", temporary_folder());
    if (real && mkdtemp(folder) == NULL)
        return complain("cannot make a temporary folder %s: %s: see TMPDIR", folder,
                        strerror(errno));
    workspace->folder = folder;
    workspace->real = real;
    workspace->texts = memory_get(memory, (inputs + 1) * sizeof *workspace->texts);
    return 0;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    return remove(path);
}

void workspace_remove(workspace_t *workspace)
{
    if (workspace->real)
        nftw(workspace->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    workspace->real = false;
}

char *workspace_file(const workspace_t *workspace, memory_t *memory, size_t input, const char *name)
{
    char *folder = memory_format(memory, "%s/%zu", workspace->folder, input);
    if (workspace->real)
        mkdir(folder, 0700);
    return memory_format(memory, "%s/%s", folder, name);
}
