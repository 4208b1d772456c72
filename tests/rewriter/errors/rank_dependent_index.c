/* Which elements are set follows the rank: the table of another rank would travel. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 60, mask[8] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    mask[rank % 8] = 1;
    double *u = calloc(count, sizeof *u);
#pragma xmpi loop
    for (int k = 0; k < 10; k++)
        for (int i = 0; i < count; i++)
            u[i] += mask[(first + i) % 8];
    free(u);
    MPI_Finalize();
    return 0;
}
