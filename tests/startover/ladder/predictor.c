/* SPDX-License-Identifier: BSD-3-Clause
 * MacCormack's scheme for Burgers' equation: values are predicted on own rows, those of the rows
 * beside are sent, and corrected with them. */
#include "ladder.h"

static int rank, size, n, first, count;

static void ghosts(double *v)
{
    const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL,
              right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&v[1], 1, MPI_DOUBLE, left, 0, &v[count + 1], 1, MPI_DOUBLE, right, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&v[count], 1, MPI_DOUBLE, right, 1, &v[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = argc > 1 ? atoi(argv[1]) : 60;
    const int steps = argc > 2 ? atoi(argv[2]) : 40;
    first = rank * n / size;
    count = (rank + 1) * n / size - first;
    double *u = calloc(count + 2, sizeof *u), *p = calloc(count + 2, sizeof *p),
           *next = calloc(count + 2, sizeof *next);
    const double r = 0.2;
    for (int i = 1; i <= count; i++)
        u[i] = next[i] = 1 + sin(0.1 * (first + i));
#pragma xmpi loop
    for (int k = 0; k < steps; k++) {
        ghosts(u);
        for (int i = 1; i <= count; i++)
            p[i] = first + i < n ? u[i] - r * (u[i + 1] * u[i + 1] - u[i] * u[i]) / 2 : u[i];
        ghosts(p);
        for (int i = 1; i <= count; i++)
            next[i] = first + i > 1
                          ? (u[i] + p[i] - r * (p[i] * p[i] - p[i - 1] * p[i - 1]) / 2) / 2
                          : u[i];
        double *other = u;
        u = next;
        next = other;
    }
    tell(u + 1, count);
    free(u);
    free(p);
    free(next);
    MPI_Finalize();
    return 0;
}
