/* SPDX-License-Identifier: BSD-3-Clause
 * No variable has the range: it is written out where it is used. */
#include "ladder.h"

#define FIRST(r) ((r) * (n / size) + ((r) < n % size ? (r) : n % size))

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *u = malloc(((size_t)n / (size_t)size + 2) * sizeof *u);
    for (int i = FIRST(rank); i < FIRST(rank + 1); i++)
        u[i - FIRST(rank)] = i;
#pragma xmpi loop
    for (int k = 0; k < 30; k++)
        for (int i = 0; i < n / size + (rank < n % size); i++)
            u[i] = 0.9 * u[i] + 0.2 * ((FIRST(rank) + i) % 3);
    tell(u, n / size + (rank < n % size));
    MPI_Finalize();
    return 0;
}
