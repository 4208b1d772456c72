// flags: -fopenmp
/* Jacobi's method for a dense system with threads in every process; stops at a residual. */
#include <math.h>
#include <mpi.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, provided, n = 50;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifdef _OPENMP
    omp_set_num_threads(2);
#endif
    int nrow = n / size + (rank < n % size ? 1 : 0);
    int row0 = rank * (n / size) + (rank < n % size ? rank : n % size);
    double *A = malloc((size_t)nrow * n * sizeof(double));
    double *x = malloc(n * sizeof(double)), *xn = malloc(nrow * sizeof(double));
    int *cnt = malloc(size * sizeof(int)), *off = malloc(size * sizeof(int));
    MPI_Allgather(&nrow, 1, MPI_INT, cnt, 1, MPI_INT, MPI_COMM_WORLD);
    off[0] = 0;
    for (int r = 1; r < size; r++)
        off[r] = off[r - 1] + cnt[r - 1];
#pragma omp parallel for
    for (int i = 0; i < nrow; i++)
        for (int j = 0; j < n; j++)
            A[i * n + j] = row0 + i == j ? 2.0 * n : 1.0 / (1 + abs(row0 + i - j));
    for (int j = 0; j < n; j++)
        x[j] = 0.0;

    double residual = 1;
    int it;
#pragma xmpi loop interval(2)
    for (it = 0; it < 30 && residual > 1e-20; it++) {
        double own = 0;
#pragma omp parallel for reduction(+ : own) schedule(static)
        for (int i = 0; i < nrow; i++) {
            double s = row0 + i + 1;
            for (int j = 0; j < n; j++)
                if (j != row0 + i)
                    s -= A[i * n + j] * x[j];
            xn[i] = s / A[i * n + row0 + i];
            own += (xn[i] - x[row0 + i]) * (xn[i] - x[row0 + i]);
        }
        MPI_Allreduce(&own, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allgatherv(xn, nrow, MPI_DOUBLE, x, cnt, off, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%d iterations, x[0] %.15g, x[%d] %.15g\n", it, x[0], n - 1, x[n - 1]);
    free(A);
    free(x);
    free(xn);
    free(cnt);
    free(off);
    MPI_Finalize();
    return 0;
}
