/* SPDX-License-Identifier: BSD-3-Clause
 * A value that the start counts on each rank, and iterations only read. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40, odd = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = n * rank / size, count = n * (rank + 1) / size - first;
    double *u = malloc(((size_t)count + 1) * sizeof *u), sum = 0;
    for (int i = 0; i < count; i++) {
        u[i] = (first + i) % 7;
        if ((first + i) % 2 == 1)
            odd++;
    }
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        double own = odd;
        for (int i = 0; i < count; i++)
            own += u[i] += 1;
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("sum %.9g\n", sum);
    tell(u, count);
    MPI_Finalize();
    return 0;
}
