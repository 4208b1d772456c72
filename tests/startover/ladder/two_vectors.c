/* SPDX-License-Identifier: BSD-3-Clause
 * Power iteration with a diagonal matrix, twice: the second vector is kept apart from the first one. */
#include "ladder.h"

static int rank, size, n, first, count;
static double *d, *x, *y, *kept;
static double lambda[2];
static void power(int which, int steps)
{
    double norm = 0;
    for (int i = 0; i < count; i++)
        x[i] = 1.0 + (first + i) % 3;
#pragma xmpi loop
    for (int k = 0; k < steps; k++) {
        double dot = 0, dots, s = 0;
        for (int i = 0; i < count; i++)
            dot += kept[i] * x[i];
        MPI_Allreduce(&dot, &dots, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++) {
            y[i] = d[i] * (x[i] - (which > 0 ? dots * kept[i] : 0));
            s += y[i] * y[i];
        }
        MPI_Allreduce(&s, &norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        norm = sqrt(norm);
        for (int i = 0; i < count; i++)
            x[i] = y[i] / norm;
    }
    lambda[which] = norm;
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = argc > 1 ? atoi(argv[1]) : 40;
    first = (long)n * rank / size;
    count = (long)n * (rank + 1) / size - first;
    d = malloc(count * sizeof *d);
    x = malloc(count * sizeof *x);
    y = malloc(count * sizeof *y);
    kept = calloc(count, sizeof *kept);
    for (int i = 0; i < count; i++)
        d[i] = 1 + (first + i) * 10.0 / n;
    power(0, 30);
    for (int i = 0; i < count; i++)
        kept[i] = x[i];
    power(1, 30);
    if (rank == 0)
        printf("%.9g %.9g\n", lambda[0], lambda[1]);
    tell(x, count);
    MPI_Finalize();
    return 0;
}
