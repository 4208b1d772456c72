/* SPDX-License-Identifier: BSD-3-Clause
 * A struct of which rank 0 broadcasts the first member alone, as bytes: the second one is another
 * value on each rank, and each row takes it up. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct settings {
    int n, step;
};

int main(int argc, char **argv)
{
    int rank, size;
    struct settings has;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    has.n = 40;
    has.step = 1 + rank;
    MPI_Bcast(&has, sizeof(int), MPI_BYTE, 0, MPI_COMM_WORLD);
    int count = has.n / size + (rank < has.n % size), first = 0;
    first = rank * (has.n / size) + (rank < has.n % size ? rank : has.n % size);
    double *u = malloc(count * sizeof *u + 1), sum = 0, all;
    for (int i = 0; i < count; i++)
        u[i] = (first + i) % 7;
#pragma xmpi loop
    for (int k = 0; k < 40; k++)
        for (int i = 0; i < count; i++)
            u[i] = .9 * u[i] + .01 * has.step;
    for (int i = 0; i < count; i++)
        sum += u[i] * (first + i);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    free(u);
    MPI_Finalize();
    return 0;
}
