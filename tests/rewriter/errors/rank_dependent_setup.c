#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(long n);

int main(int argc, char **argv)
{
    int rank, size, n = 8;
    int first, last, share;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi setup
    first = rank * n;
    last = first + n;
#pragma xmpi initial
    share = n / size;
#pragma xmpi loop
    for (int i = 0; i < 9; i++)
        work(last + share);
    MPI_Finalize();
    return 0;
}
