#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Row pointers into one block, with ghost rows that nothing fills. */
static double **rows_new(int n, int m)
{
    double **r = malloc(n * sizeof *r), *block = calloc((size_t)n * m, sizeof *block);
    for (int i = 0; i < n; i++)
        r[i] = block + (size_t)i * m;
    return r;
}

int main(int argc, char **argv)
{
    int rank, size, n = 60, m = 8;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double **now = rows_new(count + 2, m), **next = rows_new(count + 2, m);
    for (int i = 1; i <= count; i++)
        now[i][0] = first + i;
#pragma xmpi loop divisible
    for (int k = 0; k < 9; k++) {
        for (int i = 1; i <= count; i++)
            for (int j = 0; j < m; j++)
                next[i][j] = 0.5 * (now[i - 1][j] + now[i + 1][j]);
        double **t = now;
        now = next;
        next = t;
    }
    MPI_Finalize();
    return 0;
}
