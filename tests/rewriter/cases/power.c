/* Power iteration with a dense matrix; the range by a helper function, begin and end only.
 * The result is the same for any layout. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int block_low(int id, int p, int n)
{
    return id * n / p;
}

static void multiply(const double *A, const double *x, double *y, int rows, int n)
{
    for (int i = 0; i < rows; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++)
            y[i] += A[i * n + j] * x[j];
    }
}

int main(int argc, char **argv)
{
    int rank, size, n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    int lo = block_low(rank, size, n);
    int hi = block_low(rank + 1, size, n) - 1;
    double *A = malloc((size_t)(hi - lo + 1) * (size_t)n * sizeof *A);
    double *y = malloc((size_t)(hi - lo + 1) * sizeof *y);
    double *x = malloc((size_t)n * sizeof *x);
    int *counts = malloc((size_t)size * sizeof *counts);
    int *displs = malloc((size_t)size * sizeof *displs);
    for (int r = 0; r < size; r++) {
        displs[r] = block_low(r, size, n);
        counts[r] = block_low(r + 1, size, n) - displs[r];
    }
    for (int i = lo; i <= hi; i++)
        for (int j = 0; j < n; j++)
            A[(i - lo) * n + j] = 1.0 / (1 + i + j);
    for (int i = 0; i < n; i++)
        x[i] = 1;
    double norm = 0;
    int it = 0;
#pragma xmpi loop
    while (it < 15) {
        multiply(A, x, y, hi - lo + 1, n);
        MPI_Allgatherv(y, hi - lo + 1, MPI_DOUBLE, x, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
        norm = 0;
        for (int i = 0; i < n; i++)
            norm += x[i] * x[i];
        norm = sqrt(norm);
        for (int i = 0; i < n; i++)
            x[i] /= norm;
        it++;
    }
    if (rank == 0)
        printf("result %d %.17g %.17g\n", it, norm, x[n - 1]);
    free(A);
    free(x);
    free(y);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
