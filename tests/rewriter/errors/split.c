#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(long n);

int main(int argc, char **argv)
{
    int rank, size, n = 8;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi initial
    int a = 1, b = 2;
#pragma xmpi initial
    const int c = 3;
#pragma xmpi setup
    struct { int low, high; } list[] = {{1, 2}}, *both = list;
#pragma xmpi setup
    div_t d = {1, 2};
#pragma xmpi initial
    int e;
#pragma xmpi initial
    static int f = 5;
#pragma xmpi loop
    for (int i = 0; i < 9; i++)
        work(n);
    work(a + b + c + both->low + d.quot + e + f);
    MPI_Finalize();
    return 0;
}
