#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(long n);

int main(int argc, char **argv)
{
    int rank, size, n = 8;
    double *A;
    char *table;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi setup
    table = malloc(8);
    if (MPI_Comm_size(MPI_COMM_WORLD, &size) != 0 || table == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
#pragma xmpi initial
    A = malloc(64);
#pragma xmpi data distributed(A[n])
    MPI_Comm_rank(MPI_COMM_WORLD, A == NULL ? &rank : &rank);
    if (n > 9) {
        free(A);
        return 1;
    }
#pragma xmpi loop
    for (int i = 0; i < 9; i++)
        work(table[0] + (long)A[0]);
    MPI_Finalize();
    return 0;
}
