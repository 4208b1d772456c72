/* SPDX-License-Identifier: BSD-3-Clause */
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
        right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    double t = 0, all = 0, next = 0;
    double *u = malloc((size_t)count * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = 1 + (displ + i) % 7;
#pragma xmpi loop
    for (int k = 0; k < STEPS; k++)
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * ((displ + i + k) % 5);
    MPI_Sendrecv(&u[0], 1, MPI_DOUBLE, left, 0, &next, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++)
        t += u[i];
    t += next;
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
