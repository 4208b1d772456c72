/* SPDX-License-Identifier: BSD-3-Clause
 * Calls that look for files, or open them, otherwise than as streams or descriptors
 * (image/reads.h). */
#include <mpi.h>
#include <stdbool.h>
#include <string.h>

#include "image/reads.h"

int __real_MPI_File_open(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file)
    __attribute__((weak));
int __wrap_MPI_File_open(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file);

int __real_access(const char *path, int mode);
int __wrap_access(const char *path, int mode);

int __wrap_access(const char *path, int mode)
{
    xmpi_reads_note(path, true);
    return __real_access(path, mode);
}

/* Without the kind of file system that may stand before it: "nfs:data". */
static const char *bare(const char *path)
{
    const char *colon = path != NULL ? strchr(path, ':') : NULL;
    const char *slash = path != NULL ? strchr(path, '/') : NULL;
    return colon != NULL && (slash == NULL || colon < slash) ? colon + 1 : path;
}

int __wrap_MPI_File_open(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file)
{
    if ((mode & MPI_MODE_WRONLY) == 0)
        xmpi_reads_note(bare(path), true);
    return __real_MPI_File_open(comm, path, mode, info, file);
}
