/* The owner of a row by a macro, whose formula is not that of the blocks after a change. */
#include <mpi.h>
#include <stdlib.h>
#define BLOCK_LOW(id, p, n) ((id) * (n) / (p))
#define BLOCK_OWNER(j, p, n) (((p) * ((j) + 1) - 1) / (n))

int main(int argc, char **argv)
{
    int rank, size, n = 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = BLOCK_LOW(rank, size, n), count = BLOCK_LOW(rank + 1, size, n) - first;
    double *u = calloc((size_t)count, sizeof *u), row;
#pragma xmpi loop divisible
    for (int k = 0; k < n; k++) {
        int root = BLOCK_OWNER(k, size, n);
        if (root == rank)
            row = u[k - first];
        MPI_Bcast(&row, 1, MPI_DOUBLE, root, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            u[i] += row + first + i;
    }
    MPI_Finalize();
    return 0;
}
