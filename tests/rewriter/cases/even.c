/* Blocks of equal size, checked before; a ring of totals with neighbours; several columns.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N 24
#define COLUMNS 3

int main(int argc, char **argv)
{
    int rank, size, count, offset, left, right;
    double *grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (N % size != 0) {
        if (rank == 0)
            printf("%d rows for %d processes\n", N, size);
        MPI_Finalize();
        return 1;
    }
    count = N / size;
    offset = rank * count;
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    grid = malloc(sizeof(double) * (size_t)count * COLUMNS);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < COLUMNS; j++)
            grid[i * COLUMNS + j] = offset + i + j;
    double first = 0;
#pragma xmpi loop
    for (int step = 0; step < 8; step++) {
        double passed = grid[0], taken = 0;
        MPI_Sendrecv(&passed, 1, MPI_DOUBLE, left, 0, &taken, 1, MPI_DOUBLE, right, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == size - 1)
            first = taken;
        MPI_Bcast(&first, 1, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            for (int j = 0; j < COLUMNS; j++)
                grid[i * COLUMNS + j] = 0.5 * grid[i * COLUMNS + j] + first + offset + i;
    }
    if (rank == 0)
        printf("result %.17g %.17g\n", first, grid[1]);
    free(grid);
    MPI_Finalize();
    return 0;
}
