/* SPDX-License-Identifier: BSD-3-Clause
 * Sums of rows that the loop around changes, in a struct in a struct. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define STEPS 11
struct part { int rank, size, n; int *counts, *displs; };
struct data { int step, k; double *f, *u; double past[STEPS]; double sum; };
struct world { struct part part; struct data data; };
static void divide(struct world *w)
{
    w->part.counts = malloc(w->part.size * sizeof(int));
    w->part.displs = malloc(w->part.size * sizeof(int));
    for (int r = 0; r < w->part.size; r++) {
        w->part.displs[r] = r * w->part.n / w->part.size;
        w->part.counts[r] = (r + 1) * w->part.n / w->part.size - w->part.displs[r];
    }
}
static void stage(struct world *w)
{
    double t = 0;
    for (int i = 0; i < w->part.counts[w->part.rank]; i++)
        t += w->data.f[i];
    MPI_Allreduce(&t, &w->data.sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
    struct world w;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &w.part.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w.part.size);
    w.part.n = 20;
    divide(&w);
    w.data.f = calloc(w.part.counts[w.part.rank], sizeof(double));
    w.data.u = calloc(w.part.counts[w.part.rank], sizeof(double));
    memset(w.data.past, 0, sizeof w.data.past);
    w.data.sum = 0;
    w.data.step = 0;
    while (w.data.step < 6) {
        stage(&w);
        w.data.past[w.data.step] = w.data.sum;
        {
        for (int i = 0; i < w.part.counts[w.part.rank]; i++)
            w.data.f[i] = .8 * w.data.f[i] + .01 * (w.part.displs[w.part.rank] + i) + .1 * w.data.past[w.data.step / 2];
        }
        w.data.k = 0;
#pragma xmpi loop
        do {
            for (int i = 0; i < w.part.counts[w.part.rank]; i++)
                w.data.u[i] += w.part.displs[w.part.rank] + i;
            w.data.k++;
        } while (w.data.k < 11);
        w.data.step++;
    }
    double s[2] = {0, 0}, all[2];
    for (int i = 0; i < w.part.counts[w.part.rank]; i++)
        s[0] += w.data.f[i], s[1] += w.data.u[i];
    MPI_Reduce(s, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (w.part.rank == 0)
        printf("%.9g %.9g\n", all[0], all[1]);
    MPI_Finalize();
    return 0;
}
