/* SPDX-License-Identifier: BSD-3-Clause
 * Gives error handlers and names to the world and to duplicates of it, and fails in the loop: says
 * on each rank what came back. With the argument fatal the world keeps its own handler. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int handled;

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    handled++;
}

/* Fails in all ways that the handlers of the program allow. */
static void report(int it, int rank, int fatal, MPI_Comm comm, MPI_Comm early)
{
    int number = 0, length, before = handled;
    char name[MPI_MAX_OBJECT_NAME], other[MPI_MAX_OBJECT_NAME];
    int world = fatal || MPI_Send(&number, 1, MPI_INT, 99, 1, MPI_COMM_WORLD) != MPI_SUCCESS;
    int nowhere = fatal || MPI_Type_size(MPI_DATATYPE_NULL, &length) != MPI_SUCCESS;
    int null = fatal || MPI_Comm_size(MPI_COMM_WORLD, NULL) != MPI_SUCCESS;
    int own = MPI_Send(&number, 1, MPI_INT, 99, 1, comm) != MPI_SUCCESS && handled == before + 1;
    int first = MPI_Send(&number, 1, MPI_INT, 99, 1, early) != MPI_SUCCESS;
    MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
    MPI_Comm_get_name(comm, other, &length);
    printf("%d %d: %d%d%d%d%d %s %s\n", it, rank, world, nowhere, null, own, first, name, other);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int rank, size, rows = 100, fatal = argc > 1 && strcmp(argv[1], "fatal") == 0;
    MPI_Comm comm, early;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &early);
    MPI_Comm_set_errhandler(early, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Comm_set_name(comm, "second");
    MPI_Errhandler_free(&handler);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rows * rank / size, count = rows * (rank + 1) / size - first;
    double *u = calloc((size_t)count, sizeof *u);
#pragma xmpi initial
    if (!fatal) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Comm_set_name(MPI_COMM_WORLD, "first");
    }
#pragma xmpi loop
    for (int it = 0; it < 20; it++) {
        for (int i = 0; i < count; i++)
            u[i] += first + i;
        MPI_Barrier(comm);
        if (it % 5 == 4)
            report(it, rank, fatal, comm, early);
    }
    free(u);
    MPI_Finalize();
    return 0;
}
