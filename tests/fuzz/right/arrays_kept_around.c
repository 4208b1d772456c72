/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Arrays that only a loop around sets, before and behind the adaptive loop, in its function's reach
 * or not, which later iterations read: joining processes have not run those that set them. */
enum { TIMES = 4, STEPS = 6 };
static double *levels;

static void iterate(double *u, int displ, int count)
{
#pragma xmpi loop
    for (int k = 0; k < STEPS; k++)
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * ((displ + i + k) % 7);
}

static double sum_of(const double *u, int count)
{
    double t = 0, all = 0;
    for (int i = 0; i < count; i++)
        t += u[i];
    MPI_Allreduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    int rank, size, n = 40;
    double t = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u);
    double *past = calloc(TIMES, sizeof *past);
    levels = calloc(TIMES, sizeof *levels);
    for (int i = 0; i < count; i++)
        u[i] = sin(displ + i);
    for (int step = 0; step < TIMES; step++) {
        levels[step] = step > 0 ? past[step - 1] : 1;
        iterate(u, displ, count);
        double sum = sum_of(u, count);
        past[step] = sum;
        for (int i = 0; i < count; i++)
            u[i] += 0.01 * past[step / 2] + 0.02 / (1 + fabs(levels[step / 3]));
    }
    for (int step = 0; step < TIMES; step++)
        t += (1 + step) * past[step] + levels[step];
    double all = sum_of(u, count);
    if (rank == 0)
        printf("%.9g %.9g\n", t, all);
    free(u);
    free(past);
    free(levels);
    MPI_Finalize();
    return 0;
}
