#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(long n);
void neighbours(int size, int *list);

int main(int argc, char **argv)
{
    int rank, size, n = 8;
    int left, chunk, total = argc, k, list[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = rank - 1;
    chunk = left < 0 ? n : 2 * left;
    for (k = 0; k < size; k++)
        total += k;
    neighbours(size, list);
    k = 7;
#pragma xmpi loop
    for (int i = 0; i < 9; i++)
        work(chunk + total + list[0] + k);
    MPI_Finalize();
    return 0;
}
