#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 60, many = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size;
    int count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u);
    int *hot = malloc((size_t)count * sizeof *hot);
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
#pragma xmpi setup
    for (int i = 0; i < count; i++)
        if (u[i] > 3)
            hot[many++] = i;
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < many; i++)
            u[hot[i]] += 1;
    printf("%g\n", u[0]);
    MPI_Finalize();
    return 0;
}
