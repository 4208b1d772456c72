#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(long n);
static void identify(int *rank)
{
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
}

int main(int argc, char **argv)
{
    int rank, size, n = 8;
    int me, again;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    identify(&me);
    identify(&again);
#pragma xmpi loop
    for (int i = 0; i < 9; i++)
        work(me);
    MPI_Finalize();
    return 0;
}
