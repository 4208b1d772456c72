/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size, n = 40, count, displ;
    double acc = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    displ = rank * n / size;
    count = (rank + 1) * n / size - displ;
    double *u = malloc(count * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = 1.0 / (1 + displ + i);

#pragma xmpi loop state(rows(u[n] from displ, count), same(k), own(acc : +))
    for (int k = 0; k < 30; k++) {
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * ((displ + i + k) % 5);
        for (int i = 0; i < count; i++)
            acc += u[i];
    }
    if (rank == 0)
        printf("acc %.9g\n", acc);
    double t = 0, all = 0;
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum of u %.9g\n", all);
    MPI_Finalize();
    return 0;
}
