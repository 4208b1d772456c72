/* A pointer out of an array of them leads to the rows of one block: which one it is does not make the row
 * before the first one known. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 240;
    double *stratum[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size);
    int first = rank * (n / size) + (rank < n % size ? rank : n % size);
    for (int k = 0; k < 3; k++) {
        stratum[k] = malloc((size_t)count * sizeof(double));
        for (int i = 0; i < count; i++)
            stratum[k][i] = first + i;
    }
#pragma xmpi loop
    for (int step = 0; step < 50; step++)
        for (int i = 1; i < count; i++)
            stratum[1][i] += stratum[0][i - 1];
    MPI_Finalize();
    return 0;
}
