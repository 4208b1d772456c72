/* Queens on boards of growing size: the first two columns make the tasks, which are divided. */
#include <mpi.h>
#include <stdio.h>

#define TASKS 64 /* pairs of rows of the first two columns, up to 8 by 8 */

static int safe(const int *row, int col)
{
    for (int c = 0; c < col; c++)
        if (row[c] == row[col] || row[c] - row[col] == c - col || row[c] - row[col] == col - c)
            return 0;
    return 1;
}

static long place(int *row, int col, int n)
{
    long found = 0;
    if (col == n)
        return 1;
    for (row[col] = 0; row[col] < n; row[col]++)
        if (safe(row, col))
            found += place(row, col + 1, n);
    return found;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int per = TASKS / size, extra = TASKS % size;
    int from = rank * per + (rank < extra ? rank : extra);
    int to = from + per + (rank < extra ? 1 : 0);
    long solutions[16] = {0};

#pragma xmpi loop interval(1)
    for (int n = 4; n <= 8; n++) {
        long mine = 0;
        for (int task = from; task < to; task++) {
            int row[16] = {task / 8, task % 8};
            if (row[0] < n && row[1] < n && safe(row, 1))
                mine += place(row, 2, n);
        }
        MPI_Allreduce(&mine, &solutions[n], 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        for (int n = 4; n <= 8; n++)
            printf("%d queens: %ld\n", n, solutions[n]);
    MPI_Finalize();
    return 0;
}
