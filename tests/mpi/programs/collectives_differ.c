/* SPDX-License-Identifier: BSD-3-Clause
 * Makes collective operations as the runtime does, of which the last process skips one.
 *
 * Usage: collectives_differ SKIPS: prints "collectives: ok" where SKIPS is 0. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/collective.h"

int main(int argc, char **argv)
{
    int rank, size, number = 1, sum = 0, skips = argc > 1 && atoi(argv[1]) != 0;
    MPI_Init(&argc, &argv);
    xmpi_collective_compared = true;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    PMPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!skips || rank < size - 1)
        PMPI_Reduce(&number, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    PMPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0 && sum == size)
        printf("collectives: ok\n");
    MPI_Finalize();
    return 0;
}
