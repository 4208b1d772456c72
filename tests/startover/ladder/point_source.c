/* SPDX-License-Identifier: BSD-3-Clause
 * Waves from one point: who has its row adds to it. There is room for the largest block. */
#include "ladder.h"

#define WIDTH 6

static double *now, *then;
static int mine, first;

static void excite(int step)
{
    int row = 10 - first;
    if (row >= 0 && row < mine)
        now[(row + 2) * WIDTH + WIDTH / 2] += sin(0.3 * step);
}

static void advance(void)
{
    for (int i = 0; i < mine; i++)
        for (int j = 0; j < WIDTH; j++) {
            int k = (i + 2) * WIDTH + j;
            then[k] = 1.6 * now[k] - 0.9 * then[k] + 0.1 * (now[k - WIDTH] + now[k + WIDTH] + now[k - 2 * WIDTH] + now[k + 2 * WIDTH]);
        }
    double *t = now;
    now = then;
    then = t;
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mine = n / size + (rank < n % size);
    first = rank * (n / size) + (rank < n % size ? rank : n % size);
    now = calloc((n / size + 5) * WIDTH, sizeof *now);
    then = calloc((n / size + 5) * WIDTH, sizeof *then);
    int up = rank == 0 ? MPI_PROC_NULL : rank - 1, down = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
#pragma xmpi loop
    for (int step = 0; step < 30; step++) {
        excite(step);
        MPI_Sendrecv(now + 2 * WIDTH, 2 * WIDTH, MPI_DOUBLE, up, 1, now + (mine + 2) * WIDTH, 2 * WIDTH, MPI_DOUBLE, down, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(now + mine * WIDTH, 2 * WIDTH, MPI_DOUBLE, down, 2, now, 2 * WIDTH, MPI_DOUBLE, up, 2,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        advance();
    }
    tell(now + 2 * WIDTH, mine * WIDTH);
    MPI_Finalize();
    return 0;
}
