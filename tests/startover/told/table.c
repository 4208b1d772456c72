/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of one block, by pointers to them, with the range as macros of a textbook cut it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define BLOCK_LOW(id, p, n) ((id) * (n) / (p))
#define BLOCK_HIGH(id, p, n) (BLOCK_LOW((id) + 1, p, n) - 1)
#define BLOCK_SIZE(id, p, n) (BLOCK_HIGH(id, p, n) - BLOCK_LOW(id, p, n) + 1)

int main(int argc, char **argv)
{
    int id, p, n = argc > 1 ? atoi(argv[1]) : 48;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &id);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    int rows = BLOCK_SIZE(id, p, n);

    int *store = malloc(rows * n * sizeof *store), **a = malloc(rows * sizeof *a);
    for (int i = 0; i < rows; i++) {
        a[i] = &store[i * n];
        for (int j = 0; j < n; j++)
            a[i][j] = (BLOCK_LOW(id, p, n) + i) * 7 + j;
    }
#pragma xmpi loop
    for (int k = 0; k < 60; k++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < n; j++)
                a[i][j] = (a[i][j] * 5 + k + j) % 1009;
    long s = 0, sum;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            s += store[i * n + j] * (BLOCK_LOW(id, p, n) + i);
    MPI_Reduce(&s, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (id == 0)
        printf("%ld\n", sum);
    MPI_Finalize();
}
