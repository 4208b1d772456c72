/* SPDX-License-Identifier: BSD-3-Clause
 * To be loaded before a program: the first process beyond the first three that reads a program out
 * of another process, when there is a file "fail" that it can remove, may not ("how.refuse"), is
 * killed ("how.end"), or does not go on for some seconds, and then reads too little; or is killed
 * later, when all have agreed that it has the program, and make its world ("how.agreed"). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

static int joins;

__attribute__((constructor)) static void look(void)
{
    const char *rank = getenv("PMI_RANK");
    joins = getenv("PMI_SPAWNED") != NULL || (rank != NULL && atoi(rank) >= 3);
}

ssize_t process_vm_readv(pid_t process, const struct iovec *here, unsigned long heres,
                         const struct iovec *there, unsigned long theres, unsigned long flags)
{
    ssize_t (*next)(pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned long,
                    unsigned long);
    *(void **)&next = dlsym(RTLD_NEXT, "process_vm_readv");
    if (!joins || access("how.agreed", F_OK) == 0 || unlink("fail") != 0)
        return next(process, here, heres, there, theres, flags);
    if (access("how.refuse", F_OK) == 0) {
        errno = EPERM;
        return -1;
    }
    if (access("how.end", F_OK) == 0)
        raise(SIGKILL);
    ssize_t got = next(process, here, 1, there, 1, flags);
    sleep(6); /* for twice as long as it is waited for */
    return got;
}

int PMPI_Comm_create(MPI_Comm of, MPI_Group group, MPI_Comm *made)
{
    int (*next)(MPI_Comm, MPI_Group, MPI_Comm *);
    *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Comm_create");
    if (joins && access("how.agreed", F_OK) == 0 && unlink("fail") == 0)
        raise(SIGKILL);
    return next(of, group, made);
}
