/* Ends with what processes have made of their rows in a way that nobody puts together. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    int k = 0;
    double most = 1000;
#pragma xmpi loop
    while (k++ < 20 && most > 20) {
        double red = 0, black = 0, both = 0;
        for (int i = 0; i < count; i++)
            if (u[i] > 3)
                red += u[i];
            else
                black += u[i];
        double own_most = red > black ? red : red + black;
        MPI_Allreduce(&own_most, &most, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * k;
    }
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
