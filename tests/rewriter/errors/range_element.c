#include <mpi.h>
#include <stdlib.h>

void work(int first, int count);

int main(int argc, char **argv)
{
    int rank, size, n = 50, count[64], first[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi domain(n) range(count[rank], first[rank])
    for (int r = 0; r < size; r++) {
        first[r] = n * r / size;
        count[r] = n * (r + 1) / size - first[r];
    }
#pragma xmpi loop
    for (int t = 0; t < 10; t++)
        work(first[rank], count[rank]);
    MPI_Finalize();
    return 0;
}
