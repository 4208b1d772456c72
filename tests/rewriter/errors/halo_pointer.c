#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size;
    int count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count + 2, sizeof *u);
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        double *own = u + 1;
        u[0] = displ;
        for (int i = 0; i < count; i++)
            own[i] = own[i - 1] / 2 + 1;
    }
    printf("%g\n", u[1]);
    MPI_Finalize();
    return 0;
}
