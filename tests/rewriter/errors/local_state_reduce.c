/* Only rank 0 has the result of MPI_Reduce, and another process may become rank 0. */
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
    double one = 1, part = 0, sum = 0;
#pragma xmpi loop
    for (int step = 0; step < 20; step++) {
        MPI_Reduce(&one, &part, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        sum += part;
    }
    if (rank == 0)
        printf("result %g %d\n", sum, count + displ);
    MPI_Finalize();
    return 0;
}
