/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

static int greater(int a, int b)
{
    return a > b ? a : b;
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 53;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int lo = rank * n / size, hi = (rank + 1) * n / size, count = hi - lo;
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double *u = calloc((size_t)count + 2, sizeof *u), *v = calloc((size_t)count + 2, sizeof *v);
    for (int i = lo; i < hi; i++)
        u[i - lo + 1] = i % 17;
    int from = n / 3, to = n / 2;
    double all = 0;
#pragma xmpi loop
    for (int step = 0; step < 40; step++) {
        MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, up, 0, &u[count + 1], 1, MPI_DOUBLE, down, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[count], 1, MPI_DOUBLE, down, 1, &u[0], 1, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = MAX(lo, 1) + 1; i < MIN(hi, n - 1); i++)
            v[i - lo + 1] = (u[i - lo] + u[i - lo + 2]) / 2;
        double own = 0;
        for (int i = greater(lo, 1) - lo + 1; i <= MIN(hi, n - 1) - lo; i++) {
            u[i] = v[i];
            own += (int)(u[i] * 1000);
        }
        for (int i = MAX(lo, from); i < MIN(hi, to); i++)
            u[i - lo + 1] += 0.125;
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%.10g\n", all);
    free(u);
    free(v);
    MPI_Finalize();
    return 0;
}
