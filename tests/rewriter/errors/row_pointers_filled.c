/* Where rows are follows a number that the same loop leaves behind as it fills them. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 240, m = 5, j = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size);
    int first = rank * (n / size) + (rank < n % size ? rank : n % size);
    double *block = calloc((size_t)count * (size_t)m, sizeof *block);
    double **row = malloc((size_t)count * sizeof *row);
    for (int i = 0; i < count; i++) {
        row[i] = block + i * j;
        for (j = 0; j < m; j++)
            row[i][j] = first + i + j;
    }
#pragma xmpi loop
    for (int step = 0; step < 50; step++)
        for (int i = 0; i < count; i++)
            for (int k = 0; k < m; k++)
                row[i][k] += k;
    MPI_Finalize();
    return 0;
}
