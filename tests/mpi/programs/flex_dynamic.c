/* SPDX-License-Identifier: BSD-3-Clause
 * The program of the spawned processes of thesis Fig. 4.13. */
#include <stdio.h>

#include "xmpi.h"

static void take_part(int rank)
{
    int sum, mine = rank + 1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, XMPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, all[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(XMPI_COMM_WORLD, &rank);
    take_part(rank);
    XMPI_Remove(1, NULL);
    if (XMPI_Get_process_status() != XMPI_REMOVED) {
        take_part(rank);
        MPI_Comm_rank(XMPI_COMM_WORLD, &rank);
        MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, XMPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
