/* SPDX-License-Identifier: BSD-3-Clause
 * Where blocks end is computed in the heads of loops, and kept in no variable; how many rows a
 * process has likewise. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int start = rank * n / size;
    double *u = malloc(((rank + 1) * n / size - start + 1) * sizeof(double)), own, most = 1;
    for (int i = start; i < (rank + 1) * n / size; i++)
        u[i - start] = i % 17;
#pragma xmpi loop
    for (int it = 0; it < 20; it++) {
        own = 0;
        for (int i = start; i < (rank + 1) * n / size; i++) {
            u[i - start] = 0.9 * u[i - start] + most / n + i % 3;
            own = fmax(own, u[i - start]);
        }
        MPI_Allreduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    tell(u, (rank + 1) * n / size - start);
    MPI_Finalize();
    return 0;
}
