/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a loop around reduces in place, or at a root that tells it to all, is the same on all. */
int main(int argc, char **argv)
{
    enum { TIMES = 4 };
    int rank, size, n = 40;
    double past[TIMES] = {0}, told[TIMES] = {0}, s = 0, t = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = sin(displ + i);
    for (int step = 0; step < TIMES; step++) {
        double sum = 0, part = 0;
        for (int i = 0; i < count; i++) {
            sum += u[i] * u[i];
            part += u[i];
        }
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        past[step] = sum;
        MPI_Reduce(&part, &s, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Bcast(&s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        told[step] = s;
        for (int i = 0; i < count; i++)
            u[i] = 0.8 * u[i] + 0.1 / (1 + fabs(past[step / 2]) + fabs(told[step / 3]));
#pragma xmpi loop
        for (int k = 0; k < 8; k++)
            for (int i = 0; i < count; i++)
                u[i] = 0.9 * u[i] + 0.01 * ((displ + i + k) % 5);
    }
    for (int step = 0; step < TIMES; step++)
        s += past[step] * told[step];
    if (rank == 0)
        printf("~%.9g\n", s);
    for (int i = 0; i < count; i++)
        t += u[i] * (displ + i);
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %.9g\n", all);
    free(u);
    MPI_Finalize();
    return 0;
}
