/* SPDX-License-Identifier: BSD-3-Clause
 * From one iteration on both pointers lead to one array of all rows. */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size, n = 80, m = 12;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *a = malloc(n * m * sizeof *a), *b = malloc(n * m * sizeof *b);
    int *first = malloc((size + 1) * sizeof *first);
    for (int p = 0; p <= size; p++)
        first[p] = p * n / size;
    int lo = first[rank], hi = first[rank + 1];
    for (int i = 0; i < n * m; i++)
        a[i] = b[i] = i % 23;
    double worst = 0;
#pragma xmpi loop
    for (int t = 0; t < 70; t++) {
        MPI_Request q[4];
        int k = 0;
        if (rank > 0) {
            MPI_Isend(a + lo * m, m, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, &q[k++]);
            MPI_Irecv(a + (lo - 1) * m, m, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, &q[k++]);
        }
        if (rank < size - 1) {
            MPI_Isend(a + (hi - 1) * m, m, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, &q[k++]);
            MPI_Irecv(a + hi * m, m, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, &q[k++]);
        }
        MPI_Waitall(k, q, MPI_STATUSES_IGNORE);
        double d = 0;
        for (int i = lo; i < hi; i++) {
            if (i == 0 || i == n - 1)
                continue;
            for (int j = 1; j < m - 1; j++) {
                b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] +
                                       a[i * m + j + 1]);
                d = fmax(d, fabs(b[i * m + j] - a[i * m + j]));
            }
        }
        MPI_Allreduce(&d, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (t == 3)
            b = a;
    }
    int *cnt = malloc(size * sizeof *cnt), *dsp = malloc(size * sizeof *dsp);
    for (int p = 0; p < size; p++)
        cnt[p] = (first[p + 1] - first[p]) * m, dsp[p] = first[p] * m;
    double *all = malloc(n * m * sizeof *all);
    MPI_Gatherv(a + lo * m, (hi - lo) * m, MPI_DOUBLE, all, cnt, dsp, MPI_DOUBLE, 0,
                MPI_COMM_WORLD);
    if (rank == 0) {
        double s = 0;
        for (int i = 0; i < n * m; i++)
            s += all[i] * (i % 101);
        printf("%.12g %.12g\n", worst, s);
    }
    MPI_Finalize();
}
