#include <mpi.h>
#include <stdlib.h>

/* Every so manieth row: these are no blocks. */
int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = (n - rank + size - 1) / size;
    double *u = calloc(count, sizeof *u);
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < count; i++)
            u[i] += rank + i * size;
    MPI_Finalize();
    return 0;
}
