/* Setup with variables of its own that are also the loop's; values changed in several places. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char *argv[])
{
    int rank, size, n = 18;
    int i; /* of all small loops */
    struct {
        int *counts;
        int neighbours[2];
    } halo;
    struct { int here, there; } pair;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long long count, displ;
#pragma xmpi domain(n) range(count, displ)
    for (i = 0, count = n / size, displ = 0; i < rank; i++)
        displ += count;
#pragma xmpi setup
    {
        int step, *all = malloc((size_t)size * sizeof *all);
        halo.counts = malloc((size_t)size * sizeof *halo.counts);
        for (step = 0; step < size; step++)
            halo.counts[step] = (int)count + step;
        halo.neighbours[0] = (rank + size - 1) % size;
        halo.neighbours[1] = (rank + 1) % size;
        pair.here = rank;
        pair.there = size - rank;
        free(all);
    }
    long *cells = malloc((size_t)count * sizeof *cells);
#pragma xmpi data distributed(cells[n])
#pragma xmpi initial
    for (i = 0; i < count; i++)
        cells[i] = i;
    long sum = 0, all;
#pragma xmpi loop
    for (int step = 0, top = 16; step < top; step++) {
        for (i = 0; i < count; i++)
            cells[i] += (long)displ + i;
        if (cells[0] < 0)
            continue;
        long own = (rank == size - 1 ? cells[count - 1] : 0) + (halo.counts[0] != count || halo.neighbours[0] != (rank + size - 1) % size || pair.here != rank || pair.there != size - rank);
        MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        sum += all;
        if (sum > 1000000) top--;
    }
    if (rank == 0)
        printf("result %ld\n", sum);
    free(cells);
    free(halo.counts);
    MPI_Finalize();
    return 0;
}
