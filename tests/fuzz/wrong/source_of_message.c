/* SPDX-License-Identifier: BSD-3-Clause */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { STEPS = 14 };

int main(int argc, char **argv)
{
    int rank, size, n = 37;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count + 2, sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = 1 + (displ + i) % 7;
    double x = 0;
#pragma xmpi loop
    for (int k = 0; k < STEPS; k++) {
        MPI_Status s;
        MPI_Sendrecv(&u[0], 1, MPI_DOUBLE, (rank + 1) % size, 3, &x, 1, MPI_DOUBLE, MPI_ANY_SOURCE,
                     3, MPI_COMM_WORLD, &s);
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * s.MPI_SOURCE;
    }
    double t = 0, all = 0;
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);

    MPI_Finalize();
    return 0;
}
