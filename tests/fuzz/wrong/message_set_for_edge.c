/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 37;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    int before = rank > 0 ? rank - 1 : MPI_PROC_NULL,
        after = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    double *u = calloc((size_t)count, sizeof *u), *v = calloc((size_t)count, sizeof *v);
    for (int i = 0; i < count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * ((displ + i + k) % 5);
        double in = 0;
        MPI_Sendrecv(&u[count - 1], 1, MPI_DOUBLE, after, 4, &in, 1, MPI_DOUBLE, before, 4,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < count; i++) {
            double w = 0;
            if (i == 0)
                w = in;
            v[i] = u[i] + 0.1 * w;
        }
        for (int i = 0; i < count; i++)
            u[i] = v[i];
    }
    double t = 0, all = 0;
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
