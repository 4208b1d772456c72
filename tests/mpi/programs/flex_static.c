/* SPDX-License-Identifier: BSD-3-Clause
 * The program of the initial processes of thesis Fig. 4.13: spawns three of flex_dynamic, removes one.
 *
 * Usage: flex_static FLEX_DYNAMIC [wrong]: prints the size and the members' sum after each change. With
 * "wrong" it first makes mistakes, which must change nothing. */
#include <stdio.h>
#include <string.h>

#include "xmpi.h"

static void show(const char *when, int rank)
{
    int size, sum, mine = rank + 1;
    MPI_Comm_size(XMPI_COMM_WORLD, &size);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, XMPI_COMM_WORLD);
    if (rank == 0)
        printf("%s: %d processes, sum %d\n", when, size, sum);
}

int main(int argc, char **argv)
{
    int rank, size, all[64];
    char *no_class[] = {"C99", "C99"};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(XMPI_COMM_WORLD, &rank);
    if (argc > 2 && strcmp(argv[2], "wrong") == 0) {
        int codes = XMPI_Spawn(argv[1], NULL, 0, MPI_INFO_NULL, NULL) != MPI_SUCCESS;
        codes += XMPI_Spawn(argv[1], NULL, 2, MPI_INFO_NULL, no_class) != MPI_SUCCESS;
        codes += XMPI_Spawn("/nonexistent/program", NULL, 1, MPI_INFO_NULL, NULL) != MPI_SUCCESS;
        codes += XMPI_Remove(99, NULL) != MPI_SUCCESS;
        if (rank == 0)
            printf("%d refused\n", codes);
    }
    if (XMPI_Spawn(argv[1], NULL, 3, MPI_INFO_NULL, NULL) != MPI_SUCCESS)
        MPI_Abort(XMPI_COMM_WORLD, 1);
    show("spawned", rank);
    if (XMPI_Remove(1, NULL) != MPI_SUCCESS)
        MPI_Abort(XMPI_COMM_WORLD, 1);
    if (XMPI_Get_process_status() != XMPI_REMOVED) {
        show("removed", rank);
        MPI_Comm_rank(XMPI_COMM_WORLD, &rank);
        MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, XMPI_COMM_WORLD);
        MPI_Comm_size(XMPI_COMM_WORLD, &size);
        for (int i = 0; i < size; i++)
            if (all[i] != i)
                MPI_Abort(XMPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
