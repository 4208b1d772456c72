/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
enum { STEPS = 14 };

int main(int argc, char **argv)
{
    int rank, size, n = 41;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL,
        right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double t = 0, all = 0;
    double *u = calloc((size_t)n, sizeof *u), *y = calloc((size_t)count, sizeof *y);
    for (int i = 0; i < n; i++)
        u[i] = 1 + i % 7;
#pragma xmpi loop
    for (int k = 0; k < STEPS; k++) {
        MPI_Request q[4];
        MPI_Irecv(&u[(displ - 1 + n) % n], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &q[0]);
        MPI_Irecv(&u[(displ + count) % n], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &q[1]);
        MPI_Isend(&u[displ], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &q[2]);
        MPI_Isend(&u[displ + count - 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &q[3]);
        MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
        for (int i = 0; i < count; i++)
            y[i] = 0.5 * u[displ + i] + 0.2 * (u[displ + i - 1 < 0 ? 0 : displ + i - 1] +
                                               u[displ + i + 1 >= n ? n - 1 : displ + i + 1]);
        for (int i = 0; i < count; i++)
            u[displ + i] = y[i];
    }
    double p = 0, of = 0;
    for (int i = 0; i + 1 < count; i += 3)
        p += fabs(u[displ + i] - u[displ + i + 1]);
    MPI_Reduce(&p, &of, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", of);
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[displ + i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
