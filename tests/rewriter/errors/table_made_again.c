/* A table of all ranks' parts, which is made anew each time that the program comes to the loop. */
#include <mpi.h>
#include <stdlib.h>

static void iterate(int n, int rank, int size, int count, int displ, double *v, double *x)
{
    int *counts = malloc(size * sizeof *counts), *displs = malloc(size * sizeof *displs);
    for (int r = 0; r < size; r++) {
        displs[r] = r * n / size;
        counts[r] = (r + 1) * n / size - displs[r];
    }
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < count; i++)
            v[i] = 0.5 * x[displ + i] + 1;
        MPI_Allgatherv(v, count, MPI_DOUBLE, x, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    free(counts);
    free(displs);
}

int main(int argc, char **argv)
{
    int rank, size, n = 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *v = calloc(count, sizeof *v), *x = calloc(n, sizeof *x);
    for (int turn = 0; turn < 3; turn++) {
        iterate(n, rank, size, count, displ, v, x);
    }
    MPI_Finalize();
    return 0;
}
