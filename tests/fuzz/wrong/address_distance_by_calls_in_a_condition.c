/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double pass0(double x)
{
    return x;
}

static double pass1(double x)
{
    return pass0(x);
}

static double pass2(double x)
{
    return pass1(x);
}

static double pass3(double x)
{
    return pass2(x);
}

static double pass4(double x)
{
    return pass3(x);
}

static double pass5(double x)
{
    return pass4(x);
}

static double pass6(double x)
{
    return pass5(x);
}

static double pass7(double x)
{
    return pass6(x);
}

static double pass8(double x)
{
    return pass7(x);
}

int main(int argc, char **argv)
{
    int rank, size, n = 29, count, displ;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    displ = rank * n / size;
    count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u), t = 0, all = 0;
    for (int i = 0; i < count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < count; i++) {
            if (pass8((double)(&u[i] - u)) > 1)
                u[i] = 0.7 * u[i] + 0.01;
        }
    }
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    free(u);
    MPI_Finalize();
    return 0;
}
