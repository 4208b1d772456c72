/* SPDX-License-Identifier: BSD-3-Clause
 * A history of the last sums is moved on in each iteration. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size, n = 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double last[4] = {0}, old[4] = {0}, s, sum, t = 0, all = 0;
    double *u = malloc((size_t)count * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = (first + i) % 7;
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        s = 0;
        for (int i = 0; i < count; i++)
            s += u[i];
        MPI_Allreduce(&s, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        memmove(last, last + 1, 3 * sizeof *last);
        last[3] = sum;
        for (int i = 0; i < count; i++)
            u[i] = 0.8 * u[i] + 0.01 * last[k % 4] + 0.001 * old[1] + (first + i) % 3;
    }
    for (int i = 0; i < count; i++)
        t += u[i] * (1 + (first + i) % 5);
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g %.9g\n", all, last[0]);
    MPI_Finalize();
    return 0;
}
