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
    double **a = malloc((size_t)count * sizeof *a);
    for (int i = 0; i < count; i++)
        a[i] = calloc((size_t)n, sizeof **a);
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        a[0][k] += displ;
    MPI_Finalize();
    return 0;
}
