/* The rest of a block that no group of four takes, behind the loop. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 240
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * N / size, count = (rank + 1) * N / size - first;
    double *u = malloc(count * sizeof *u), sum = 0, all = 0;
    for (int i = 0; i < count; i++)
        u[i] = (first + i) % 7;
#pragma xmpi loop divisible
    for (int t = 0; t < 200; t++) {
        for (int i = 0; i < count; i++)
            u[i] = .5 * u[i] + (first + i) % 5 + .001 * t;
    }
    for (int i = count - count % 4; i < count; i++)
        u[i] += 1;
    for (int i = 0; i < count; i++)
        sum += u[i] * (first + i);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    MPI_Finalize();
    return 0;
}
