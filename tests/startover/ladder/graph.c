/* SPDX-License-Identifier: BSD-3-Clause
 * A graph of own vertices with their edges, no values, that one function divides, makes and hands
 * back; the colours of all vertices everywhere. */
#include "ladder.h"

typedef struct {
    int vertices, begin, end;
    int *offset, *edge;
} graph_t;

static int degree(int v)
{
    return 1 + (v * 5 + 2) % 4;
}

static graph_t *make_graph(int vertices, MPI_Comm comm)
{
    int rank, size;
    graph_t *g = calloc(1, sizeof(graph_t));
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    g->vertices = vertices;
    g->begin = (int)((long)vertices * rank / size);
    g->end = (int)((long)vertices * (rank + 1) / size);
    int own = g->end - g->begin;
    g->offset = malloc((own + 1) * sizeof(int));
    g->offset[0] = 0;
    for (int v = 0; v < own; v++)
        g->offset[v + 1] = g->offset[v] + degree(g->begin + v);
    g->edge = malloc(g->offset[own] * sizeof(int) + 1);
    for (int v = 0; v < own; v++)
        for (int e = g->offset[v]; e < g->offset[v + 1]; e++)
            g->edge[e] = ((g->begin + v) * 3 + (e - g->offset[v]) * 7 + 1) % vertices;
    return g;
}

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    graph_t *g = make_graph(argc > 1 ? atoi(argv[1]) : 60, MPI_COMM_WORLD);
    int own = g->end - g->begin, *counts = malloc(size * sizeof(int)),
        *begins = malloc(size * sizeof(int));
    MPI_Allgather(&own, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&g->begin, 1, MPI_INT, begins, 1, MPI_INT, MPI_COMM_WORLD);
    double *colour = malloc(g->vertices * sizeof(double)), *next = malloc(own * sizeof(double) + 1);
    for (int v = 0; v < g->vertices; v++)
        colour[v] = v * 7 % 23;
#pragma xmpi loop
    for (int t = 0; t < 30; t++) {
        for (int v = 0; v < own; v++) {
            double sum = 0;
            for (int e = g->offset[v]; e < g->offset[v + 1]; e++)
                sum += colour[g->edge[e]];
            next[v] = 0.5 * colour[g->begin + v] + 0.5 * sum / (g->offset[v + 1] - g->offset[v]);
        }
        MPI_Allgatherv(next, own, MPI_DOUBLE, colour, counts, begins, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    tell(colour + g->begin, own);
    MPI_Finalize();
    return 0;
}
