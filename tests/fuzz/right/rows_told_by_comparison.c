/* SPDX-License-Identifier: BSD-3-Clause
 * The first two rows stay as they are, by their numbers in the first block. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 30;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    int up = rank ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double *u = malloc((size_t)(count + 2) * sizeof *u), s = 0, sum;
    double *v = malloc((size_t)(count + 2) * sizeof *v);
    for (int i = 0; i < count + 2; i++)
        u[i] = v[i] = (first + i) % 5;
#pragma xmpi loop
    for (int t = 0; t < 20; t++) {
        MPI_Sendrecv(u + 1, 1, MPI_DOUBLE, up, 0, u + count + 1, 1, MPI_DOUBLE, down, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + count, 1, MPI_DOUBLE, down, 1, u, 1, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++) {
            v[i] = u[i];
            if (!(first == 0 && i < 3))
                v[i] += 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]);
        }
        double *w = u;
        u = v;
        v = w;
    }
    for (int i = 1; i <= count; i++)
        s += u[i] * (first + i);
    MPI_Reduce(&s, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", sum);
    MPI_Finalize();
    return 0;
}
