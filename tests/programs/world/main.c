/* The shares of a budget, levelled by what all have; MPI is started and asked in par.c. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include "par.h"

static int begin_of(int n, int rank)
{
    return n / par_size * rank + (rank < n % par_size ? rank : n % par_size);
}

int main(int argc, char **argv)
{
    par_start(&argc, &argv);
    const int n = 77, from = begin_of(n, par_rank), to = begin_of(n, par_rank + 1);
    long *share = malloc((to - from) * sizeof *share), total = 0;
    for (int i = from; i < to; i++)
        share[i - from] = 1000 + i * 17 % 29;
#pragma xmpi loop
    for (int year = 0; year < 25; year++) {
        long own = 0;
        for (int i = from; i < to; i++)
            own += share[i - from];
        MPI_Allreduce(&own, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        for (int i = from; i < to; i++)
            share[i - from] += (total / n - share[i - from]) / 8 + i % 5;
        if (par_rank == 0 && year % 12 == 0)
            printf("year %d: %ld\n", year, total);
    }
    if (par_rank == 0)
        printf("total %ld\n", total);
    free(share);
    MPI_Finalize();
    return 0;
}
