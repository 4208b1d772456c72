/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays of variable length, with a first length that is the number of own rows. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, n = 28, m = 18;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size),
        first = rank * (n / size) + (rank < n % size ? rank : n % size);
    double u[count + 2][m], v[count][m], mean[count][m];
    for (int i = 0; i < count + 2; i++)
        for (int j = 0; j < m; j++)
            u[i][j] = sin(0.4 * (first + i)) + 0.1 * j;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < m; j++)
            mean[i][j] = 0;
    int up = (rank + 1) % size, down = (rank + size - 1) % size;
#pragma xmpi loop
    for (int t = 1; t <= 30; t++) {
        MPI_Sendrecv(u[count], m, MPI_DOUBLE, up, 0, u[0], m, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(u[1], m, MPI_DOUBLE, down, 0, u[count + 1], m, MPI_DOUBLE, up, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < count; i++)
            for (int j = 0; j < m; j++)
                v[i][j] = u[i + 1][j] + 0.2 * (u[i][j] - 2 * u[i + 1][j] + u[i + 2][j]);
        for (int i = 0; i < count; i++)
            for (int j = 0; j < m; j++) {
                u[i + 1][j] = v[i][j];
                mean[i][j] += v[i][j] / 30;
            }
    }
    double s = 0, all;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < m; j++)
            s += mean[i][j] * (1 + (first + i) % 5);
    MPI_Reduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9e\n", all);
    MPI_Finalize();
    return 0;
}
