/* A plate in a struct on the heap: bounds, neighbours, communicator, fields and residual. All
 * functions get a pointer to it; two of its pointers are exchanged in each iteration. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct {
    int rank, size, up, down;
    int rows, cols, lo, mine;
    double *now, *next;
    double residual;
    int steps;
    MPI_Comm comm;
} grid_t;
static grid_t *grid_new(int rows, int cols)
{
    grid_t *g = malloc(sizeof *g);
    g->comm = MPI_COMM_WORLD;
    MPI_Comm_rank(g->comm, &g->rank);
    MPI_Comm_size(g->comm, &g->size);
    g->rows = rows;
    g->cols = cols;
    g->lo = (int)((long)rows * g->rank / g->size);
    g->mine = (int)((long)rows * (g->rank + 1) / g->size) - g->lo;
    g->up = g->rank > 0 ? g->rank - 1 : MPI_PROC_NULL;
    g->down = g->rank + 1 < g->size ? g->rank + 1 : MPI_PROC_NULL;
    g->now = calloc((size_t)(g->mine + 2) * (size_t)cols, sizeof(double));
    g->next = calloc((size_t)(g->mine + 2) * (size_t)cols, sizeof(double));
    g->residual = 0;
    g->steps = 0;
    for (int i = 1; i <= g->mine; i++)
        for (int j = 0; j < cols; j++)
            g->now[i * cols + j] = g->next[i * cols + j] = (g->lo + i - 1) * 0.1 + j * 0.01;
    return g;
}
static void exchange(grid_t *g)
{
    int c = g->cols;
    MPI_Sendrecv(g->now + c, c, MPI_DOUBLE, g->up, 1, g->now + (g->mine + 1) * c, c, MPI_DOUBLE,
                 g->down, 1, g->comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(g->now + g->mine * c, c, MPI_DOUBLE, g->down, 2, g->now, c, MPI_DOUBLE, g->up, 2,
                 g->comm, MPI_STATUS_IGNORE);
}
static void step(grid_t *g)
{
    int c = g->cols;
    double r = 0;
    for (int i = 1; i <= g->mine; i++)
        for (int j = 1; j < c - 1; j++) {
            g->next[i * c + j] = 0.25 * (g->now[(i - 1) * c + j] + g->now[(i + 1) * c + j] +
                                         g->now[i * c + j - 1] + g->now[i * c + j + 1]);
            double d = g->next[i * c + j] - g->now[i * c + j];
            r += d * d;
        }
    MPI_Allreduce(&r, &g->residual, 1, MPI_DOUBLE, MPI_SUM, g->comm);
    double *t = g->now;
    g->now = g->next;
    g->next = t;
    g->steps++;
}
static void grid_free(grid_t *g)
{
    free(g->now);
    free(g->next);
}
static void run(grid_t *g, int steps)
{
#pragma xmpi loop
    for (int k = 0; k < steps; k++) {
        exchange(g);
        step(g);
    }
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    grid_t *g = grid_new(120, 30);
    run(g, 80);
    double s = 0, total;
    for (int i = 1; i <= g->mine; i++)
        for (int j = 0; j < g->cols; j++)
            s += g->now[i * g->cols + j] * (g->lo + i);
    MPI_Reduce(&s, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (g->rank == 0)
        printf("result %.10g %.10g %d\n", total, g->residual, g->steps);
    grid_free(g);
    MPI_Finalize();
    return 0;
}
