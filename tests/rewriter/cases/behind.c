/* A field is filled, and gone through, by pointers up to the one behind its end. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 400;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int lo = rank * n / size, count = (rank + 1) * n / size - lo;
    double *a = malloc((size_t)count * sizeof *a), *end = a + count;
    for (double *p = a; p < end; p++)
        *p = (double)(lo + (p - a));
#pragma xmpi loop
    for (int k = 0; k < 40; k++)
        for (double *p = a; p < end; p++)
            *p = 0.95 * *p + k;
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
