/* SPDX-License-Identifier: BSD-3-Clause
 * Blocks that overlap by a row: from lo - 1 to hi, indices are global. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int lo = (int)((long)n * rank / size), hi = (int)((long)n * (rank + 1) / size);
    double *memory = calloc(hi - lo + 2, sizeof(double)), *spare = calloc(hi - lo + 2, sizeof(double));
    double *u = memory - (lo - 1), *v = spare - (lo - 1);
    for (int i = lo; i < hi; i++)
        u[i] = i % 10;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        MPI_Sendrecv(&u[lo], 1, MPI_DOUBLE, left, 0, &u[hi], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[hi - 1], 1, MPI_DOUBLE, right, 1, &u[lo - 1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = lo; i < hi; i++)
            v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]);
        for (int i = lo; i < hi; i++)
            u[i] = v[i];
    }
    tell(u + lo, hi - lo);
    MPI_Finalize();
    return 0;
}
