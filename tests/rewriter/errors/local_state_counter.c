#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 240;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size;
    int count = (rank + 1) * n / size - first;
    double *x = calloc((size_t)count, sizeof *x);
#pragma xmpi loop
    for (int s = 0, hits = 0; s < 10; s++)
        for (int i = 0; i < count; i++) {
            x[i] += first + i;
            hits += x[i] > 1000;
        }
    MPI_Finalize();
    return 0;
}
