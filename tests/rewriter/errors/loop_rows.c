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
    double *own = calloc((size_t)count, sizeof *own);
    for (int k = 0; k < 9; k++) {
        double sum = 0, all;
#pragma xmpi loop
        for (int i = 0; i < count; i++)
            own[i] += first + i + k;
        for (int i = 0; i < count; i++)
            sum += own[i];
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0)
            printf("%g\n", all);
    }
    MPI_Finalize();
    return 0;
}
