/* SPDX-License-Identifier: BSD-3-Clause
 * A function reads the input on rank 0, divides the rows, and fills tables and a struct. */
#include "ladder.h"

typedef struct {
    int rank, size, n, first, count;
    int *counts, *displs;
    double *mine, *all;
} work_t;

static void prepare(work_t *w, int argc, char **argv)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &w->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w->size);
    if (w->rank == 0)
        w->n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Bcast(&w->n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    w->counts = malloc((size_t)w->size * sizeof(int));
    w->displs = malloc((size_t)w->size * sizeof(int));
    for (int r = 0, at = 0; r < w->size; r++) {
        w->counts[r] = w->n / w->size + (r < w->n % w->size);
        w->displs[r] = at;
        at += w->counts[r];
    }
    w->first = w->displs[w->rank];
    w->count = w->counts[w->rank];
    w->mine = malloc(((size_t)w->count + 1) * sizeof(double));
    w->all = malloc((size_t)w->n * sizeof(double));
    for (int i = 0; i < w->n; i++)
        w->all[i] = i % 5;
}

int main(int argc, char **argv)
{
    work_t w;
    MPI_Init(&argc, &argv);
    prepare(&w, argc, argv);
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        for (int i = 0; i < w.count; i++) {
            int g = w.first + i;
            w.mine[i] = 0.5 * w.all[g] + 0.5 * w.all[(g + 1) % w.n];
        }
        MPI_Allgatherv(w.mine, w.count, MPI_DOUBLE, w.all, w.counts, w.displs, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    tell(w.all + w.first, w.count);
    MPI_Finalize();
    return 0;
}
