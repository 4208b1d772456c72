#include <mpi.h>
#include <stdlib.h>

/* One more face than cells; the index does not show that it is a neighbour's. */
int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int lo = rank * n / size, m = (rank + 1) * n / size - lo;
    double *cell = calloc(m, sizeof *cell), *face = calloc(m + 1, sizeof *face);
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int j = 1; j <= m; j++) {
            int left = j - 1;
            face[j] += lo + j;
            cell[left] += face[j] - face[left];
        }
    MPI_Finalize();
    return 0;
}
