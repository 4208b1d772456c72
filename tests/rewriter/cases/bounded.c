/* Heat equation with a bounded loop: the whole rod on every rank, own cells computed, gathered with formula tables.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 90, steps = 12;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        n = atoi(argv[1]);
    int local = n / size + (rank < n % size);
    int first = rank * (n / size) + (rank < n % size ? rank : n % size);
    double *u = malloc((size_t)n * sizeof(double));
    double *next = malloc((size_t)local * sizeof(double));
    int *counts = malloc((size_t)size * sizeof(int));
    int *displs = malloc((size_t)size * sizeof(int));
    for (int r = 0; r < size; r++) {
        counts[r] = n / size + (r < n % size);
        displs[r] = r * (n / size) + (r < n % size ? r : n % size);
    }
    for (int i = 0; i < n; i++)
        u[i] = i % 7;
    if (rank == 0)
        printf("heating %d cells\n", n);
#pragma xmpi loop iterations(steps) interval(2)
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < local; i++) {
            int g = first + i;
            double left = g > 0 ? u[g - 1] : 0;
            double right = g < n - 1 ? u[g + 1] : 0;
            next[i] = u[g] + 0.25 * (left - 2 * u[g] + right);
        }
        MPI_Allgatherv(next, local, MPI_DOUBLE, u, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("result %.17g %.17g\n", u[0], u[n / 2]);
    free(u);
    free(next);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
