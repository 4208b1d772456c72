#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(long n);
static double x[60];

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size;
    int count = (rank + 1) * n / size - displ;
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = displ; i < displ + count; i++)
            x[i * 7 % n] += k;
    work((long)x[0]);
    MPI_Finalize();
    return 0;
}
