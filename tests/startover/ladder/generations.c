/* SPDX-License-Identifier: BSD-3-Clause
 * Game of life: a function makes the boards, pointers to rows in one block, which change places; the
 * last process takes the rows that are left, and functions reckon anew how many there are. */
#include "ladder.h"

enum { BORDER = 2 };

static int width = 14, height = 40;
static char **board, **next, **held;

static int rows_with_border(int rank, int size)
{
    return height / size + BORDER + (rank == size - 1 ? height % size : 0);
}

static char **make_board(int rank, int size)
{
    int rows = rows_with_border(rank, size);
    char *cells = malloc((size_t)rows * (width + BORDER)), **made = malloc(rows * sizeof(char *));
    for (int i = 0; i < rows; i++)
        made[i] = &cells[i * (width + BORDER)];
    return made;
}

static void progress(int rank, int size)
{
    int x, y, neighbours, upper, lower, rows = (height / size) + BORDER;
    if (rank == size - 1) {
        rows += height % size;
    }
    upper = rank - 1;
    lower = rank + 1;
    if (rank == 0)
        upper = MPI_PROC_NULL;
    if (rank == size - 1)
        lower = MPI_PROC_NULL;
    MPI_Sendrecv(board[1], width + BORDER, MPI_CHAR, upper, 0, board[rows - 1], width + BORDER, MPI_CHAR, lower, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(board[rows - 2], width + BORDER, MPI_CHAR, lower, 1, board[0], width + BORDER, MPI_CHAR, upper, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (x = 1; x < rows - 1; x++) {
        for (y = 1; y <= width; y++) {
            neighbours = board[x - 1][y - 1] + board[x - 1][y] + board[x - 1][y + 1] + board[x][y - 1] +
                         board[x][y + 1] + board[x + 1][y - 1] + board[x + 1][y] + board[x + 1][y + 1];
            if (board[x][y])
                next[x][y] = neighbours == 2 || neighbours == 3;
            else
                next[x][y] = neighbours == 3;
        }
    }
    held = next;
    next = board;
    board = held;
}

static void play(int rank, int size, int generations)
{
    int rows = rows_with_border(rank, size), first = rank * (height / size);
    board = make_board(rank, size);
    next = make_board(rank, size);
    for (int x = 0; x < rows; x++)
        for (int y = 0; y < width + BORDER; y++) {
            board[x][y] = x > 0 && y > 0 && x < rows - 1 && y <= width && ((first + x) * 7 + y * 3) % 5 < 2;
            next[x][y] = 0;
        }
#pragma xmpi loop state(rows(board[height][width + BORDER] from rank * (height / size), rows - 2 at 1 halo 1 : 1), same(i))
    for (int i = 0; i < generations; i++)
        progress(rank, size);
    double *mine = malloc(rows * sizeof *mine);
    for (int x = 1; x < rows - 1; x++) {
        mine[x - 1] = 0;
        for (int y = 1; y <= width; y++)
            mine[x - 1] += board[x][y] * y;
    }
    tell(mine, rows - 2);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        height = atoi(argv[1]);
    play(rank, size, 25);
    MPI_Finalize();
    return 0;
}
