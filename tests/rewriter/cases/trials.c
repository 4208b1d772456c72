/* Monte Carlo with a share of the trials for each process: a count, and no first row.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define TRIALS 7200

/* Numbers without a state: draw I of round R. */
static double draw(unsigned r, unsigned i)
{
    unsigned x = r * 2654435761u + i * 40503u + 12345u;
    x ^= x >> 13;
    x *= 2246822519u;
    x ^= x >> 16;
    return x / 4294967296.0;
}

int main(int argc, char *argv[])
{
    int rank, size, mine, i, total_hits = 0, rounds = 0;
    int *weights;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mine = TRIALS / size;
    weights = (int *)malloc((size_t)mine * sizeof(int));
    for (i = 0; i < mine; i++)
        weights[i] = 1;

#pragma xmpi loop interval(2)
    do {
        int hits = 0, all, weight = 0;
        for (i = 0; i < mine; i++)
            weight += weights[i];
        for (i = 0; i < 100; i++)
            hits += draw((unsigned)rounds, (unsigned)i) < 0.5 ? weight : 0;
        MPI_Allreduce(&hits, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        total_hits += all / 100;
        rounds++;
    } while (rounds < 12);

    if (rank == 0)
        printf("result %d of %d\n", total_hits, rounds * TRIALS);
    free(weights);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
