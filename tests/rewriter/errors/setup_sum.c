/* Setup that counts on when it is run again. */
#include <mpi.h>
#include <stdio.h>
#define N 120
int main(int argc, char **argv)
{
    int rank, size, total_ranks = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * N / size, count = (rank + 1) * N / size - first;
#pragma xmpi setup
    for (int r = 0; r < size; r++)
        total_ranks += 1;
    long total = 0;
#pragma xmpi loop
    for (int t = 0; t < 20; t++) {
        long own = 0, all;
        for (int i = 0; i < count; i++)
            own += (first + i) * t;
        MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        total += all * total_ranks / size;
    }
    if (rank == 0)
        printf("%ld\n", total);
    MPI_Finalize();
    return 0;
}
