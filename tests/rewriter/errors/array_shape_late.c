#include <mpi.h>
#include <stdlib.h>

/* The scratch array would keep the size that it had in the first iteration. */
int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u = calloc(count, sizeof *u), *scratch = NULL;
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        if (k == 0)
            scratch = malloc(count * sizeof *scratch);
        for (int i = 0; i < count; i++)
            scratch[i] = u[i] + first + i;
        for (int i = 0; i < count; i++)
            u[i] = scratch[i] / 2;
    }
    MPI_Finalize();
    return 0;
}
