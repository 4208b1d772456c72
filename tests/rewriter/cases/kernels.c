/* A field whose kernels are chosen by a table of function pointers: what they change is known by which functions of
 * the file somebody takes the address of. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, n = 97, first, rows;
static long *u, *old, calls;

static void mix(long *a, int count)
{
    for (int i = 0; i < count; i++)
        old[i] = a[i];
    for (int i = 0; i < count; i++)
        a[i] = (old[i] * 3 + old[i] * 0 + first + i) % 10007;
    calls++;
}

static void shift(long *a, int count)
{
    for (int i = 0; i < count; i++)
        a[i] = (a[i] + calls) % 10007;
}

static long digest(void)
{
    long own = 0, sum = 0;
    for (int i = 0; i < rows; i++)
        own += u[i] * (1 + (first + i) % 5);
    MPI_Allreduce(&own, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

int main(int argc, char **argv)
{
    void (*const kernels[2])(long *, int) = {mix, shift};
    long (*check)(void) = digest;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    first = rank * n / size;
    rows = (rank + 1) * n / size - first;
    u = malloc((size_t)rows * sizeof *u);
    old = malloc((size_t)rows * sizeof *old);
    for (int i = 0; i < rows; i++)
        u[i] = (first + i) * 37 % 101;
    long total = 0;
#pragma xmpi loop
    for (int k = 0; k < 40; k++) {
        kernels[k % 3 == 2](u, rows);
        total = (total * 7 + check()) % 1000003;
    }
    if (rank == 0) /* The result is the same for any layout. */
        printf("result %ld %ld\n", total, calls);
    free(u);
    free(old);
    MPI_Finalize();
    return 0;
}
