#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 48;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u = calloc((size_t)count, sizeof *u);
#pragma xmpi loop
    for (int k = 0; k < 40; k++) {
        for (int i = 0; i < count; i++)
            u[i] = .9 * u[i] + (2 * first + i + k) % 7;
    }
    double own = 0, all;
    for (int i = 0; i < count; i++)
        own += u[i] * (first + i);
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    MPI_Finalize();
    return 0;
}
