/* SPDX-License-Identifier: BSD-3-Clause
 * What is printed behind the loop is added up by a table of who has which row. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u = malloc(sizeof *u * (size_t)count);
    for (int i = 0; i < count; i++)
        u[i] = (first + i) % 7;
#pragma xmpi loop
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < count; i++)
            u[i] = 0.5 * u[i] + (first + i) % 5;
    int own = count, next = 0, *each = malloc(size * sizeof *each), *who = malloc(n * sizeof *who);
    double t = 0, all = 0;
    MPI_Allgather(&own, 1, MPI_INT, each, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        for (int i = 0; i < each[r]; i++)
            who[next++] = r;
    for (int i = 0; i < n; i++)
        if (who[i] == rank)
            t += (1 + i % 4) * u[i - first];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("owners0 %.9g\n", all);
    MPI_Finalize();
}
