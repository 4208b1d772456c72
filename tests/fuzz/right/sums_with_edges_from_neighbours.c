/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 29;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u);
    double t = 0, all = 0;
    for (int i = 0; i < count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
#pragma xmpi loop
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * ((displ + i + k) % 5);
    double left = 0;
    int before = rank > 0 ? rank - 1 : MPI_PROC_NULL,
        behind = rank < size - 1 ? rank + 1 : MPI_PROC_NULL, ups = 0, of_ups = 0;
    MPI_Sendrecv(&u[count - 1], 1, MPI_DOUBLE, behind, 0, &left, 1, MPI_DOUBLE, before, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++) {
        double one = i == 0 ? left : u[i - 1];
        t += one * u[i];
    }
    for (int i = 0; i < count; i++) {
        if (i == 0)
            t += left * u[i];
        else
            t += u[i - 1] * u[i];
        if (i == 0 && rank == 0)
            t += 1;
        if (i > 0 || rank > 0)
            t += u[i];
    }
    for (int i = 0; i < count; i++)
        if (u[i] > (i == 0 ? left : u[i - 1]))
            ups++;
    MPI_Reduce(&ups, &of_ups, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", of_ups);
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    MPI_Finalize();
    return 0;
}
