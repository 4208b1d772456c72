/* Each process draws its own numbers, and a joining one would start from the beginning. */
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
    double sum = 0;
    srand(7);
#pragma xmpi loop
    for (int step = 0; step < 20; step++) {
        sum += (double)rand() / RAND_MAX;
    }
    if (rank == 0)
        printf("result %g %d\n", sum, count + displ);
    MPI_Finalize();
    return 0;
}
