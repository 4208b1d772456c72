/* SPDX-License-Identifier: BSD-3-Clause
 * Own rows between ghost rows, gone through by while loops: the next row is taken at the begin of
 * one, and counted at the end of the other. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 31;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    double *u = calloc((size_t)count + 2, sizeof *u), *v = calloc((size_t)count + 2, sizeof *v);
    double t = 0, all = 0;
    for (int i = 1; i <= count; i++)
        u[i] = v[i] = 1 + 0.1 * ((displ + i) % 7);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 0, &u[count + 1], 1, MPI_DOUBLE, right, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[count], 1, MPI_DOUBLE, right, 1, &u[0], 1, MPI_DOUBLE, left, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        int next = 0;
        while (next < count) {
            int i = next++;
            v[i + 1] = 0.5 * u[i + 1] + 0.2 * (u[i] + u[i + 2]);
        }
        int row = 1;
        while (row <= count) {
            u[row] = v[row] + 0.01 * ((displ + row + k) % 3);
            row++;
        }
    }
    for (int i = 1; i <= count; i++)
        t += (1 + (displ + i) % 5) * (u[i] + v[i]);
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
