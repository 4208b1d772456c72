/* Smoothing in parts, and a sweep over the whole on rank 0 in each iteration: only rank 0 has the tables of all
 * parts, which its statement is to make again. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 101;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, rows = (rank + 1) * n / size - first;
    long *u = malloc((size_t)rows * sizeof *u), *full = NULL;
    int *counts = NULL, *begins = NULL;
    for (int i = 0; i < rows; i++)
        u[i] = (first + i) * 7 % 31;
#pragma xmpi setup
    if (rank == 0) {
        full = malloc((size_t)n * sizeof *full);
        counts = malloc((size_t)size * sizeof *counts);
        begins = malloc((size_t)size * sizeof *begins);
        for (int p = 0; p < size; p++) {
            begins[p] = p * n / size;
            counts[p] = (p + 1) * n / size - begins[p];
        }
    }
#pragma xmpi loop
    for (int it = 0; it < 40; it++) {
        for (int i = 0; i < rows; i++)
            u[i] = u[i] * 5 % 1013 + 1;
        MPI_Gatherv(u, rows, MPI_LONG, full, counts, begins, MPI_LONG, 0, MPI_COMM_WORLD);
        if (rank == 0)
            for (int i = 1; i < n; i++)
                full[i] = (full[i] + full[i - 1]) % 2003;
        MPI_Scatterv(full, counts, begins, MPI_LONG, u, rows, MPI_LONG, 0, MPI_COMM_WORLD);
    }
    long own = 0, sum = 0;
    for (int i = 0; i < rows; i++)
        own += u[i] * (1 + (first + i) % 9);
    MPI_Reduce(&own, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) /* The result is the same for any layout. */
        printf("result %ld\n", sum);
    free(u);
    free(full);
    free(counts);
    free(begins);
    MPI_Finalize();
    return 0;
}
