/* SPDX-License-Identifier: BSD-3-Clause
 * To be loaded before a program: the first process that has spawned others together, when there is
 * a file "die" that it can remove, is killed before it has told them anything. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

int PMPI_Comm_spawn_multiple(int count, char *programs[], char **arguments[], const int most[],
                             const MPI_Info info[], int root, MPI_Comm comm, MPI_Comm *made,
                             int codes[])
{
    int (*next)(int, char **, char ***, const int *, const MPI_Info *, int, MPI_Comm, MPI_Comm *,
                int *);
    *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Comm_spawn_multiple");
    int result = next(count, programs, arguments, most, info, root, comm, made, codes);
    if (unlink("die") == 0)
        raise(SIGKILL);
    return result;
}
