#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(long n);
static void prepare(int *n)
{
#pragma xmpi initial
    *n = 3;
}

int main(int argc, char **argv)
{
    int rank, size, n = 8;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    prepare(&n);
#pragma xmpi loop
    for (int i = 0; i < 9; i++)
        work(n);
    MPI_Finalize();
    return 0;
}
