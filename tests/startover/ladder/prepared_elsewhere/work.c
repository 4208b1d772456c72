/* SPDX-License-Identifier: BSD-3-Clause
 * Rows that are divided by tables. */
#include "work.h"
#include <mpi.h>
#include <stdlib.h>

static void divide(work_t *w)
{
    w->counts = malloc((size_t)w->size * sizeof(int));
    w->displs = malloc((size_t)w->size * sizeof(int));
    for (int r = 0, at = 0; r < w->size; r++) {
        w->counts[r] = w->n / w->size + (r < w->n % w->size);
        w->displs[r] = at;
        at += w->counts[r];
    }
    w->first = w->displs[w->rank];
    w->count = w->counts[w->rank];
}

void work_prepare(work_t *w, int argc, char **argv)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &w->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w->size);
    if (w->rank == 0)
        w->n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Bcast(&w->n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    divide(w);
    w->mine = malloc(((size_t)w->count + 1) * sizeof(double));
    w->all = malloc((size_t)w->n * sizeof(double));
    for (int i = 0; i < w->n; i++)
        w->all[i] = i % 5;
}

void work_step(work_t *w)
{
    for (int i = 0; i < w->count; i++) {
        int g = w->first + i;
        w->mine[i] = 0.5 * w->all[g] + 0.5 * w->all[(g + 1) % w->n];
    }
    MPI_Allgatherv(w->mine, w->count, MPI_DOUBLE, w->all, w->counts, w->displs, MPI_DOUBLE,
                   MPI_COMM_WORLD);
}
