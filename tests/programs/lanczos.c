/* Lanczos' method for the largest eigenvalues of a symmetric matrix that is never stored. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N 90
#define M 12 /* size of the Krylov space */

static double entry(int i, int j)
{
    int d = i > j ? i - j : j - i;
    return d == 0 ? 4.0 + (i % 7) : d <= 3 ? -1.0 / d : 0.0;
}

static double dot(const double *a, const double *b, int n)
{
    double own = 0, all;
    for (int i = 0; i < n; i++)
        own += a[i] * b[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* Number of eigenvalues of the tridiagonal matrix below x (Sturm). */
static int below(const double *a, const double *b, int m, double x)
{
    int count = 0;
    double q = 1;
    for (int i = 0; i < m; i++) {
        q = a[i] - x - (i > 0 ? b[i - 1] * b[i - 1] / q : 0);
        if (fabs(q) < 1e-12)
            q = 1e-12;
        count += q < 0;
    }
    return count;
}

int main(int argc, char **argv)
{
    int rank, size;
    double alpha[M], beta[M];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int chunk = (N + size - 1) / size;
    int start = rank * chunk < N ? rank * chunk : N;
    int stop = start + chunk < N ? start + chunk : N;
    int local = stop - start;

    double *v = malloc(local * sizeof(double));
    double *before = calloc(local, sizeof(double));
    double *w = malloc(local * sizeof(double));
    double *full = malloc(N * sizeof(double));
    int *counts = malloc(size * sizeof(int));
    int *offs = malloc(size * sizeof(int));
    for (int r = 0; r < size; r++) {
        int a = r * chunk < N ? r * chunk : N, b = (r + 1) * chunk < N ? (r + 1) * chunk : N;
        offs[r] = a;
        counts[r] = b - a;
    }
    for (int i = 0; i < local; i++)
        v[i] = 1 / sqrt((double)N);

#pragma xmpi loop interval(1)
    for (int j = 0; j < M; j++) {
        MPI_Allgatherv(v, local, MPI_DOUBLE, full, counts, offs, MPI_DOUBLE, MPI_COMM_WORLD);
        for (int i = 0; i < local; i++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += entry(start + i, k) * full[k];
            w[i] = sum - (j > 0 ? beta[j - 1] * before[i] : 0);
        }
        alpha[j] = dot(w, v, local);
        for (int i = 0; i < local; i++)
            w[i] -= alpha[j] * v[i];
        beta[j] = sqrt(dot(w, w, local));
        for (int i = 0; i < local; i++) {
            before[i] = v[i];
            v[i] = w[i] / beta[j];
        }
    }

    if (rank == 0) {
        double low = 0, high = 20;
        while (high - low > 1e-9) {
            double middle = (low + high) / 2;
            if (below(alpha, beta, M, middle) >= M)
                high = middle;
            else
                low = middle;
        }
        printf("largest eigenvalue %.6f\n", low);
    }
    free(v);
    free(before);
    free(w);
    free(full);
    free(counts);
    free(offs);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
