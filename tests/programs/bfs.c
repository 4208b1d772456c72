/* Breadth-first search, level by level: vertices are divided, the frontier is a bit map for all. */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define V 256
#define DEGREE 3
#define WORDS (V / 64)

typedef struct {
    uint64_t word[WORDS];
} bitmap;

static void set_bit(bitmap *b, int v) { b->word[v / 64] |= UINT64_C(1) << (v % 64); }
static bool get_bit(const bitmap *b, int v) { return b->word[v / 64] >> (v % 64) & 1; }

static int neighbour(int v, int k) { return (v * (2 * k + 3) + 17 * k + 1) % V; }

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int vbegin = (int)((long)V * rank / size), vend = (int)((long)V * (rank + 1) / size);
    int *level = malloc((size_t)(vend - vbegin) * sizeof *level);
    memset(level, 0xff, (size_t)(vend - vbegin) * sizeof *level); /* -1 */
    bitmap frontier, found;
    memset(&frontier, 0, sizeof frontier);
    set_bit(&frontier, 5);

    int depth = 0;
    bool more = true;
#pragma xmpi loop interval(1)
    while (more) {
        bitmap own;
        memset(&own, 0, sizeof own);
        for (int v = vbegin; v < vend; v++) {
            if (!get_bit(&frontier, v) || level[v - vbegin] >= 0)
                continue;
            level[v - vbegin] = depth;
            for (int k = 0; k < DEGREE; k++)
                set_bit(&own, neighbour(v, k));
        }
        MPI_Allreduce(own.word, found.word, WORDS, MPI_UINT64_T, MPI_BOR, MPI_COMM_WORLD);
        more = false;
        for (int w = 0; w < WORDS; w++)
            if (found.word[w] != 0)
                more = true;
        frontier = found;
        depth++;
        if (depth == 40)
            more = false;
    }
    int mine[2] = {0, 0}, all[2];
    for (int v = vbegin; v < vend; v++)
        if (level[v - vbegin] >= 0) {
            mine[0]++;
            mine[1] += level[v - vbegin];
        }
    MPI_Reduce(mine, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d of %d vertices reached, sum of levels %d\n", all[0], V, all[1]);
    free(level);
    MPI_Finalize();
    return 0;
}
