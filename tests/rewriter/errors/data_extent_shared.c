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
    double *memory = malloc((size_t)count * sizeof *memory), *u = memory;
#pragma xmpi data distributed(u[n])
    for (int i = 0; i < count; i++)
        u[i] = displ + i;
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < count; i++)
            u[i] += 1;
    printf("%g\n", u[0]);
    free(memory);
    MPI_Finalize();
    return 0;
}
