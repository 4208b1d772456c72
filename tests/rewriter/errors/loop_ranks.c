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
    if (size > 1 && rank > 0) {
#pragma xmpi loop
        for (int k = 0; k < 9; k++)
            for (int i = 0; i < count; i++)
                own[i] += first + i + k;
    }
    if (count > 0)
        printf("%g\n", own[0]);
    MPI_Finalize();
    return 0;
}
