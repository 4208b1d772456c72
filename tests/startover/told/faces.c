/* SPDX-License-Identifier: BSD-3-Clause
 * Values at faces between cells: each process has one more than cells. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 60, steps = argc > 2 ? atoi(argv[2]) : 120;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size),
        first = rank * (n / size) + (rank < n % size ? rank : n % size);
    int lf = rank ? rank - 1 : MPI_PROC_NULL, rt = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;

    double *p = malloc((count + 2) * sizeof *p), *q = calloc(count + 1, sizeof *q), tot, s = 0;
    for (int i = 0; i < count + 2; i++)
        p[i] = sin(0.2 * (first + i - 1));
#pragma xmpi loop
    for (int t = 0; t < steps; t++) {
        MPI_Sendrecv(&p[1], 1, MPI_DOUBLE, lf, 0, &p[count + 1], 1, MPI_DOUBLE, rt, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&p[count], 1, MPI_DOUBLE, rt, 1, &p[0], 1, MPI_DOUBLE, lf, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int f = 0; f <= count; f++) {
            int g = first + f;
            if (g == 0)
                q[f] = 0.99 * q[f] + 0.01 * p[1];
            else if (g == n)
                q[f] = 0.95 * q[f] + 0.02 * p[count];
            else
                q[f] -= 0.3 * (p[f + 1] - p[f]);
        }
        for (int i = 1; i <= count; i++)
            p[i] -= 0.3 * (q[i] - q[i - 1]);
    }
    for (int i = 1; i <= count; i++)
        s += p[i] * (first + i) + q[i] * (first + i + 3);
    MPI_Reduce(&s, &tot, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9e\n", tot);
    MPI_Finalize();
}
