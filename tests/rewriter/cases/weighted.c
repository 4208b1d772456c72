/* The longest of the sequences of Collatz that begin in growing parts: rows differ in work, and tell
 * how much it was. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int length_of(long value)
{
    int length = 0;
    for (; value != 1; length++)
        value = value % 2 == 0 ? value / 2 : 3 * value + 1;
    return length;
}

int main(int argc, char **argv)
{
    int rank, size, n = 200, longest = 0, from = 0;
    long at = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = (int)((long)rank * n / size), count = (int)((long)(rank + 1) * n / size) - first;
    int *cost;
#pragma xmpi setup
    {
        cost = malloc(((size_t)count + 1) * sizeof *cost);
        for (int i = 0; i < count; i++)
            cost[i] = 1;
    }
#pragma xmpi loop interval(4) weight(cost)
    for (int round = 0; round < 40; round++) {
        int best[2] = {0, 0}, all[2];
        for (int i = 0; i < count; i++) {
            long value = at + first + i;
            cost[i] = length_of(value);
            if (cost[i] > best[0]) {
                best[0] = cost[i];
                best[1] = (int)value;
            }
        }
        MPI_Allreduce(best, all, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
        if (all[0] > longest) {
            longest = all[0];
            from = all[1];
        }
        at += n;
    }
    if (rank == 0)
        printf("result %d steps from %d\n", longest, from);
    free(cost);
    MPI_Finalize();
    return 0;
}
