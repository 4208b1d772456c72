/* Beads on a ring that follow their right neighbours. Rank and size are asked for in comm.c. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include "comm.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int beads = 90, me = my_rank(), np = my_size();
    int first = beads * me / np, mine = beads * (me + 1) / np - first;
    int left = (me + np - 1) % np, right = (me + 1) % np;
    double *angle = malloc(mine * sizeof *angle);
    for (int i = 0; i < mine; i++)
        angle[i] = (first + i) * (first + i) % 37;
#pragma xmpi loop
    for (int step = 0; step < 40; step++) {
        double next = from_right(angle[0], left, right);
        for (int i = 0; i < mine; i++)
            angle[i] = 0.75 * angle[i] + 0.25 * (i + 1 < mine ? angle[i + 1] : next);
    }
    long own = 0, all;
    for (int i = 0; i < mine; i++)
        own += (long)(angle[i] * 1e6) % 1000 * (first + i);
    MPI_Reduce(&own, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("beads %d sum %ld\n", beads, all);
    free(angle);
    MPI_Finalize();
    return 0;
}
