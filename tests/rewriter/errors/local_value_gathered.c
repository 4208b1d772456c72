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
    double *whole = calloc((size_t)n, sizeof *whole);
    int *counts = malloc((size_t)size * sizeof *counts), *firsts = malloc((size_t)size * sizeof *firsts);
    for (int r = 0; r < size; r++) {
        firsts[r] = r * n / size;
        counts[r] = (r + 1) * n / size - firsts[r];
    }
#pragma xmpi loop
    for (int k = 0; k < 40; k++) {
        for (int i = 0; i < count; i++)
            u[i] = .9 * u[i] + (first + i + k) % 7;
        MPI_Allgatherv(u, count, MPI_DOUBLE, whole, counts, firsts, MPI_DOUBLE, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            u[i] += .1 * whole[i];
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
