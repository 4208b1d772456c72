/* SPDX-License-Identifier: BSD-3-Clause
 * Rows that a function divides by their norm, behind a pointer of its own: to be done once. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
typedef struct { int rank, size, n, *counts, *displs; } part_t;
typedef struct { part_t p; double *f, *u, norm; } world_t;
static void divide(part_t *p)
{
    p->counts = malloc(p->size * sizeof(int));
    p->displs = malloc(p->size * sizeof(int));
    for (int r = 0; r < p->size; r++) {
        p->displs[r] = r * p->n / p->size;
        p->counts[r] = (r + 1) * p->n / p->size - p->displs[r];
    }
}
static void get_norm(world_t *w)
{
    double s = 0;
    for (int i = 0; i < w->p.counts[w->p.rank]; i++)
        s += w->f[i] * w->f[i];
    MPI_Allreduce(&s, &w->norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void scale(world_t *w)
{
    double *f = w->f;
    for (int i = 0; i < w->p.counts[w->p.rank]; i++)
        f[i] /= sqrt(w->norm);
}
int main(int argc, char **argv)
{
    world_t w;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &w.p.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w.p.size);
    w.p.n = 40;
    divide(&w.p);
    w.f = calloc(w.p.counts[w.p.rank], sizeof(double));
    w.u = calloc(w.p.counts[w.p.rank], sizeof(double));
    for (int i = 0; i < w.p.counts[w.p.rank]; i++)
        w.f[i] = 1 + (w.p.displs[w.p.rank] + i) % 7;
    get_norm(&w);
    scale(&w);
#pragma xmpi loop
    for (int k = 0; k < 30; k++)
        for (int i = 0; i < w.p.counts[w.p.rank]; i++)
            w.u[i] += w.norm * w.f[i];
    double all, t = 0;
    for (int i = 0; i < w.p.counts[w.p.rank]; i++)
        t += w.u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (w.p.rank == 0)
        printf("%.9g %.9g\n", all, w.norm);
    MPI_Finalize();
    return 0;
}
