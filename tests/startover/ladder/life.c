/* SPDX-License-Identifier: BSD-3-Clause
 * Game of life with bytes, on a ring of ranks. */
#include "ladder.h"

#define WIDTH 16

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int lo = rank * n / size, hi = (rank + 1) * n / size, rows = hi - lo;
    int prev = (rank + size - 1) % size, next = (rank + 1) % size;
    unsigned char(*now)[WIDTH] = calloc(rows + 2, WIDTH), (*then)[WIDTH] = calloc(rows + 2, WIDTH);
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < WIDTH; j++)
            now[i][j] = ((lo + i) * 7 + j * 3) % 5 < 2;
    long alive = 0;
#pragma xmpi loop
    for (int generation = 0; generation < 25; generation++) {
        MPI_Sendrecv(now[1], WIDTH, MPI_UNSIGNED_CHAR, prev, 0, now[rows + 1], WIDTH, MPI_UNSIGNED_CHAR, next, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(now[rows], WIDTH, MPI_UNSIGNED_CHAR, next, 1, now[0], WIDTH, MPI_UNSIGNED_CHAR, prev, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= rows; i++)
            for (int j = 0; j < WIDTH; j++) {
                int around = 0;
                for (int di = -1; di <= 1; di++)
                    for (int dj = -1; dj <= 1; dj++)
                        if (di != 0 || dj != 0)
                            around += now[i + di][(j + dj + WIDTH) % WIDTH];
                then[i][j] = around == 3 || (around == 2 && now[i][j]);
            }
        for (int i = 1; i <= rows; i++)
            memcpy(now[i], then[i], WIDTH);
        long own = 0;
        for (int i = 1; i <= rows; i++)
            for (int j = 0; j < WIDTH; j++)
                own += now[i][j];
        MPI_Allreduce(&own, &alive, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    }
    double *mine = malloc((rows + 1) * sizeof *mine);
    for (int i = 1; i <= rows; i++) {
        mine[i - 1] = 0;
        for (int j = 0; j < WIDTH; j++)
            mine[i - 1] += now[i][j] * (j + 1);
    }
    if (rank == 0)
        printf("%ld alive\n", alive);
    tell(mine, rows);
    MPI_Finalize();
    return 0;
}
