/* Water over beds that it wears: a header has the beds, and changes them. */
#include "lake.h"
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, n = 503;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, rows = (rank + 1) * n / size - first;
    double *water = malloc(rows * sizeof *water), sum = 0;
    for (int i = 0; i < rows; i++)
        water[i] = (first + i) % 7;
    lake_init(rows);
#pragma xmpi loop
    for (int k = 0; k < 50; k++) {
        double own = 0;
        lake_step(water, rows);
        for (int i = 0; i < rows; i++)
            own += water[i];
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%.9g\n", sum);
    free(water);
    free(bed);
    MPI_Finalize();
    return 0;
}
