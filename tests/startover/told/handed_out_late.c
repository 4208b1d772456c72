/* SPDX-License-Identifier: BSD-3-Clause
 * What rank 0 has made of the means, each iteration hands to all when they have looked at what they
 * had: each process has something else there, first. */
/* None: with what becomes of 'means' for '...' */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEANS = 4, FEATURES = 2 };

static int nearest(const double *means, const double *item)
{
    int best = 0;
    double least = INFINITY;
    for (int m = 0; m < MEANS; m++) {
        const double x = means[m * FEATURES] - item[0], y = means[m * FEATURES + 1] - item[1];
        if (x * x + y * y < least) {
            least = x * x + y * y;
            best = m;
        }
    }
    return best;
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 90;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size),
        first = rank * (n / size) + (rank < n % size ? rank : n % size);
    double *items = malloc(count * FEATURES * sizeof *items);
    int *kind = calloc(count, sizeof *kind);
    for (int i = 0; i < count; i++) {
        items[i * FEATURES] = sin(first + i);
        items[i * FEATURES + 1] = cos(3.0 * (first + i));
    }
    double *means = malloc(MEANS * FEATURES * sizeof *means);
    if (rank == 0)
        for (int m = 0; m < MEANS * FEATURES; m++)
            means[m] = 0.3 * m - 1;
    double sums[MEANS][FEATURES + 1], all[MEANS][FEATURES + 1];
    long changes = 0, moved = 0;
#pragma xmpi loop
    for (int t = 0; t < 30; t++) {
        memset(sums, 0, sizeof sums);
        if (t % 7 == 3)
            means[rank % MEANS] += 1e-3;
        MPI_Bcast(means, MEANS * FEATURES, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        changes = 0;
        for (int i = 0; i < count; i++) {
            const int m = nearest(means, items + i * FEATURES);
            for (int f = 0; f < FEATURES; f++)
                sums[m][f] += rint(items[i * FEATURES + f] * 1e6);
            sums[m][FEATURES] += 1;
            changes += kind[i] != m;
            kind[i] = m;
        }
        MPI_Reduce(sums, all, MEANS * (FEATURES + 1), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0)
            for (int m = 0; m < MEANS; m++)
                for (int f = 0; f < FEATURES && all[m][FEATURES] > 0; f++)
                    means[m * FEATURES + f] =
                        0.5 * means[m * FEATURES + f] + 0.5e-6 * all[m][f] / all[m][FEATURES];
        MPI_Allreduce(&changes, &moved, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        if (moved < 0)
            break;
    }
    if (rank == 0)
        for (int m = 0; m < MEANS * FEATURES; m++)
            printf("%.9e\n", means[m]);
    MPI_Finalize();
    return 0;
}
