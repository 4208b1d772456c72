/* An array of fixed size, of own rows, that the loop around the adaptive one adds to. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static double acc[100];
int main(int argc, char **argv)
{
    int rank, size, n = 48;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size),
        first = rank * (n / size) + (rank < n % size ? rank : n % size);
    double *u = malloc(count * sizeof *u), s = 0, g;
    for (int i = 0; i < count; i++)
        u[i] = first + i;

    for (int step = 0; step < 5; step++) {
#pragma xmpi loop divisible
        for (int k = 0; k < 16; k++)
            for (int i = 0; i < count; i++)
                u[i] = 0.5 * u[i] + first + i;
        for (int i = 0; i < count; i++)
            acc[i] += first + i;
    }
    for (int i = 0; i < count; i++)
        s += acc[i] * (first + i);
    MPI_Reduce(&s, &g, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.17g\n", g);
    MPI_Finalize();
    return 0;
}
