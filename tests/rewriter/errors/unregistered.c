#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    double v[200], x[200];
} bodies_t;
typedef struct {
    int n;
    bodies_t bodies;
} world_t;
static world_t *make(int count, int n)
{
    world_t *w = calloc(1, sizeof *w);
    w->n = n;

    return w;
}
static void step(world_t *w, int count, int displ, int it)
{
    for (int i = 0; i < count; i++) {
        w->bodies.v[i] += 0.1 * (displ + i) / w->n;
        w->bodies.x[i] += 0.5 * w->bodies.v[i] + it;
    }
}
int main(int argc, char **argv)
{
    int rank, size, n = 200;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size),
        displ = rank * (n / size) + (rank < n % size ? rank : n % size);
    world_t *w = calloc(1, sizeof *w);
    w->n = n;

#pragma xmpi loop
    for (int it = 0; it < 100; it++)
        step(w, count, displ, it);
    double sum = 0, all;
    for (int i = 0; i < count; i++)
        sum += w->bodies.x[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.6f\n", all);
    MPI_Finalize();
    return 0;
}
