/* Sums of residues; which rank this is, and what it owns, comes in a struct that a function returns. */
#include <mpi.h>
#include <stdio.h>

#define ROWS 90

typedef struct {
    int rank, size, lo, n;
} part_t;

static part_t divide(int rows)
{
    part_t p;
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p.size);
    p.lo = rows * p.rank / p.size;
    p.n = rows * (p.rank + 1) / p.size - p.lo;
    return p;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    part_t p = divide(ROWS);
    long total = 0;
#pragma xmpi loop
    for (int t = 0; t < 30; t++) {
        long own = 0, all;
        for (int i = 0; i < p.n; i++)
            own += (p.lo + i) * t % 7;
        MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        total += all;
    }
    if (p.rank == 0)
        printf("%ld\n", total);
    MPI_Finalize();
    return 0;
}
