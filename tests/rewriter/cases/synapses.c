/* Neurons that learn: a sparse matrix of weights, which the loop changes, so that its rows have to move.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void learn(const int *first, const int *from, long *weight, int own, const long *spikes, long *potential)
{
    for (int i = 0; i < own; i++) {
        const int begin = first[i], end = first[i + 1];
        potential[i] = 0;
        for (int s = begin; s < end; s++) {
            potential[i] += weight[s] * spikes[from[s]];
            weight[s] = (weight[s] * 5 + spikes[from[s]] + s - begin) % 97;
        }
    }
}

int main(int argc, char **argv)
{
    int rank, size, n = 39;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int start = n * rank / size, own = n * (rank + 1) / size - start;
    int *counts = malloc((size_t)size * sizeof *counts), *starts = malloc((size_t)size * sizeof *starts);
    for (int r = 0; r < size; r++) {
        counts[r] = n * (r + 1) / size - n * r / size;
        starts[r] = n * r / size;
    }
    int *first = malloc((size_t)(own + 1) * sizeof *first);
    first[0] = 0;
    for (int i = 0; i < own; i++)
        first[i + 1] = first[i] + 1 + (start + i) * 5 % 4;
    int *from = malloc((size_t)first[own] * sizeof *from);
    long *weight = malloc((size_t)first[own] * sizeof *weight);
    for (int i = 0; i < own; i++)
        for (int s = first[i]; s < first[i + 1]; s++) {
            from[s] = (start + i + 3 * (s - first[i]) + 1) % n;
            weight[s] = (start + i) % 7 + s - first[i];
        }
    long *spikes = malloc((size_t)n * sizeof *spikes), *potential = malloc((size_t)(own + 1) * sizeof *potential);
    for (int i = 0; i < n; i++)
        spikes[i] = i % 3;
#pragma xmpi loop
    for (int t = 0; t < 30; t++) {
        learn(first, from, weight, own, spikes, potential);
        for (int i = 0; i < own; i++)
            potential[i] %= 11;
        MPI_Allgatherv(potential, own, MPI_LONG, spikes, counts, starts, MPI_LONG, MPI_COMM_WORLD);
    }
    long mine = 0, sum;
    for (int i = 0; i < own; i++)
        for (int s = first[i]; s < first[i + 1]; s++)
            mine += weight[s] * (start + i + from[s]);
    MPI_Reduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %ld %ld\n", sum, spikes[n / 2]);
    free(first);
    free(from);
    free(weight);
    free(spikes);
    free(potential);
    free(counts);
    free(starts);
    MPI_Finalize();
    return 0;
}
