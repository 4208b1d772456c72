/* How much goes from each rank to each other one: no table that is gathered from what the ranks have. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 24;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size);
    double *a = calloc((size_t)(count * n), sizeof *a), *b = calloc((size_t)(count * n), sizeof *b);
    int *counts = malloc((size_t)size * sizeof(int)), *displs = malloc((size_t)size * sizeof(int));
    for (int p = 0, at = 0; p < size; p++) {
        int theirs = n / size + (p < n % size);
        counts[p] = count * theirs;
        displs[p] = at;
        at += counts[p];
    }
#pragma xmpi loop
    for (int step = 0; step < 10; step++) {
        MPI_Alltoallv(a, counts, displs, MPI_DOUBLE, b, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
        for (int i = 0; i < count * n; i++)
            a[i] += b[i];
    }
    MPI_Finalize();
    return 0;
}
