/* Sums of the own rows up to each, made before the loop and used behind it only. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

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
    double *pre = malloc(count * sizeof *pre);
    for (int i = 0; i < count; i++)
        pre[i] = (i ? pre[i - 1] : 0) + 1;
#pragma xmpi loop divisible
    for (int k = 0; k < 40; k++)
        for (int i = 0; i < count; i++)
            u[i] = 0.5 * u[i] + first + i;
    s = pre[count - 1];
    MPI_Reduce(&s, &g, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.17g\n", g);
    MPI_Finalize();
    return 0;
}
