#include <mpi.h>
#include <stdlib.h>

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
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        for (int i = 0; i < count; i++)
            v[i] = 0.5 * u[i] + displ + i;
        u = v;
    }
    MPI_Finalize();
    return 0;
}
