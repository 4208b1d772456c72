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
    double *a = malloc(count * sizeof *a), sum = 0, all;
    int *list = malloc(count * sizeof *list);
    for (int i = 0; i < count; i++)
        a[i] = (displ + i) * 7 % 13;
    for (int i = 0; i < count; i++)
        list[i] = count - 1 - i;
    for (int i = 0; i < count; i++)
        many += a[i] > 6;
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < count; i++)
            a[i] = 0.5 * a[i] + k;
    for (int i = 0; i < many; i++)
        sum += a[list[i]];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
