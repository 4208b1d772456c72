#include <mpi.h>
#include <stdlib.h>

/* The ghost rows are not where the pragma says: both are behind the process's own ones. */
int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    double *u = calloc(count + 2, sizeof *u);
#pragma xmpi data halo(u[n]: 1)
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        MPI_Sendrecv(u, 1, MPI_DOUBLE, left, 0, u + count + 1, 1, MPI_DOUBLE, right, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + count - 1, 1, MPI_DOUBLE, right, 0, u + count, 1, MPI_DOUBLE, left, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < count; i++)
            u[i] += 0.1 * (first + i) + u[i == 0 ? count : i - 1];
    }
    MPI_Finalize();
    return 0;
}
