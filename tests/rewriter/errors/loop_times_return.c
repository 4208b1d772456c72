/* The function with the loop is left in an inner one, by the number of processes. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int relax(double *u, int count, int displ, int size)
{
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int j = 0; j < 3; j++)
            if (k > 2 * size)
                return 1;
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * ((displ + i + k) % 5);
    }
    return 0;
}

int main(int argc, char **argv)
{
    int rank, n = 48;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
    relax(u, count, displ, size);
    double own = 0, sum = 0;
    for (int i = 0; i < count; i++)
        own += u[i] * (displ + i);
    MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.9g\n", sum);
    free(u);
    MPI_Finalize();
    return 0;
}
