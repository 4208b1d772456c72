/* Savings with interest and a levy on the rich: the rows are shared out by a function of another file. */
#include "share.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 700, first, count, i;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi domain(n) range(count, first)
    share(n, rank, size, &first, &count);
    double *savings = malloc(count * sizeof *savings), richest = 0;
    for (i = 0; i < count; i++)
        savings[i] = (first + i) % 13;
#pragma xmpi loop
    for (int year = 0; year < 30; year++) {
        double most = 0;
        for (i = 0; i < count; i++)
            most = savings[i] > most ? savings[i] : most;
        MPI_Allreduce(&most, &richest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        for (i = 0; i < count; i++)
            savings[i] = savings[i] * 1.02 + (savings[i] > richest / 2 ? -0.25 : 0.5);
    }
    double own = 0, all;
    for (i = 0; i < count; i++)
        own = savings[i] * ((first + i) % 5) > own ? savings[i] * ((first + i) % 5) : own;
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("richest %.15g, %.15g\n", richest, all);
    free(savings);
    MPI_Finalize();
    return 0;
}
