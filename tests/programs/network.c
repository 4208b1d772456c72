/* Water levels in a network of pipes: a function takes the process's own nodes from tables of all processes' parts,
 * puts them into a struct, and lists the pipes of each there. The iterations use the tables, too. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int nodes, count, first;
    int *begin, *other;
    double *width;
} network_t;

static int *counts, *firsts, rank, size;

static void *memory(size_t bytes)
{
    void *block = malloc(bytes);
    if (block == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return block;
}

static void survey(network_t *net, int side)
{
    net->nodes = side * side;
    net->first = firsts[rank];
    net->count = counts[rank];
    net->begin = malloc((size_t)(net->count + 1) * sizeof(int));
    net->other = malloc(4 * (size_t)(net->count + 1) * sizeof(int));
    net->width = malloc(4 * (size_t)(net->count + 1) * sizeof(double));
    int pipes = 0;
    for (int i = 0; i < net->count; i++) {
        int node = net->first + i;
        net->begin[i] = pipes;
        if (node >= side) {
            net->other[pipes] = node - side;
            net->width[pipes++] = 0.25;
        }
        if (node + side < net->nodes) {
            net->other[pipes] = node + side;
            net->width[pipes++] = 0.5;
        }
    }
    net->begin[net->count] = pipes;
}

int main(int argc, char **argv)
{
    int side = 19;
    network_t net;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = side * side;
    counts = memory((size_t)size * sizeof(int));
    firsts = memory((size_t)size * sizeof(int));
    for (int p = 0, at = 0; p < size; p++) {
        counts[p] = (n + size - 1 - p) / size;
        firsts[p] = at;
        at += counts[p];
    }
    survey(&net, side);
    double *level = memory((size_t)n * sizeof *level);
    double *own = memory((size_t)net.count * sizeof *own);
    for (int i = 0; i < n; i++)
        level[i] = i % 16;
#pragma xmpi loop
    for (int step = 0; step < 40; step++) {
        for (int i = 0; i < net.count; i++) {
            own[i] = 0.5 * level[net.first + i];
            for (int k = net.begin[i]; k < net.begin[i + 1]; k++)
                own[i] += 0.5 * net.width[k] * level[net.other[k]];
        }
        MPI_Allgatherv(own, net.count, MPI_DOUBLE, level, counts, firsts, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += level[i];
    if (rank == 0)
        printf("%.12g\n", sum);
    MPI_Finalize();
    return 0;
}
