#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(long n);
extern MPI_Comm group;

int main(int argc, char **argv)
{
    int rank, size, n = 8;
    int place;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(group, &place);
#pragma xmpi loop
    for (int i = 0; i < 9; i++)
        work(n);
    work(place);
    MPI_Finalize();
    return 0;
}
