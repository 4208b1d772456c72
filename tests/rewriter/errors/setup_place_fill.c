/* Rows that main fills and the function with the loop only starts from. */
#include <mpi.h>
#include <stdlib.h>

static int rank, size, n = 60, first, count;

static void solve(double *x, const double *b)
{
    for (int i = 0; i < count; i++)
        x[i] = b[i];
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < count; i++)
            x[i] = 0.5 * x[i] + first + i;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    first = rank * n / size;
    count = (rank + 1) * n / size - first;
    double *x = calloc(count, sizeof *x), *b = malloc(count * sizeof *b);
    for (int i = 0; i < count; i++)
        b[i] = (first + i) % 5;
    for (int step = 0; step < 6; step++) {
        solve(x, b);
        for (int i = 0; i < count; i++)
            b[i] += x[i];
    }
    MPI_Finalize();
    return 0;
}
