/* A pulse of light between two mirrors: fields of fixed size that hold the process's own rows from row 1 on, with
 * a row of the neighbour's in front of one and behind another. The source is a row of the domain that one process
 * has. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

#define ROWS 90
#define COLUMNS 12

static double electric[ROWS + 2][COLUMNS], along[ROWS + 2][COLUMNS], across[ROWS + 2][COLUMNS];

int main(int argc, char **argv)
{
    int rank, size, steps = 60, source = ROWS / 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int begin = ROWS * rank / size, end = ROWS * (rank + 1) / size, rows = end - begin;
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL, below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
#pragma xmpi loop
    for (int t = 0; t < steps; t++) {
        MPI_Sendrecv(electric[1], COLUMNS, MPI_DOUBLE, above, 0, electric[rows + 1], COLUMNS, MPI_DOUBLE, below, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= rows; i++) {
            for (int j = 0; j < COLUMNS - 1; j++)
                along[i][j] -= 0.5 * (electric[i][j + 1] - electric[i][j]);
            if (begin + i - 1 == ROWS - 1)
                continue;
            for (int j = 0; j < COLUMNS; j++)
                across[i][j] += 0.5 * (electric[i + 1][j] - electric[i][j]);
        }
        MPI_Sendrecv(across[rows], COLUMNS, MPI_DOUBLE, below, 1, across[0], COLUMNS, MPI_DOUBLE, above, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= rows; i++) {
            int row = begin + i - 1;
            if (row == 0 || row == ROWS - 1)
                continue;
            for (int j = 1; j < COLUMNS - 1; j++)
                electric[i][j] += 0.5 * (across[i][j] - across[i - 1][j] - along[i][j] + along[i][j - 1]);
        }
        if (source >= begin && source < end)
            electric[source - begin + 1][COLUMNS / 2] = exp(-(t - 20.0) * (t - 20.0) / 50.0);
    }
    double most = 0, all;
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < COLUMNS; j++)
            most = fmax(most, fabs(electric[i][j]) + fabs(along[i][j]) + fabs(across[i][j]));
    MPI_Reduce(&most, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.15g\n", all);
    MPI_Finalize();
    return 0;
}
