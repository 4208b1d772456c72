#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void iterate(double *u, double *v, int count, int displ)
{
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        for (int i = 0; i < count; i++)
            v[i] = u[i] + displ;
        double *t = u;
        u = v;
        v = t;
    }
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
    double *v = calloc((size_t)count, sizeof *v);
    iterate(u, v, count, displ);
    MPI_Finalize();
    return 0;
}
