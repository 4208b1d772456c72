/* What setup has set, and the statement that fills the rows goes on with. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define N 120
int main(int argc, char **argv)
{
    int rank, size;
    double all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * N / size, count = (rank + 1) * N / size - first;
    double *begin = malloc(count * sizeof *begin), x = 0;
    for (int i = 0; i < first; i++)
        x += i % 3 + 1;
    for (int i = 0; i < count; i++) {
        begin[i] = x;
        x += (first + i) % 3 + 1;
    }
#pragma xmpi loop divisible
    for (int t = 0; t < 20; t++) {
        double own = 0;
        for (int i = 0; i < count; i++)
            own += begin[i] * t;
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == size - 1)
        printf("%g of %g\n", all, x);
    MPI_Finalize();
    return 0;
}
