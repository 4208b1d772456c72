/* Each quantity has its rows in memory of its own, to which an element of an array of pointers
 * leads. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define NV 2
#define NG 1
typedef struct {
    int nx, nyg, j0, ny, stride, up, down;
    double *u[NV], *un[NV];
} grid;
#define IDX(g, j, i) ((size_t)((j) + NG) * (g)->stride + (i) + NG)
static int create(grid *g, int nx, int ny)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    g->nx = nx;
    g->nyg = ny;
    g->ny = ny / size + (rank < ny % size ? 1 : 0);
    g->j0 = rank * (ny / size) + (rank < ny % size ? rank : ny % size);
    g->stride = nx + 2 * NG;
    g->up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    g->down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    for (int v = 0; v < NV; v++) {
        g->u[v] = calloc((size_t)(g->ny + 2 * NG) * g->stride, sizeof(double));
        g->un[v] = calloc((size_t)(g->ny + 2 * NG) * g->stride, sizeof(double));
    }
    return 0;
}
static void fill(grid *g)
{
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            g->u[0][IDX(g, j, i)] = (g->j0 + j) * 0.1 + i;
            g->u[1][IDX(g, j, i)] = (g->j0 + j) * 0.2 - i;
        }
}
static void halo(grid *g)
{
    for (int v = 0; v < NV; v++) {
        double *u = g->u[v];
        MPI_Sendrecv(u + (size_t)g->ny * g->stride, g->stride, MPI_DOUBLE, g->up, 1, u, g->stride,
                     MPI_DOUBLE, g->down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + g->stride, g->stride, MPI_DOUBLE, g->down, 2,
                     u + (size_t)(g->ny + 1) * g->stride, g->stride, MPI_DOUBLE, g->up, 2,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}
typedef struct {
    int nx, ny, steps;
    double w;
} par;
static int readpar(const char *file, par *p)
{
    int rank, bad = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    p->nx = 20;
    p->ny = 60;
    p->steps = 200;
    p->w = 1;
    if (rank == 0 && file) {
        FILE *f = fopen(file, "r");
        bad = !f || fscanf(f, "%d %d %d", &p->nx, &p->ny, &p->steps) != 3;
        if (f)
            fclose(f);
    }
    MPI_Bcast(&bad, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (bad)
        return p->steps;
    MPI_Bcast(p, sizeof *p, MPI_BYTE, 0, MPI_COMM_WORLD);
    return 0;
}
static void update(grid *g)
{
    for (int v = 0; v < NV; v++)
        for (int j = 0; j < g->ny; j++)
            for (int i = 0; i < g->nx; i++)
                g->un[v][IDX(g, j, i)] =
                    0.25 * (g->u[v][IDX(g, j - 1, i)] + g->u[v][IDX(g, j + 1, i)] +
                            g->u[v][IDX(g, j, i - 1)] + g->u[v][IDX(g, j, i + 1)]);
    for (int v = 0; v < NV; v++) {
        double *t = g->u[v];
        g->u[v] = g->un[v];
        g->un[v] = t;
    }
}
int main(int argc, char **argv)
{
    grid g;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    par p;
    if (readpar(argc > 1 ? argv[1] : NULL, &p)) {
        MPI_Finalize();
        return 1;
    }
#pragma xmpi domain(p.ny) range(g.ny, g.j0)
    create(&g, p.nx, p.ny);
    fill(&g);
    double m = 0;
#pragma xmpi loop
    for (int k = 0; k < p.steps; k++) {
        halo(&g);
        update(&g);
        m = 0;
        for (int j = 0; j < g.ny; j++)
            m = g.u[0][IDX(&g, j, 3)] > m ? g.u[0][IDX(&g, j, 3)] : m;
        MPI_Allreduce(MPI_IN_PLACE, &m, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (rank == 0 && k % 20 == 0)
            printf("%.15g\n", m);
    }
    MPI_Finalize();
    return 0;
}
