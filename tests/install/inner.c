/* SPDX-License-Identifier: BSD-3-Clause
 * Functions within functions, as gcc has them: before the loop, in it and after it, and one that the C
 * library calls. The result is the same for any layout. */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void order(double *a, int n)
{
    int compare(const void *x, const void *y)
    {
        double one = *(const double *)x, other = *(const double *)y;
        return (one > other) - (one < other);
    }
    qsort(a, (size_t)n, sizeof *a, compare);
}

int main(int argc, char **argv)
{
    int rank, size, n = 100;
    int part(int of, int parts, int r) { return of * r / parts; }
    double half(double x)
    {
        return sqrt(x * x) / 2; // a brace in a comment: }
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = n * rank / size, count = n * (rank + 1) / size - first;
    double *a = calloc((size_t)count, sizeof *a), sum = 0, all;
    for (int i = 0; i < count; i++)
        a[i] = first + i;
#pragma xmpi loop
    for (int it = 0; it < 50; it++)
        for (int i = 0; i < count; i++)
            a[i] += 2 * half(1);
    order(a, count);
    for (int i = 0; i < count; i++)
        sum += a[i];
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g %d\n", all, part(3, 1, 1));
    free(a);
    MPI_Finalize();
    return 0;
}
