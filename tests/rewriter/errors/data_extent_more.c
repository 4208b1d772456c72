#include <mpi.h>
#include <stdlib.h>

/* One row more than the process's own, and the loop uses it. */
int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *wall = calloc(count + 1, sizeof *wall);
#pragma xmpi data distributed(wall[n])
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < count; i++)
            wall[i] = wall[i + 1] + first;
    MPI_Finalize();
    return 0;
}
