/* Shortest paths by Bellman and Ford: edges are divided, distances are everywhere. */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct edge {
    int from, to, cost;
} edge_t;

#define NODES 50
#define EDGES 300

static void make_edge(int k, edge_t *e)
{
    e->from = k * 7 % NODES;
    e->to = (k * 13 + k / NODES) % NODES;
    e->cost = 1 + k * 31 % 40;
}

int main(int argc, char *argv[])
{
    int rank, size, changed = 1, rounds = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    int nedges = EDGES / size;
    if (rank < EDGES % size)
        nedges++;
    int first;
    MPI_Exscan(&nedges, &first, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        first = 0;

    edge_t *edges = malloc(nedges * sizeof(edge_t));
    for (int k = 0; k < nedges; k++)
        make_edge(first + k, &edges[k]);
    int *dist = malloc(NODES * sizeof(int)), *next = malloc(NODES * sizeof(int));
    for (int i = 0; i < NODES; i++)
        dist[i] = INT_MAX / 2;
    dist[0] = 0;

#pragma xmpi loop interval(1)
    while (changed) {
        for (int i = 0; i < NODES; i++)
            next[i] = dist[i];
        for (int k = 0; k < nedges; k++) {
            int through = dist[edges[k].from] + edges[k].cost;
            if (through < next[edges[k].to])
                next[edges[k].to] = through;
        }
        MPI_Allreduce(MPI_IN_PLACE, next, NODES, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        changed = 0;
        for (int i = 0; i < NODES; i++) {
            if (next[i] != dist[i])
                changed = 1;
            dist[i] = next[i];
        }
        rounds++;
    }
    if (rank == 0) {
        long sum = 0;
        for (int i = 0; i < NODES; i++)
            sum += dist[i] < INT_MAX / 2 ? dist[i] : 0;
        printf("%d rounds, sum of distances %ld\n", rounds, sum);
    }
    free(edges);
    free(dist);
    free(next);
    MPI_Finalize();
    return 0;
}
