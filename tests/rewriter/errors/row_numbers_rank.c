#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size;
    int count = (rank + 1) * n / size - first;
    double *u = calloc((size_t)count, sizeof *u);
    int *owner = malloc((size_t)count * sizeof *owner);
    for (int i = 0; i < count; i++)
        owner[i] = rank;
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < count; i++)
            if (owner[i] == rank)
                u[i] += first + i;
    printf("%g\n", u[0]);
    MPI_Finalize();
    return 0;
}
