/* SPDX-License-Identifier: BSD-3-Clause
 * All rows on each rank, in arrays of fixed size; those of the neighbours come packed, and are
 * copied to their numbers. */
#include "ladder.h"

enum { MOST = 512 };
static double u[MOST], next[MOST];

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int lo = rank * n / size, hi = (rank + 1) * n / size;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL,
        right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int i = 0; i < n; i++)
        u[i] = 1.0 / (1 + i);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        double down, up, from_left, from_right;
        memcpy(&down, &u[lo], sizeof down);
        memcpy(&up, &u[hi - 1], sizeof up);
        MPI_Sendrecv(&down, 1, MPI_DOUBLE, left, 0, &from_right, 1, MPI_DOUBLE, right, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&up, 1, MPI_DOUBLE, right, 1, &from_left, 1, MPI_DOUBLE, left, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (left != MPI_PROC_NULL)
            memcpy(&u[lo - 1], &from_left, sizeof from_left);
        if (right != MPI_PROC_NULL)
            memcpy(&u[hi], &from_right, sizeof from_right);
        for (int i = lo; i < hi; i++)
            next[i] = 0.5 * u[i] + 0.25 * (u[i > 0 ? i - 1 : 0] + u[i < n - 1 ? i + 1 : n - 1]);
        for (int i = 0; i < n; i++) {
            if (i < lo || i >= hi)
                continue;
            u[i] = next[i];
        }
    }
    tell(&u[lo], hi - lo);
    MPI_Finalize();
    return 0;
}
