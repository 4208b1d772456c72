/* SPDX-License-Identifier: BSD-3-Clause
 * To be loaded before a program: the first process beyond the first three that reads a program out
 * of another process, when there is a file "fail" that it can remove, may not ("how.refuse"), is
 * killed ("how.end"), or does not go on for some seconds, and then reads too little; or is killed
 * later, when all have agreed that it has the program, and make its world ("how.agreed"). With
 * "how.slow" a process that spawns others does not get on for a while after it has said so. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "act/doors/line.h"

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

/* What begins with a mark and the word for a result. */
static int is_result(const void *data, size_t size)
{
    const uint32_t *head = data;
    return size == 16 && head[0] == 0x494D5058 && head[1] == XMPI_WORD_RESULT;
}

ssize_t send(int fd, const void *data, size_t size, int flags)
{
    ssize_t (*next)(int, const void *, size_t, int);
    static int says;
    *(void **)&next = dlsym(RTLD_NEXT, "send");
    ssize_t sent = next(fd, data, size, flags);
    if (is_result(data, size))
        says = 1;
    else if (says && access("how.slow", F_OK) == 0) {
        says = 0;
        usleep(200000);
    }
    return sent;
}
