#include <mpi.h>
#include <stdlib.h>

/* An element of the array is a row already. */
int main(int argc, char **argv)
{
    int rank, size, n = 60, columns = argc + 4;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double(*u)[columns] = malloc(count * sizeof *u);
#pragma xmpi data distributed(u[n][columns])
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < count; i++)
            for (int j = 0; j < columns; j++)
                u[i][j] = k + first + i + j;
    MPI_Finalize();
    return 0;
}
