/* Conway's game of life on a torus: the whole board everywhere, computed by rows. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define H 36
#define W 40
#define CELL(b, i, j) (b)[(((i) + H) % H) * W + ((j) + W) % W]

static unsigned char board[H * W], next[H * W];

static int neighbours(int i, int j)
{
    int di, dj, sum = 0;
    for (di = -1; di <= 1; di++)
        for (dj = -1; dj <= 1; dj++)
            if (di != 0 || dj != 0)
                sum += CELL(board, i + di, j + dj);
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size, gen, i, j, alive;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    /* a glider and a blinker */
    CELL(board, 1, 2) = CELL(board, 2, 3) = CELL(board, 3, 1) = 1;
    CELL(board, 3, 2) = CELL(board, 3, 3) = 1;
    CELL(board, 20, 20) = CELL(board, 20, 21) = CELL(board, 20, 22) = 1;

    int lo = rank * H / size, hi = (rank + 1) * H / size;
    int *recvcounts = malloc(size * sizeof *recvcounts);
    int *offsets = malloc(size * sizeof *offsets);
    for (i = 0; i < size; i++) {
        offsets[i] = i * H / size * W;
        recvcounts[i] = (i + 1) * H / size * W - offsets[i];
    }

#pragma xmpi loop interval(3)
    for (gen = 0; gen < 30; gen++) {
        for (i = lo; i < hi; i++)
            for (j = 0; j < W; j++) {
                int n = neighbours(i, j);
                CELL(next, i, j) = n == 3 || (n == 2 && CELL(board, i, j));
            }
        MPI_Allgatherv(next + lo * W, (hi - lo) * W, MPI_UNSIGNED_CHAR, board, recvcounts, offsets,
                       MPI_UNSIGNED_CHAR, MPI_COMM_WORLD);
    }

    alive = 0;
    for (i = 0; i < H * W; i++)
        alive += board[i] * (1 + i % 11);
    if (rank == 0)
        printf("generation %d: checksum %d\n", gen, alive);
    free(recvcounts);
    free(offsets);
    MPI_Finalize();
    return 0;
}
