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
    int before = rank > 0 ? rank - 1 : MPI_PROC_NULL,
        after = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    double t = 0, all = 0;
    double *u = calloc((size_t)count + 2, sizeof *u);
    double *v = calloc((size_t)count + 2, sizeof *v);
    for (int i = 1; i <= count; i++)
        u[i] = 1 + 0.1 * ((displ + i - 1) % 7);
    struct {
        int on;
        double x;
    } s = {1, 1};
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        if (s.on > 0) {
            MPI_Sendrecv(u + 1, 1, MPI_DOUBLE, before, 1, u + count + 1, 1, MPI_DOUBLE, after, 1,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Sendrecv(u + count, 1, MPI_DOUBLE, after, 2, u, 1, MPI_DOUBLE, before, 2,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (int i = 1; i <= count; i++)
            v[i] = 0.25 * u[i - 1] + 0.45 * u[i] + 0.25 * u[i + 1];
        for (int i = 1; i <= count; i++)
            u[i] = v[i];
    }
    for (int i = 1; i <= count; i++)
        t += (1 + (displ + i - 1) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
