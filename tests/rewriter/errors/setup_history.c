#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* What the loop collects would be lost with the memory. */
int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int lo = rank * n / size, count = (rank + 1) * n / size - lo;
    double *u = calloc(count, sizeof *u), *history = NULL;
#pragma xmpi setup
    if (rank == 0)
        history = calloc(9, sizeof *history);
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        double own = 0, sum = 0;
        for (int i = 0; i < count; i++)
            own += u[i] += lo + i;
        MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0)
            history[k] = sum;
    }
    if (rank == 0)
        printf("%g\n", history[3]);
    MPI_Finalize();
    return 0;
}
