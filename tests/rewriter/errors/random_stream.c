#define _XOPEN_SOURCE 600
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 50;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u = calloc(count, sizeof *u);
    srand48(7);
#pragma xmpi loop
    for (int t = 0; t < 10; t++) {
        double push = drand48();
        for (int i = 0; i < count; i++)
            u[i] += push * (first + i);
    }
    MPI_Finalize();
    return 0;
}
