/* Bids in rounds. The lots are dealt by counts that a loop sums up; after the rounds the program deals the
 * lots again in its mind, and its own formula has to be right. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, lots = 45, first = 0, count = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int r = 0; r <= rank; r++) {
        first += count;
        count = lots / size + (r < lots % size);
    }
    long *price = malloc((size_t)count * sizeof *price), best = 0;
    for (int i = 0; i < count; i++)
        price[i] = (first + i) * 13 % 29;
#pragma xmpi loop restore
    for (int round = 0; round < 25; round++) {
        long own = 0;
        for (int i = 0; i < count; i++) {
            price[i] += (price[i] * 7 + best + first + i) % 17;
            own = price[i] > own ? price[i] : own;
        }
        MPI_Allreduce(&own, &best, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
        if (best > 300)
            break;
    }
    int share = lots / size, rest = lots % size;
    long sum = 0, total = 0;
    for (int i = 0; i < share + (rank < rest); i++)
        sum += price[i] * (rank * share + (rank < rest ? rank : rest) + i);
    MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %ld %ld\n", best, total);
    free(price);
    MPI_Finalize();
    return 0;
}
