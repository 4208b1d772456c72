/* SPDX-License-Identifier: BSD-3-Clause
 * Static arrays with own rows from 1 on. */
#include "ladder.h"

#define MOST 440
static double v[MOST + 2], w[MOST + 2];

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = (int)((long)n * rank / size), count = (int)((long)n * (rank + 1) / size) - first;
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int i = 1; i <= count; i++)
        v[i] = sqrt(first + i);
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        MPI_Sendrecv(&v[1], 1, MPI_DOUBLE, up, 0, &v[count + 1], 1, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(&v[count], 1, MPI_DOUBLE, down, 1, &v[0], 1, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            w[i] = 0.5 * v[i] + 0.25 * (v[i - 1] + v[i + 1]);
        for (int i = 1; i <= count; i++)
            v[i] = w[i];
    }
    tell(v + 1, count);
    MPI_Finalize();
    return 0;
}
