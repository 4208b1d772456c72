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
    double t = 0, all = 0, *u = calloc((size_t)count, sizeof *u),
           *v = calloc((size_t)count, sizeof *v), *w = calloc((size_t)count, sizeof *w);
    for (int i = 0; i < count; i++) {
        u[i] = 1 + 0.1 * ((displ + i) % 7);
        v[i] = w[i] = 0;
    }
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        double left = 0, right = 0;
        for (int i = 0; i < count; i++)
            u[i] = 0.95 * u[i] + 0.01;
        MPI_Request q[4];
        MPI_Irecv(&left, 1, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, &q[0]);
        MPI_Irecv(&right, 1, MPI_DOUBLE, after, 0, MPI_COMM_WORLD, &q[1]);
        MPI_Isend(&u[0], 1, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, &q[2]);
        MPI_Isend(&u[count - 1], 1, MPI_DOUBLE, after, 0, MPI_COMM_WORLD, &q[3]);
        MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
        double last = left;
        for (int i = 0; i < count; i++) {
            double a, b = i < count - 1 ? u[i + 1] : right;
            if (i > 0)
                a = u[i - 1];
            else
                a = left;
            w[i] = u[i] - last;
            last = u[i];
            double mean = i > 0 ? 0.5 * (u[i] + u[i - 1]) : 0.5 * (u[i] + left);
            v[i] = 0.6 * u[i] + 0.2 * a + 0.1 * b + 0.05 * mean + 0.01 * w[i];
        }
        for (int i = 0; i < count; i++)
            u[i] = v[i];
    }
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
