#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(long n);

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size;
    int count = (rank + 1) * n / size - displ;
    double *own = calloc((size_t)count, sizeof *own);
    MPI_Win window;
    MPI_Win_create(own, count, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        MPI_Win_fence(0, window);
        work(displ);
    }
    MPI_Finalize();
    return 0;
}
