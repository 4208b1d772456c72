/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 48;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double t = 0, all = 0;
    double *u = calloc((size_t)count, sizeof *u);
    double *v = calloc((size_t)count, sizeof *v);
    for (int i = 0; i < count; i++) {
        u[i] = 1 + 0.1 * ((displ + i) % 7);
        v[i] = 0.5 + 0.1 * ((displ + i) % 3);
    }

#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        double left = 0, right = 0;
        int before = rank > 0 ? rank - 1 : MPI_PROC_NULL,
            after = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
        MPI_Sendrecv(&u[count - 1], 1, MPI_DOUBLE, after, 1, &left, 1, MPI_DOUBLE, before, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[0], 1, MPI_DOUBLE, before, 2, &right, 1, MPI_DOUBLE, after, 2,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double last = right;
        for (int i = 0; i < count; i++) {
            v[i] = u[i] - last;
            last = u[i];
        }
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.05 * v[i];
    }
    for (int i = 0; i < count; i++) {
        t += (1 + (displ + i) % 5) * u[i];
        t += (1 + (displ + i) % 5) * v[i];
    }
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
