/* SPDX-License-Identifier: BSD-3-Clause
 * Tables hold how many elements each process has, and from which on; no variable has its first row.
 * Each row has memory of its own. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40, m = 9;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int remainder = n % size, *many = malloc(size * sizeof(int)), *from = malloc(size * sizeof(int));
    for (int i = 0; i < size; i++) {
        many[i] = (n / size) * m;
        if (i < remainder)
            many[i] += m;
        from[i] = (i * (n / size) + (i < remainder ? i : remainder)) * m;
    }
    double *all = NULL, *mine = malloc((many[rank] + 1) * sizeof *mine);
    if (rank == 0) {
        srand(12345);
        all = malloc(n * m * sizeof *all);
        for (int i = 0; i < n * m; i++)
            all[i] = rand() % 100;
    }
    MPI_Scatterv(all, many, from, MPI_DOUBLE, mine, many[rank], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    int rows = many[rank] / m;
    double **now = malloc((rows + 2) * sizeof(double *)), **next = malloc((rows + 2) * sizeof(double *));
    for (int i = 0; i < rows + 2; i++) {
        now[i] = malloc((m + 2) * sizeof(double));
        next[i] = malloc((m + 2) * sizeof(double));
    }
    for (int i = 0; i < rows + 2; i++)
        for (int j = 0; j < m + 2; j++)
            now[i][j] = next[i][j] = 0;
    for (int i = 1; i <= rows; i++)
        for (int j = 1; j <= m; j++)
            now[i][j] = mine[(i - 1) * m + (j - 1)];
    double change = 1;
#pragma xmpi loop
    for (int k = 0; k < 30 && change > 1e-9; k++) {
        int up = rank - 1, down = rank + 1;
        if (up < 0)
            up = MPI_PROC_NULL;
        if (down >= size)
            down = MPI_PROC_NULL;
        MPI_Sendrecv(now[1], m + 2, MPI_DOUBLE, up, 0, now[rows + 1], m + 2, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(now[rows], m + 2, MPI_DOUBLE, down, 1, now[0], m + 2, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= rows; i++)
            for (int j = 1; j <= m; j++)
                next[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
        double most = 0;
        for (int i = 1; i <= rows; i++)
            for (int j = 1; j <= m; j++) {
                most = fmax(most, fabs(next[i][j] - now[i][j]));
                now[i][j] = next[i][j];
            }
        MPI_Allreduce(&most, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    for (int i = 0; i < rows; i++)
        memcpy(mine + i * m, now[i + 1] + 1, m * sizeof *mine);
    tell(mine, rows * m);
    MPI_Finalize();
    return 0;
}
