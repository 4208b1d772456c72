/* SPDX-License-Identifier: BSD-3-Clause
 * How many rows a process has is a macro, with a quotient of variables of the file, also in the
 * functions that iterations call. */
#include "ladder.h"

#define ROWS (n / size)

static int rank, size, n;

static void update(double *u, double all, int first)
{
    for (int i = 0; i < ROWS; i++)
        u[i] = 0.9 * u[i] + all / n + (first + i) % 3;
}

static double largest(const double *u, int many)
{
    double most = 0, all;
    for (int i = 0; i < many; i++)
        most = fmax(most, u[i]);
    MPI_Allreduce(&most, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    n = 60 * (argc > 1 ? atoi(argv[1]) : 60);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *u = malloc(ROWS * sizeof(double)), all = 1;
    for (int i = 0; i < ROWS; i++)
        u[i] = (rank * ROWS + i) % 17;
#pragma xmpi loop
    for (int it = 0; it < 20; it++) {
        update(u, all, rank * ROWS);
        all = largest(u, ROWS);
    }
    tell(u, ROWS);
    MPI_Finalize();
    return 0;
}
