#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(long n);
#define BEGIN {
#define END }

int main(int argc, char **argv)
{
    int rank, size, n = 8;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi loop
    for (;;)
    BEGIN
        work(n);
    END
    MPI_Finalize();
    return 0;
}
