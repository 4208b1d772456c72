/* Reduced over a part of the processes only. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>


int main(int argc, char **argv)
{
    int rank, size, n = 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double sum = 0;
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
#pragma xmpi loop
    for (int step = 0; step < 20; step++) {
        double own = displ + count, all;
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, half);
        sum += all;
    }
    if (rank == 0)
        printf("result %g\n", sum);
    MPI_Finalize();
    return 0;
}
