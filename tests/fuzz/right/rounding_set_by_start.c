/* SPDX-License-Identifier: BSD-3-Clause
 * A function that sets the first rows, and that joining processes do not call, sets how to round.
 */
#include <fenv.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void start(double *u, int displ, int count)
{
    for (int i = 0; i < count; i++)
        u[i] = 2 + 0.1 * ((displ + i) % 5);
    fesetround(FE_UPWARD);
}

int main(int argc, char **argv)
{
    int rank, size, n = 48;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u);
    double t = 0, all = 0;
    for (int i = 0; i < count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
    start(u, displ, count);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * nearbyint(3 * u[i]);
    }
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
