#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(long n);
#pragma xmpi data distributed(A[n])

int main(int argc, char **argv)
{
    int rank, size, n = 8;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (n > 3)
#pragma xmpi initial
        n = 3;
    switch (n)
    case 3:
#pragma xmpi loop
    for (;;)
        work(n);
    MPI_Finalize();
    return 0;
}
