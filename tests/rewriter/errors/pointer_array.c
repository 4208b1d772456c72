#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

double *make(long n);

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size;
    int count = (rank + 1) * n / size - displ;
    double *u[2];
    u[0] = make(count);
    u[1] = make(count);
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        double *old = u[k % 2], *new = u[1 - k % 2];
        for (int i = 0; i < count; i++)
            new[i] = old[i] + 1;
    }
    printf("%g\n", u[1][0]);
    MPI_Finalize();
    return 0;
}
