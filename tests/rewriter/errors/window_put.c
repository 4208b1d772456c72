/* tests/programs/edges.c as it is with ONE_SIDED. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 403, steps = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size);
    int first = rank * (n / size) + (rank < n % size ? rank : n % size);
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    double *u = calloc((size_t)count + 2, sizeof *u);
    double *old = calloc((size_t)count + 2, sizeof *old);
    double *new = calloc((size_t)count + 2, sizeof *new);
    for (int i = 1; i <= count; i++) {
        int at = first + i;
        u[i] = old[i] = at < 100 ? at * 0.01 : (n - at) * 0.003;
    }
    MPI_Win window;
    MPI_Win_create(u, (MPI_Aint)(count + 2) * 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
#pragma xmpi data halo(old[n]: 1) halo(new[n]: 1)
#pragma xmpi loop
    for (int step = 0; step < steps; step++) {
        MPI_Win_fence(0, window);
        MPI_Put(u + 1, 1, MPI_DOUBLE, left, n / size + (rank <= n % size) + 1, 1, MPI_DOUBLE, window);
        MPI_Put(u + count, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, window);
        MPI_Win_fence(0, window);
        for (int i = 1; i <= count; i++)
            new[i] = 2 * u[i] - old[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]);
        for (int i = 1; i <= count; i++) {
            old[i] = u[i];
            u[i] = new[i];
        }
    }
    double own = 0, all = 0;
    for (int i = 1; i <= count; i++)
        own = u[i] > own ? u[i] : own;
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("highest point %.15g\n", all);
    free(u);
    free(old);
    free(new);
    MPI_Finalize();
    return 0;
}
