/* The value is summed up before it is reduced. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>


int main(int argc, char **argv)
{
    int rank, size, n = 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double norm, sum = 0;
#pragma xmpi loop
    for (int step = 0; step < 20; step++) {
        norm = 0;
        for (int i = displ; i < displ + count; i++)
            norm += i;
        sum += norm;
        MPI_Allreduce(MPI_IN_PLACE, &norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("result %g\n", sum);
    MPI_Finalize();
    return 0;
}
