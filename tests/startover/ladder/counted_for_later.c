/* SPDX-License-Identifier: BSD-3-Clause
 * What each rank counts, by tests of numbers and in functions, and notes of a row that it has, is
 * added up where it is told, or after the loop in its place. */
#include "ladder.h"

enum { BINS = 8, STEPS = 30 };

static long bins[BINS];
static double noted[STEPS];

static void count(double value)
{
    int bin = (int)(fabs(value) * 10);
    bins[bin < BINS ? bin : BINS - 1]++;
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    long within = 0, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = (int)((long)n * rank / size), end = (int)((long)n * (rank + 1) / size);
    int rows = end - first, probe = n / 3, have = probe >= first && probe < end;
    double *u = malloc(((size_t)rows + 1) * sizeof *u);
    for (int i = 0; i < rows; i++)
        u[i] = sin(first + i);
    int step = 0;
#pragma xmpi loop
    while (step < STEPS) {
        for (int i = 0; i < rows; i++) {
            u[i] = fmod(1.3 * u[i] + 0.1 * sin(step + first + i), 1);
            double r = u[i] * u[i];
            if (r < 0.25)
                within++;
            count(u[i]);
        }
        if (step % 10 == 9) {
            MPI_Reduce(&within, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
            if (rank == 0)
                printf("%d: %ld\n", step, all);
        }
        if (have)
            noted[step] = u[probe - first];
        step++;
    }
    MPI_Allreduce(MPI_IN_PLACE, bins, BINS, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(rank ? noted : MPI_IN_PLACE, noted, STEPS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        for (int k = 0; k < BINS; k++)
            printf("%ld ", bins[k]);
        printf("%.9f %.9f\n", noted[3], noted[STEPS - 1]);
    }
    tell(u, rows);
    MPI_Finalize();
    return 0;
}
