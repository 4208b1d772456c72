/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    double *u = calloc((size_t)count + 2, sizeof *u), *v = calloc((size_t)count + 2, sizeof *v);
    for (int i = 1; i <= count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
#pragma xmpi loop
    for (int k = 0; k < STEPS; k++) {
        double in[2] = {0, 0}, out[2];
        MPI_Request all_of[4];
        memcpy(&out[0], &u[1], sizeof *u);
        memcpy(&out[1], &u[count], sizeof *u);
        MPI_Irecv(&in[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &all_of[0]);
        MPI_Irecv(&in[1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &all_of[1]);
        MPI_Isend(&out[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &all_of[2]);
        MPI_Isend(&out[1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &all_of[3]);
        MPI_Waitall(4, all_of, MPI_STATUSES_IGNORE);
        memcpy(&u[0], &in[1], sizeof *u);
        memcpy(&u[count + 1], &in[0], sizeof *u);
        for (int i = 1; i <= count; i++)
            v[i] = 0.5 * u[i] + 0.2 * (u[i - 1] + u[i + 1]);
        for (int i = 1; i <= count; i++)
            u[i] = v[i];
    }
    for (int i = 1; i <= count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
