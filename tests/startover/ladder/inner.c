/* SPDX-License-Identifier: BSD-3-Clause
 * Sweeps within time steps; the right-hand side is made anew in every step. */
#include "ladder.h"

static void swap(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int chunk = n / size, first = rank * chunk, last = rank == size - 1 ? n : first + chunk, count = last - first;
    double *u = calloc(count + 2, sizeof *u), *v = calloc(count + 2, sizeof *v), *b = calloc(count + 2, sizeof *b);
    double time = 0;
    for (int i = 1; i <= count; i++)
        u[i] = (first + i) % 5;
#pragma xmpi loop
    for (int step = 0; step < 10; step++) {
        time += 0.1;
        for (int i = 1; i <= count; i++)
            b[i] = u[i] + 0.1 * sin(time * (first + i));
        for (int sweep = 0; sweep < 4; sweep++) {
            if (rank > 0)
                MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, rank - 1, 0, &u[0], 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
            if (rank < size - 1)
                MPI_Sendrecv(&u[count], 1, MPI_DOUBLE, rank + 1, 0, &u[count + 1], 1, MPI_DOUBLE, rank + 1, 0,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int i = 1; i <= count; i++)
                v[i] = (b[i] + 0.5 * (u[i - 1] + u[i + 1])) / 2;
            if (rank == 0)
                v[0] = u[0];
            if (rank == size - 1)
                v[count + 1] = u[count + 1];
            swap(&u, &v);
        }
    }
    tell(u + 1, count);
    MPI_Finalize();
    return 0;
}
