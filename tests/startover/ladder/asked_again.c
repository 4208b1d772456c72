/* SPDX-License-Identifier: BSD-3-Clause
 * Functions that ask for rank and size again, and compute the range each time. */
#include "ladder.h"

static void range(int n, int *first, int *count)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    *first = (int)((long)n * rank / size);
    *count = (int)((long)n * (rank + 1) / size) - *first;
}

static void relax(double *u, int n, double factor)
{
    int first, count;
    range(n, &first, &count);
    for (int i = 0; i < count; i++)
        u[i] = factor * u[i] + 0.1 * ((first + i) % 7);
}

static double total(const double *u, int n)
{
    int first, count;
    double own = 0, all;
    range(n, &first, &count);
    for (int i = 0; i < count; i++)
        own += u[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 40, first, count;
    double sum = 1;
    MPI_Init(&argc, &argv);
    range(n, &first, &count);
    double *u = malloc((count + 1) * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = (first + i) % 3;
#pragma xmpi loop state(rows(u[n] from first, count), same(k, sum))
    for (int k = 0; k < 30; k++) {
        relax(u, n, 0.9 / (1 + 0.001 * sum));
        sum = total(u, n) / n;
    }
    tell(u, count);
    MPI_Finalize();
    return 0;
}
