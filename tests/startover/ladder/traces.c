/* SPDX-License-Identifier: BSD-3-Clause
 * Waves with a rim that is never set, behind ghost rows; who has the row of the receivers keeps what
 * they get, which is added up at the end. */
#include "ladder.h"

#define WIDTH 9
#define STEPS 30

static double *now, *then;
static double heard[3][STEPS];
static int mine, first;

static void advance(void)
{
    for (int i = 0; i < mine; i++)
        for (int j = 1; j < WIDTH - 1; j++) {
            double *p = now + i * WIDTH + j;
            then[i * WIDTH + j] = 1.5 * p[0] - 0.8 * then[i * WIDTH + j] + 0.1 * (p[-1] + p[1] + p[-WIDTH] + p[WIDTH]);
        }
    double *t = now;
    now = then;
    then = t;
}

static void listen(int step)
{
    int row = 5 - first;
    if (row < 0 || row >= mine)
        return;
    for (int r = 0; r < 3; r++)
        heard[r][step] = now[row * WIDTH + 2 + 2 * r];
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mine = n / size + (rank < n % size);
    first = rank * (n / size) + (rank < n % size ? rank : n % size);
    double *a = calloc((mine + 2) * WIDTH, sizeof *a), *b = calloc((mine + 2) * WIDTH, sizeof *b);
    now = a + WIDTH;
    then = b + WIDTH;
    for (int i = 0; i < mine; i++)
        for (int j = 1; j < WIDTH - 1; j++)
            now[i * WIDTH + j] = (first + i + j) % 4;
    int up = rank == 0 ? MPI_PROC_NULL : rank - 1, down = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
#pragma xmpi loop state(rows(now[n][WIDTH], then[n][WIDTH] from first, mine), same(step), own(heard: +))
    for (int step = 0; step < STEPS; step++) {
        MPI_Sendrecv(now, WIDTH, MPI_DOUBLE, up, 1, now + mine * WIDTH, WIDTH, MPI_DOUBLE, down, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(now + (mine - 1) * WIDTH, WIDTH, MPI_DOUBLE, down, 2, now - WIDTH, WIDTH, MPI_DOUBLE, up, 2,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        advance();
        listen(step);
    }
    double all[3][STEPS];
    MPI_Reduce(heard, all, 3 * STEPS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g %.9g %.9g\n", all[0][STEPS - 1], all[1][STEPS / 2], all[2][1]);
    tell(now, mine * WIDTH);
    MPI_Finalize();
    return 0;
}
