#include <mpi.h>
#include <stdlib.h>

/* The rows of the domain begin behind a ghost row. */
int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, end = (rank + 1) * n / size;
    double *heat = calloc((size_t)n + 2, sizeof *heat);
#pragma xmpi data owned(heat[n])
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = first + 1; i <= end; i++)
            heat[i] = heat[i] * 0.9 + i;
    MPI_Finalize();
    return 0;
}
