/* The array is set in every second iteration only, by each rank in its part. */
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
    double *work = malloc((size_t)n * sizeof *work), sum = 0;
#pragma xmpi loop
    for (int step = 0; step < 20; step++) {
        double own = 0, all;
        if (step % 2 == 0)
            for (int i = displ; i < displ + count; i++)
                work[n - 1 - i] = i * step;
        for (int i = displ; i < displ + count; i++)
            own += work[n - 1 - i];
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sum += all;
    }
    if (rank == 0)
        printf("result %g\n", sum);
    MPI_Finalize();
    return 0;
}
