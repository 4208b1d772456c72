#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 48;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size, displ = rank * count;
    double *u = malloc(sizeof(double) * (size_t)count);
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
    long *bins = calloc(8, sizeof *bins), *total = calloc(8, sizeof *total);
#pragma xmpi loop
    for (int k = 0; k < 40; k++) {
        for (int b = 0; b < 8; b++)
            bins[b] = 0;
        for (int i = 0; i < count; i++)
            bins[(int)fabs(u[i] *= .9)]++;
        MPI_Allreduce(MPI_IN_PLACE, bins, 8, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        for (int b = 0; b < 8; b++)
            total[b] += bins[b];
    }
    if (rank == 0)
        printf("%ld\n", total[0]);
    MPI_Finalize();
    return 0;
}
