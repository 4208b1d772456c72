/* Votes go round in a hall: everybody has all seats, and the counts and displacements of all ranks are in arrays of
 * fixed size, with room for more ranks than there are. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>

enum { SEATS = 45, MOST = 64 };

static int votes[SEATS], counts[MOST], displs[MOST];

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int lo = rank * SEATS / size, hi = (rank + 1) * SEATS / size;
    for (int p = 0; p < size; p++) {
        displs[p] = p * SEATS / size;
        counts[p] = (p + 1) * SEATS / size - displs[p];
    }
    for (int i = 0; i < SEATS; i++)
        votes[i] = i * 7 % 5;
    long all = 0;
#pragma xmpi loop
    for (int round = 0; round < 40; round++) {
        int turned[SEATS];
        for (int i = lo; i < hi; i++)
            turned[i - lo] = (votes[(i + 1) % SEATS] + 2 * votes[(i + SEATS - 1) % SEATS] + round) % 7;
        MPI_Allgatherv(turned, hi - lo, MPI_INT, votes, counts, displs, MPI_INT, MPI_COMM_WORLD);
        for (int i = 0; i < SEATS; i++)
            all = (all * 3 + votes[i]) % 100003;
    }
    if (rank == 0)
        printf("result %ld\n", all);
    MPI_Finalize();
    return 0;
}
