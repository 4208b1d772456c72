#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = malloc((size_t)count * sizeof *u), result = 0;
    for (int i = 0; i < count; i++)
        u[i] = displ + i;
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + k;
    double norm = 1e9;
    while (norm > 1) {
        norm = 0;
        for (int i = 0; i < count; i++) {
            u[i] *= 0.9;
            norm += u[i] * u[i];
        }
    }
    for (int i = 0; i < count; i++)
        result += u[i];
    MPI_Allreduce(MPI_IN_PLACE, &result, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    printf("result %g\n", result);
    free(u);
    MPI_Finalize();
    return 0;
}
