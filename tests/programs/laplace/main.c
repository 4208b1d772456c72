/* Laplace's equation, in several files. */
#include "grid.h"
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, steps = 0;
    grid_t grid = {.nrows = 32, .ncols = 24};
    double change = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    grid.first = rank * grid.nrows / size;
    grid.local = (rank + 1) * grid.nrows / size - grid.first;
    double *whole = calloc((size_t)grid.nrows * grid.ncols, sizeof *whole);
    double *mine = calloc((size_t)grid.local * grid.ncols, sizeof *mine);
    int *counts = calloc(size, sizeof *counts), *displs = calloc(size, sizeof *displs);
    for (int r = 0; r < size; r++) {
        displs[r] = r * grid.nrows / size * grid.ncols;
        counts[r] = (r + 1) * grid.nrows / size * grid.ncols - displs[r];
    }
    for (int j = 0; j < grid.ncols; j++)
        whole[j] = 1;
#pragma xmpi data replicated(change)
#pragma xmpi loop
    while (change > 1e-3 && steps < 60) {
        grid_relax(&grid, whole, mine);
        double own = 0;
        for (int i = 0; i < grid.local * grid.ncols; i++)
            own = fmax(own, fabs(mine[i] - whole[grid.first * grid.ncols + i]));
        change = largest(own);
        MPI_Allgatherv(mine, grid.local * grid.ncols, MPI_DOUBLE, whole, counts, displs, MPI_DOUBLE,
                       MPI_COMM_WORLD);
        steps++;
    }
    say("%d steps, %.17g\n", steps, whole[3 * grid.ncols + 5]);
    free(whole);
    free(mine);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
