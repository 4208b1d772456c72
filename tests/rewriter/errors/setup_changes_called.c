#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int middle;

static void shift(void)
{
    middle++;
}

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size;
    int count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u);
    middle = displ + count / 2;
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        for (int i = 0; i < count; i++)
            u[i] += displ + i < middle;
        shift();
    }
    printf("%g\n", u[0]);
    MPI_Finalize();
    return 0;
}
