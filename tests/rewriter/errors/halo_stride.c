/* Every second face is set in an iteration: the others are from the one before. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 53;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int lo = rank * n / size, m = (rank + 1) * n / size - lo;
    double *u = calloc(m, sizeof *u), *flux = calloc(m + 1, sizeof *flux);
#pragma xmpi loop
    for (int k = 0; k < 40; k++) {
        for (int j = k % 2; j <= m; j += 2)
            flux[j] = 0.1 * (lo + j) + k;
        for (int j = 0; j < m; j++)
            u[j] += flux[j + 1] - flux[j];
    }
    free(u);
    free(flux);
    MPI_Finalize();
    return 0;
}
