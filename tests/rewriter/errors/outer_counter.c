/* What the loop around the adaptive one counts of the process's own rows. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define N 120
int main(int argc, char **argv)
{
    int rank, size;
    long work = 0, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * N / size, count = (rank + 1) * N / size - first;
    double *u = calloc(count, sizeof *u), sum;
    for (int step = 0; step < 6; step++) {
#pragma xmpi loop divisible
        for (int t = 0; t < 20; t++) {
            double own = 0;
            for (int i = 0; i < count; i++)
                own += u[i] += (first + i) % 4;
            MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        }
        for (int i = 0; i < count; i++)
            work += 1;
    }
    MPI_Reduce(&work, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld %g\n", all, sum);
    MPI_Finalize();
    return 0;
}
