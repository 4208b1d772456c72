/* Walks on a graph that every process assembles for its own nodes, in compressed rows: it does so again
 * whenever it gets others. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 44;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    int *counts = malloc((size_t)size * sizeof *counts), *displs = malloc((size_t)size * sizeof *displs);
    MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&displ, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
    int *begin = malloc(((size_t)count + 1) * sizeof *begin);
    begin[0] = 0;
    for (int i = 0; i < count; i++)
        begin[i + 1] = begin[i] + 2 + (displ + i) % 3;
    int *column = malloc((size_t)begin[count] * sizeof *column);
    long *value = malloc((size_t)begin[count] * sizeof *value);
    for (int i = 0; i < count; i++)
        for (int k = begin[i]; k < begin[i + 1]; k++) {
            column[k] = (displ + i + k - begin[i]) % n;
            value[k] = 1 + k - begin[i];
        }
    long *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)count * sizeof *y);
    for (int i = 0; i < n; i++)
        x[i] = i;
#pragma xmpi loop
    for (int t = 0; t < 20; t++) {
        for (int i = 0; i < count; i++) {
            y[i] = 0;
            for (int k = begin[i]; k < begin[i + 1]; k++)
                y[i] = (y[i] + value[k] * x[column[k]]) % 10007;
        }
        MPI_Allgatherv(y, count, MPI_LONG, x, counts, displs, MPI_LONG, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("result %ld\n", x[n / 3]);
    free(begin);
    free(column);
    free(value);
    free(x);
    free(y);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
