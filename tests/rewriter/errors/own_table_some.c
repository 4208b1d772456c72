#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size;
    int count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u), *all = NULL;
    int *counts = NULL, *displs = NULL;
#pragma xmpi setup
    if (rank == size - 1) { /* of rank 0 they would be gathered anew */
        all = malloc((size_t)n * sizeof *all);
        counts = malloc((size_t)size * sizeof *counts);
        displs = malloc((size_t)size * sizeof *displs);
        for (int p = 0; p < size; p++) {
            displs[p] = p * n / size;
            counts[p] = (p + 1) * n / size - displs[p];
        }
    }
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        for (int i = 0; i < count; i++)
            u[i] += 1;
        MPI_Gatherv(u, count, MPI_DOUBLE, all, counts, displs, MPI_DOUBLE, size - 1,
                    MPI_COMM_WORLD);
    }
    printf("%g\n", u[0]);
    MPI_Finalize();
    return 0;
}
