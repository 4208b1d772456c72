#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(long n);

int main(int argc, char **argv)
{
    int rank, size, n = 8;
    double *table, *more = malloc(8);
    FILE *file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi initial
    table = malloc(8 * sizeof *table);
#pragma xmpi initial
    more[0] = 5;
    file = NULL;
#pragma xmpi initial
    file = fopen("x", "r");
    n = fgetc(file);
#pragma xmpi loop
    for (int i = 0; i < 9; i++)
        work((long)table[0] + (long)more[0]);
    MPI_Finalize();
    return 0;
}
