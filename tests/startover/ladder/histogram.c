/* SPDX-License-Identifier: BSD-3-Clause
 * What each rank counts is added up after the loop. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    long hist[5] = {0}, all[5];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = (int)((long)n * rank / size), count = (int)((long)n * (rank + 1) / size) - first;
    double *u = malloc(((size_t)count + 1) * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = first + i;
#pragma xmpi loop
    for (int k = 0; k < 30; k++)
        for (int i = 0; i < count; i++) {
            u[i] = fmod(1.3 * u[i] + first + i, 10);
            hist[(int)u[i] % 5]++;
        }
    MPI_Reduce(hist, all, 5, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld %ld %ld %ld %ld\n", all[0], all[1], all[2], all[3], all[4]);
    tell(u, count);
    MPI_Finalize();
    return 0;
}
