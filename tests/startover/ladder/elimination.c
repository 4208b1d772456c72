/* SPDX-License-Identifier: BSD-3-Clause
 * Gauss-Jordan elimination: each own row has memory of its own, and the owner of the pivot's row
 * hands it to all. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int most = (n + size - 1) / size, low = rank * most < n ? rank * most : n;
    int high = low + most < n ? low + most : n, rows = high - low;
    double **a = malloc((rows + 1) * sizeof(double *)), *pivot = malloc((n + 1) * sizeof(double)), det = 1;
    for (int i = 0; i < rows; i++) {
        a[i] = malloc((n + 1) * sizeof(double));
        for (int j = 0; j < n; j++)
            a[i][j] = 1.0 / (1 + low + i + j) + (low + i == j ? 2 : 0);
        a[i][n] = 1 + (low + i) % 3;
    }
#pragma xmpi loop state(rows(a[n][n + 1] from low, rows), same(k, det, pivot[n + 1]))
    for (int k = 0; k < n; k++) {
        int owner = k / most;
        if (rank == owner)
            memcpy(pivot, a[k - low], (n + 1) * sizeof(double));
        MPI_Bcast(pivot, n + 1, MPI_DOUBLE, owner, MPI_COMM_WORLD);
        det *= pivot[k] / 2;
        for (int i = 0; i < rows; i++) {
            double f = a[i][k] / pivot[k];
            for (int j = k; low + i != k && j <= n; j++)
                a[i][j] -= f * pivot[j];
        }
    }
    double *x = malloc((rows + 1) * sizeof(double));
    for (int i = 0; i < rows; i++)
        x[i] = a[i][n] / a[i][low + i] + det;
    tell(x, rows);
    MPI_Finalize();
    return 0;
}
