/* SPDX-License-Identifier: BSD-3-Clause
 * A ring of cells with three values each, at two levels of time in one array of fixed size, by a
 * number that goes to and fro. */
#include "ladder.h"

#define MOST 1000

static double f[2][MOST + 2][3];

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 60, cur = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    int up = (rank + size - 1) % size, down = (rank + 1) % size;
    for (int i = 1; i <= count; i++)
        for (int k = 0; k < 3; k++)
            f[0][i][k] = (first + i) % 5 + k;
#pragma xmpi loop
    for (int it = 0; it < 20; it++) {
        MPI_Sendrecv(f[cur][1], 3, MPI_DOUBLE, up, 0, f[cur][count + 1], 3, MPI_DOUBLE, down, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(f[cur][count], 3, MPI_DOUBLE, down, 1, f[cur][0], 3, MPI_DOUBLE, up, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            for (int k = 0; k < 3; k++)
                f[!cur][i][k] =
                    f[cur][i][k] + 0.2 * (f[cur][i - 1][k] - 2 * f[cur][i][k] + f[cur][i + 1][k]);
        cur = !cur;
    }
    tell(f[cur][1], 3 * count);
    MPI_Finalize();
    return 0;
}
