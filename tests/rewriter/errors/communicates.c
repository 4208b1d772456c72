#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(long n);
void elsewhere(MPI_Comm comm);
static void share(int *n)
{
    MPI_Bcast(n, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static int begin(MPI_Comm *comm, int *size)
{
    MPI_Comm_dup(MPI_COMM_WORLD, comm);
    return MPI_Comm_size(*comm, size);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
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
    if (begin(&comm, &size) == 0)
        n = argc;
#pragma xmpi loop
    for (int i = 0; i < 9; i++)
        work(n);
    MPI_Finalize();
    return 0;
}
