/* Loop variable in the for; declarations in initial and setup; no braces round the body. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int ask(void)
{
    int n = 24;
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return n;
}

static void advance(double *v, int count, const int *offset, int left, int it)
{
    for (int i = left < 0; i < count; i++)
        v[i] += (*offset + i) * it;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi initial
    int n = ask(); /* everybody's */
    int count, displ;
#pragma xmpi domain(n) range(count, displ)
    count = n / size, displ = rank * count;
#pragma xmpi initial
    double *v = calloc((size_t)count, sizeof *v);
#pragma xmpi data distributed(v[n])
#pragma xmpi setup
    int *offset =
        malloc(sizeof *offset);
#pragma xmpi setup
    *offset = displ;
    int left;
#pragma xmpi initial
    double scratch[3], factor = 0.5 * ask(), half = factor / 2;
#pragma xmpi setup
    if (rank > 0)
        left = rank - 1;
    else
        left = size - 1;
#pragma xmpi loop
    for (int it = 0; it < 11; it++)
        scratch[it % 3] = half / factor, advance(v, count, offset, left, it + (int)scratch[it % 3]);
    double sum = 0, all;
    for (int i = 0; i < count; i++)
        sum += v[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.17g\n", all);
    free(v);
    free(offset);
    MPI_Finalize();
    return 0;
}
