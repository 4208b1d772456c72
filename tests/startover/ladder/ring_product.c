/* SPDX-License-Identifier: BSD-3-Clause
 * A product of matrices by block rows: the blocks of one go around in two buffers that change
 * places. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int me, p, n = argc > 1 ? atoi(argv[1]) : 40, w = 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    int *rows = malloc(p * sizeof *rows), *start = malloc(p * sizeof *start);
    for (int q = 0; q < p; q++) {
        rows[q] = n / p + (q < n % p);
        start[q] = q == 0 ? 0 : start[q - 1] + rows[q - 1];
    }
    double *a = malloc((size_t)rows[me] * n * sizeof *a), *c = malloc((size_t)rows[me] * w * sizeof *c);
    double *b = malloc((size_t)rows[0] * w * sizeof *b), *t = malloc((size_t)rows[0] * w * sizeof *t);
    for (int i = 0; i < rows[me]; i++) {
        for (int j = 0; j < n; j++)
            a[i * n + j] = (1.0 + ((start[me] + i) * 7 + j * 3) % 4) / 4 / n;
        for (int j = 0; j < w; j++)
            c[i * w + j] = 1 + (start[me] + i + j) % 3;
    }
#pragma xmpi loop state(rows(c[n][w] from start[me], rows[me]), same(k), scratch(t))
    for (int k = 0; k < 12; k++) {
        memcpy(b, c, (size_t)rows[me] * w * sizeof(double));
        memset(c, 0, (size_t)rows[me] * w * sizeof(double));
        for (int s = 0; s < p; s++) {
            int q = (me + s) % p, next = (me + s + 1) % p;
            MPI_Request request[2];
            if (s < p - 1) {
                MPI_Irecv(t, rows[next] * w, MPI_DOUBLE, (me + 1) % p, 0, MPI_COMM_WORLD, &request[0]);
                MPI_Isend(b, rows[q] * w, MPI_DOUBLE, (me + p - 1) % p, 0, MPI_COMM_WORLD, &request[1]);
            }
            for (int i = 0; i < rows[me]; i++)
                for (int l = 0; l < rows[q]; l++)
                    for (int j = 0; j < w; j++)
                        c[i * w + j] += a[i * n + start[q] + l] * b[l * w + j];
            if (s < p - 1) {
                MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
                double *x = b;
                b = t;
                t = x;
            }
        }
    }
    tell(c, rows[me] * w);
    MPI_Finalize();
    return 0;
}
