#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(long n);

int main(int argc, char **argv)
{
    int rank, size, n = 8;
    int count, displ;
    double *buffer;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi domain(n) range(count, displ)
    count = n / size, displ = rank * count;
    buffer = malloc((size_t)count * sizeof *buffer);
#pragma xmpi loop
    for (int i = 0; i < 9; i++)
        work((long)buffer[displ]);
    MPI_Finalize();
    return 0;
}
