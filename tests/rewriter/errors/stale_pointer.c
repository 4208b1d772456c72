#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(long n);

int main(int argc, char **argv)
{
    int rank, size, n = 8;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *A = malloc(8 * sizeof *A);
    double *second = A + 1;
    double *third = &A[2];
#pragma xmpi data distributed(A[n])
#pragma xmpi loop
    for (int i = 0; i < 9; i++)
        work((long)(*second + *third));
    MPI_Finalize();
    return 0;
}
