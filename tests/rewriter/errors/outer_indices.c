/* Places in the block, put into rows by a loop around. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define N 240
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * N / size, count = (rank + 1) * N / size - first;
    double *u = malloc(count * sizeof *u);
    int *places = calloc(count, sizeof *places);
    for (int i = 0; i < count; i++)
        u[i] = (first + i) % 7;
    for (int s = 0; s < 4; s++) {
        double placed = 0, all;
        for (int i = 0; i < count; i++)
            placed += (double)places[i] * u[i];
        MPI_Reduce(&placed, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0)
            printf("%.9g\n", all);
#pragma xmpi loop divisible
        for (int t = 0; t < 50; t++) {
            for (int i = 0; i < count; i++)
                u[i] = .5 * u[i] + (first + i) % 5 + .001 * t;
        }
        for (int i = 0; i < count; i++)
            places[i] = i;
    }
    MPI_Finalize();
    return 0;
}
