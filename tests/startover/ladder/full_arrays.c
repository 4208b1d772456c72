/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays in full on every rank, own rows lo[rank] to hi[rank], and neighbours' numbers in tables. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *lo = malloc(3 * (size_t)size * sizeof *lo), *hi = lo + size, *next = hi + size;
    for (int r = 0; r < size; r++) {
        lo[r] = r * n / size;
        hi[r] = (r + 1) * n / size - 1;
        next[r] = r + 1 < size ? r + 1 : MPI_PROC_NULL;
    }
    int before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    double *u = malloc((size_t)n * sizeof *u), *v = malloc((size_t)n * sizeof *v);
    for (int i = 0; i < n; i++)
        u[i] = v[i] = i % 9;
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        MPI_Sendrecv(&u[hi[rank]], 1, MPI_DOUBLE, next[rank], 0, &u[lo[rank] > 0 ? lo[rank] - 1 : 0], 1, MPI_DOUBLE,
                     before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[lo[rank]], 1, MPI_DOUBLE, before, 1, &u[hi[rank] < n - 1 ? hi[rank] + 1 : 0], 1, MPI_DOUBLE,
                     next[rank], 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = lo[rank]; i <= hi[rank]; i++)
            v[i] = 0.5 * u[i] + 0.25 * (i > 0 ? u[i - 1] : 1) + 0.25 * (i < n - 1 ? u[i + 1] : 2);
        for (int i = lo[rank]; i <= hi[rank]; i++)
            u[i] = v[i];
    }
    tell(u + lo[rank], hi[rank] - lo[rank] + 1);
    MPI_Finalize();
    return 0;
}
