/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks in the middle give the variable of a send to another one, and never wait for the first. */
#include "point.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    unsigned long sum = 1;
    double edge = 0, left = 0, right = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < n; step++) {
        MPI_Request request = MPI_REQUEST_NULL;
        XMPI_Point();
        edge = edge / 2 + rank + step;
        if (rank > 0)
            MPI_Isend(&edge, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, &request);
        if (rank < size - 1)
            MPI_Isend(&edge, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, &request);
        if (rank > 0)
            MPI_Recv(&left, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank < size - 1)
            MPI_Recv(&right, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        sum = mix(sum, left + right);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    say("loses", sum);
    MPI_Finalize();
    return 0;
}
