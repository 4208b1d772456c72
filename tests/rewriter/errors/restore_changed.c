#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 64;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int base = n / size;
    int displ = rank * base, count = rank + 1 < size ? base : n - displ;
    double *own = calloc((size_t)count, sizeof *own);
#pragma xmpi loop restore
    for (int step = 0; step < 9; step++)
        for (base = 0; base < count; base++)
            own[base] += displ + base;
    free(own);
    MPI_Finalize();
    return 0;
}
