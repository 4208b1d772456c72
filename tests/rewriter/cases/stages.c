/* Adaptive loops in functions that main calls one after another: a polynomial is tabulated, then
 * sorted into bins. Each function divides the rows by itself. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static long tabulate(long *table, int n, int rounds)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int low = (int)((long)rank * n / size), high = (int)((long)(rank + 1) * n / size);
    long *part = malloc((size_t)(high - low) * sizeof *part), checksum = 0;
    for (int i = low; i < high; i++)
        part[i - low] = i;
#pragma xmpi loop
    for (int round = 0; round < rounds; round++) {
        long own = 0, sum = 0;
        for (int i = low; i < high; i++) {
            part[i - low] = (part[i - low] * (i + 3) + round) % 9973;
            own += part[i - low];
        }
        MPI_Allreduce(&own, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        checksum = (checksum * 31 + sum) % 1000003;
    }
    long *sparse = calloc((size_t)n, sizeof *sparse);
    for (int i = low; i < high; i++)
        sparse[i] = part[i - low];
    MPI_Allreduce(sparse, table, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    free(sparse);
    free(part);
    return checksum;
}

enum { BINS = 16 };

static void bin(const long *table, int n, long bins[BINS])
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int chunk = (n + size - 1) / size;
    int begin = rank * chunk < n ? rank * chunk : n;
    int end = begin + chunk < n ? begin + chunk : n;
    int width = 1;
#pragma xmpi loop
    while (width < 4096) {
        long own[BINS] = {0}, sum[BINS];
        for (int i = begin; i < end; i++)
            own[table[i] / width % BINS] += i;
        MPI_Allreduce(own, sum, BINS, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        for (int k = 0; k < BINS; k++)
            bins[k] += sum[k] * (k + width);
        width *= 2;
    }
}

int main(int argc, char **argv)
{
    int rank, n = 83;
    long bins[BINS] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long *table = malloc((size_t)n * sizeof *table);
    long checksum = tabulate(table, n, 15);
    bin(table, n, bins);
    if (rank == 0) {
        printf("result %ld", checksum);
        for (int k = 0; k < BINS; k++)
            printf(" %ld", bins[k]);
        printf("\n");
    }
    free(table);
    MPI_Finalize();
    return 0;
}
