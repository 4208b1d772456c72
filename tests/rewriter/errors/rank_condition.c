#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(long n);

int main(int argc, char **argv)
{
    int rank, size, n = 8;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (MPI_Comm_size(MPI_COMM_WORLD, &size) == 0 && rank == 0)
        printf("%d processes\n", size);
    if (rank == 1) {
        n = 5;
    }
    if (n > 99) {
        if (rank == 0)
            fprintf(stderr, "too many\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
#pragma xmpi loop
    for (int i = 0; i < 9; i++)
        work(n);
    MPI_Finalize();
    return 0;
}
