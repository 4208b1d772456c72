#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void iterate(double *own, int count, int displ)
{
#pragma xmpi loop restore
    for (int step = 0; step < 9; step++)
        for (int i = 0; i < count; i++)
            own[i] += displ + i;
}

int main(int argc, char **argv)
{
    int rank, size, n = 64;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *own = calloc((size_t)count, sizeof *own);
    iterate(own, count, displ);
    free(own);
    MPI_Finalize();
    return 0;
}
