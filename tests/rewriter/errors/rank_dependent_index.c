/* Which elements are set follows the rows, in a function: the table of other rows would travel. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, n = 60, first, count;

static void sort(int *owners)
{
    memset(owners, 0, 64 * sizeof *owners);
    for (int i = 0; i < count; i++)
        owners[(first + i) * 7 % size]++;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    first = rank * n / size;
    count = (rank + 1) * n / size - first;
    int owners[64];
    sort(owners);
    double *u = calloc(count, sizeof *u);
#pragma xmpi loop
    for (int k = 0; k < 10; k++)
        for (int i = 0; i < count; i++)
            u[i] += owners[(first + i) % size];
    free(u);
    MPI_Finalize();
    return 0;
}
