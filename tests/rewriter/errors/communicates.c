#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(long n);
void elsewhere(MPI_Comm comm);
static void share(int *n)
{
    MPI_Bcast(n, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size, n = 8;
    MPI_Init(&argc, &argv);
    {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (MPI_Comm_size(MPI_COMM_WORLD, &size) == 0)
        share(&n);
    if (MPI_Comm_size(MPI_COMM_WORLD, &size) == 0)
        elsewhere(MPI_COMM_WORLD);
#pragma xmpi loop
    for (int i = 0; i < 9; i++)
        work(n);
    MPI_Finalize();
    return 0;
}
