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
    double here = 0, there = 0;
    MPI_Request request = MPI_REQUEST_NULL;
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        here = there + displ + count;
        MPI_Iallreduce(&here, &there, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    }
    MPI_Finalize();
    return 0;
}
