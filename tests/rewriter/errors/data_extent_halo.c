#include <mpi.h>
#include <stdlib.h>

/* Not as many ghost rows as the pragma says. */
int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *wall = calloc(count + 1, sizeof *wall);
#pragma xmpi data halo(wall[n]: 1)
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < count; i++)
            wall[i] = wall[i + 1] + first;
    MPI_Finalize();
    return 0;
}
