#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 50;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u[2];
    u[0] = malloc(count * sizeof(double));
    u[1] = malloc(count * sizeof(double));
    for (int i = 0; i < count; i++)
        u[0][i] = first + i;
#pragma xmpi loop
    for (int t = 0; t < 10; t++)
        for (int i = 0; i < count; i++)
            u[(t + 1) % 2][i] = u[t % 2][i] / 2;
    MPI_Finalize();
    return 0;
}
