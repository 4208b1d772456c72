/* SPDX-License-Identifier: BSD-3-Clause
 * All of a grid with its frame on every rank, rows found in a list of their owners; the first and
 * last own rows, which wait for messages, behind those between. */
#include "ladder.h"

static int n = 22, rank, *owner, *lo, *hi;
static double *u, *w;

static void divide(int size)
{
    const double margin = 0.001, width = (n - 1 + 2 * margin) / size;
    owner = malloc((size_t)(n + 2) * sizeof *owner);
    lo = malloc((size_t)size * sizeof *lo);
    hi = malloc((size_t)size * sizeof *hi);
    for (int r = 0; r < size; r++)
        for (int i = 1; i <= n; i++)
            if (i >= 1 - margin + r * width && i < 1 - margin + (r + 1) * width)
                owner[i] = r;
    for (int r = 0; r < size; r++) {
        int i;
        for (i = 1; i <= n; i++)
            if (owner[i] == r)
                break;
        lo[r] = i;
        for (i = n; i >= 1; i--)
            if (owner[i] == r)
                break;
        hi[r] = i;
    }
}

static double mean(int i, int j)
{
    const int m = n + 2;
    return 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
}

static void step(int size)
{
    const int m = n + 2;
    int i, j, many = 0;
    MPI_Request requests[4];
    if (rank > 0) {
        MPI_Irecv(u + (lo[rank] - 1) * m + 1, n, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, requests + many++);
        MPI_Isend(u + lo[rank] * m + 1, n, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD, requests + many++);
    }
    if (rank < size - 1) {
        MPI_Irecv(u + (hi[rank] + 1) * m + 1, n, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD, requests + many++);
        MPI_Isend(u + hi[rank] * m + 1, n, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, requests + many++);
    }
    for (i = lo[rank] + 1; i < hi[rank]; i++)
        for (j = 1; j <= n; j++)
            w[i * m + j] = mean(i, j);
    MPI_Waitall(many, requests, MPI_STATUSES_IGNORE);
    i = lo[rank];
    for (j = 1; j <= n; j++)
        w[i * m + j] = mean(i, j);
    i = hi[rank];
    if (i != lo[rank])
        for (j = 1; j <= n; j++)
            w[i * m + j] = mean(i, j);
}

int main(int argc, char **argv)
{
    int size, k = 0;
    double own, change;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        sscanf(argv[1], "%d", &n);
    u = calloc((size_t)(n + 2) * (n + 2), sizeof *u);
    w = calloc((size_t)(n + 2) * (n + 2), sizeof *w);
    divide(size);
    for (int j = 0; j < n + 2; j++)
        u[j] = w[j] = 1 + j % 5;
#pragma xmpi loop state(rows(u[n][n + 2], w[n][n + 2] from lo[rank] - 1, hi[rank] - lo[rank] + 1 at lo[rank] halo 1 : 1), same(k))
    do {
        step(size);
        own = 0;
        for (int i = lo[rank]; i <= hi[rank]; i++)
            for (int j = 1; j <= n; j++)
                own += fabs(u[i * (n + 2) + j] - w[i * (n + 2) + j]);
        MPI_Allreduce(&own, &change, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        double *other = u;
        u = w;
        w = other;
        k++;
    } while (change > 0.5 && k < 30);
    tell(u + lo[rank] * (n + 2), (hi[rank] - lo[rank] + 1) * (n + 2));
    MPI_Finalize();
    return 0;
}
