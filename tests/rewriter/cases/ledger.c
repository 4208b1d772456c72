/* Tables of all ranks' parts that functions make: one hands its table back, one keeps it in variables of the file and asks
 * for the size itself. Both are gathered anew after a reconfiguration. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int *displs;

static int *counts_of(int n, int size)
{
    int *table = malloc((size_t)size * sizeof *table);
    for (int p = 0; p < size; p++)
        table[p] = (p + 1) * n / size - p * n / size;
    return table;
}

static void divide(int n)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    displs = malloc((size_t)size * sizeof *displs);
    for (int p = 0; p < size; p++)
        displs[p] = p * n / size;
}

int main(int argc, char **argv)
{
    int rank, size, n = 47;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = malloc((size_t)count * sizeof *u), *every = malloc((size_t)n * sizeof *every);
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
    int *counts = counts_of(n, size);
    divide(n);
#pragma xmpi loop
    for (int k = 0; k < 40; k++) {
        MPI_Allgatherv(u, count, MPI_DOUBLE, every, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            u[i] = 0.75 * u[i] + 0.25 * every[(displ + i + 5) % n];
    }
    double own = 0, sum = 0;
    for (int i = 0; i < count; i++)
        own += u[i] * (displ + i);
    MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.9g\n", sum);
    free(u);
    free(every);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
