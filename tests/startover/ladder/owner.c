/* SPDX-License-Identifier: BSD-3-Clause
 * The owner of a row by the program's own formula. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u = calloc((size_t)count, sizeof *u);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        double value = 0;
        int owner = ((k + 1) * size - 1) / n;
        if (owner == rank)
            value = u[k - first];
        MPI_Bcast(&value, 1, MPI_DOUBLE, owner, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            u[i] += 0.1 * value + first + i;
    }
    tell(u, count);
    MPI_Finalize();
    return 0;
}
