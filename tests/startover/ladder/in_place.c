/* SPDX-License-Identifier: BSD-3-Clause
 * All rows everywhere, put together in place. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *counts = malloc((size_t)size * sizeof *counts), *displs = malloc((size_t)size * sizeof *displs);
    for (int r = 0; r < size; r++) {
        displs[r] = r * n / size;
        counts[r] = (r + 1) * n / size - displs[r];
    }
    double *x = malloc((size_t)n * sizeof *x);
    for (int i = 0; i < n; i++)
        x[i] = i % 4;
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        for (int i = displs[rank]; i < displs[rank] + counts[rank]; i++)
            x[i] = 0.9 * x[i] + 0.1 * (i % 6);
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, x, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    tell(x + displs[rank], counts[rank]);
    MPI_Finalize();
    return 0;
}
