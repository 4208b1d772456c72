#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, nx = 8, ny = 61;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = nx * (rank * ny / size); /* cells */
    int cells = nx * ((rank + 1) * ny / size) - first;
    double *u = calloc((size_t)cells, sizeof *u);
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int j = 0; j < cells / nx; j++)
            for (int i = 1; i < nx; i++)
                u[j * nx + i] += u[j * nx + i - 1] + first;
    printf("%g\n", u[0]);
    MPI_Finalize();
    return 0;
}
