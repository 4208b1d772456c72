#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double dt = 0.1;

static void shorten(void)
{
    dt *= 0.9;
}

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    double start;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size;
    int count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u);
    start = displ * dt;
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        for (int i = 0; i < count; i++)
            u[i] += start + i * 0.1 + dt;
        shorten();
    }
    printf("%g\n", u[0]);
    MPI_Finalize();
    return 0;
}
