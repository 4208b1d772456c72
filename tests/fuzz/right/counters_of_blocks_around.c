/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *u;
static int displ, count;

static void iterate(void)
{
#pragma xmpi loop
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * ((displ + i + k) % 5);
}

/* What is declared in a block before the call is over there, and begins anew the next time. */
int main(int argc, char **argv)
{
    int rank, size, n = 40;
    double t = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    displ = rank * n / size;
    count = (rank + 1) * n / size - displ;
    u = calloc((size_t)count, sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = sin(displ + i);
    for (int step = 0; step < 4; step++) {
        for (int g = displ; g < displ + count; g++)
            u[g - displ] = 0.8 * u[g - displ] + 0.01 * (g % 7);
        {
            double sum = 0, most = 0;
            for (int i = 0; i < count; i++)
                sum += u[i];
            MPI_Allreduce(&sum, &most, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            for (int i = 0; i < count; i++)
                u[i] -= 0.01 * most;
        }
        iterate();
    }
    for (int i = 0; i < count; i++)
        t += u[i] * (displ + i);
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %.9g\n", all);
    free(u);
    MPI_Finalize();
    return 0;
}
