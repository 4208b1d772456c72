/* SPDX-License-Identifier: BSD-3-Clause
 * A library to preload that writes the name of every MPI call to the file LOG_CALLS.<process id>.
 *
 * Compiled with -DLEVEL=MPI_ it stands between a plain program and the MPI, with -DLEVEL=PMPI_
 * between the runtime and the MPI: when adaptation is off, both must see the same calls. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define JOIN_NAMES(a, b) a##b
#define NAME(level, call) JOIN_NAMES(level, call)
#define TEXT_OF(name) #name

static void *logged(const char *call)
{
    char path[4096], name[128];
    snprintf(path, sizeof path, "%s.%d", getenv("LOG_CALLS"), (int)getpid());
    FILE *file = fopen(path, "a");
    if (file != NULL) {
        fprintf(file, "%s\n", call);
        fclose(file);
    }
    snprintf(name, sizeof name, "PMPI_%s", call);
    return dlsym(RTLD_NEXT, name);
}

#define LOGGED(call, parameters, arguments)                                                        \
    int NAME(LEVEL, call) parameters                                                               \
    {                                                                                              \
        int(*next) parameters;                                                                     \
        *(void **)&next = logged(TEXT_OF(call));                                                   \
        return next arguments;                                                                     \
    }

LOGGED(Init, (int *a, char ***b), (a, b))
LOGGED(Finalize, (void), ())
LOGGED(Abort, (MPI_Comm a, int b), (a, b))
LOGGED(Comm_rank, (MPI_Comm a, int *b), (a, b))
LOGGED(Comm_size, (MPI_Comm a, int *b), (a, b))
LOGGED(Comm_dup, (MPI_Comm a, MPI_Comm *b), (a, b))
LOGGED(Comm_split, (MPI_Comm a, int b, int c, MPI_Comm *d), (a, b, c, d))
LOGGED(Comm_create_group, (MPI_Comm a, MPI_Group b, int c, MPI_Comm *d), (a, b, c, d))
LOGGED(Comm_free, (MPI_Comm * a), (a))
LOGGED(Comm_disconnect, (MPI_Comm * a), (a))
LOGGED(Comm_get_parent, (MPI_Comm * a), (a))
LOGGED(Comm_set_errhandler, (MPI_Comm a, MPI_Errhandler b), (a, b))
LOGGED(Comm_spawn,
       (const char *a, char **b, int c, MPI_Info d, int e, MPI_Comm f, MPI_Comm *g, int *h),
       (a, b, c, d, e, f, g, h))
LOGGED(Send, (const void *a, int b, MPI_Datatype c, int d, int e, MPI_Comm f), (a, b, c, d, e, f))
LOGGED(Recv, (void *a, int b, MPI_Datatype c, int d, int e, MPI_Comm f, MPI_Status *g),
       (a, b, c, d, e, f, g))
LOGGED(Isend, (const void *a, int b, MPI_Datatype c, int d, int e, MPI_Comm f, MPI_Request *g),
       (a, b, c, d, e, f, g))
LOGGED(Irecv, (void *a, int b, MPI_Datatype c, int d, int e, MPI_Comm f, MPI_Request *g),
       (a, b, c, d, e, f, g))
LOGGED(Waitall, (int a, MPI_Request *b, MPI_Status *c), (a, b, c))
LOGGED(Barrier, (MPI_Comm a), (a))
LOGGED(Bcast, (void *a, int b, MPI_Datatype c, int d, MPI_Comm e), (a, b, c, d, e))
LOGGED(Gather,
       (const void *a, int b, MPI_Datatype c, void *d, int e, MPI_Datatype f, int g, MPI_Comm h),
       (a, b, c, d, e, f, g, h))
LOGGED(Reduce, (const void *a, void *b, int c, MPI_Datatype d, MPI_Op e, int f, MPI_Comm g),
       (a, b, c, d, e, f, g))
LOGGED(Allreduce, (const void *a, void *b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f),
       (a, b, c, d, e, f))
LOGGED(Allgather,
       (const void *a, int b, MPI_Datatype c, void *d, int e, MPI_Datatype f, MPI_Comm g),
       (a, b, c, d, e, f, g))
LOGGED(Allgatherv,
       (const void *a, int b, MPI_Datatype c, void *d, const int *e, const int *f, MPI_Datatype g,
        MPI_Comm h),
       (a, b, c, d, e, f, g, h))
LOGGED(Type_size, (MPI_Datatype a, int *b), (a, b))
