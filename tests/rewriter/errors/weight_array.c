#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(int count);

int main(int argc, char **argv)
{
    int rank, size, n = 8, count, displ;
    double *cost;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi domain(n) range(count, displ)
    {
        displ = rank * n / size;
        count = (rank + 1) * n / size - displ;
    }
    cost = calloc(n, sizeof *cost);
#pragma xmpi loop weight(cost)
    for (int i = 0; i < 9; i++)
        work(count);
    MPI_Finalize();
    return 0;
}
