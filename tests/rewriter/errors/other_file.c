#include <mpi.h>
#include <stdlib.h>

void halo_init(int rank, int size);
void halo_exchange(double *u, int count);

int main(int argc, char **argv)
{
    int rank, size, n = 50;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    halo_init(rank, size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u = calloc(count, sizeof *u);
#pragma xmpi loop
    for (int t = 0; t < 10; t++)
        halo_exchange(u, count);
    MPI_Finalize();
    return 0;
}
