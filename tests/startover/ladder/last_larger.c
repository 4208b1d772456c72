/* SPDX-License-Identifier: BSD-3-Clause
 * Larger blocks on the last ranks, and an index of the first row that is summed from 0. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40, first = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank >= size - n % size);
    for (int r = 0; r < rank; r++)
        first += n / size + (r >= size - n % size);
    double *u = malloc(((size_t)count + 1) * sizeof *u), total = 0;
    for (int i = 0; i < count; i++)
        u[i] = first + i;
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        double own = 0;
        for (int i = 0; i < count; i++) {
            u[i] = 0.9 * u[i] + 0.01 * ((first + i) % 11);
            own += u[i];
        }
        MPI_Allreduce(&own, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("total %.9g\n", total);
    tell(u, count);
    MPI_Finalize();
    return 0;
}
