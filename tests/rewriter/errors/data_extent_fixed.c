/* A pointer to an array of fixed size: the array would be freed. */
#include <mpi.h>
#include <stdio.h>

enum { ROWS = 60 };

static double field[ROWS];

static void run(double *u, int n, int count)
{
#pragma xmpi data distributed(u[n])
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + k;
}

int main(int argc, char **argv)
{
    int rank, size, n = ROWS;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    for (int i = 0; i < count; i++)
        field[i] = first + i;
    run(field, n, count);
    MPI_Finalize();
    return 0;
}
