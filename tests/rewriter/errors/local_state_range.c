/* A variable of the range is used as a cursor. */
#include <mpi.h>
#include <stdio.h>
#define N 120
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * N / size, last = (rank + 1) * N / size;
    long total = 0;
#pragma xmpi loop
    for (int t = 0; t < 20; t++) {
        long own = 0, all;
        for (; first < last; first++)
            own += first * t;
        first = rank * N / size;
        MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        total += all;
    }
    if (rank == 0)
        printf("%ld\n", total);
    MPI_Finalize();
    return 0;
}
