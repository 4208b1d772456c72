/* A function of the loop is another name of one: what it does is not looked into. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int halves(int x)
{
    return x / 2;
}
int scaled(int x) __attribute__((alias("halves")));

int main(int argc, char **argv)
{
    int rank, size, n = 400, half = scaled(14);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int lo = rank * n / size, count = (rank + 1) * n / size - lo;
    double *a = malloc((size_t)count * sizeof *a);
    for (int i = 0; i < count; i++)
        a[i] = lo + i;
#pragma xmpi loop
    for (int k = 0; k < 40; k++)
        for (int i = 0; i < count; i++)
            a[i] = 0.95 * a[i] + scaled(k) + half;
    double own = 0, sum;
    for (int i = 0; i < count; i++)
        own += a[i] * (lo + i);
    MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.9g\n", sum);
    free(a);
    MPI_Finalize();
    return 0;
}
