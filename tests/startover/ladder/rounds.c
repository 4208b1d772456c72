/* SPDX-License-Identifier: BSD-3-Clause
 * Rounds around the loop: each sets a scale, and a number that all rows get, and says what has come
 * out; the rows are divided by a table of a struct. */
#include "ladder.h"

typedef struct {
    int rank, size, n, first, last, *begin, *counts;
    double *x, *y;
} part_t;

static void divide(part_t *p, int n)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p->size);
    p->n = n;
    p->begin = malloc(((size_t)p->size + 1) * sizeof(int));
    p->counts = malloc((size_t)p->size * sizeof(int));
    for (int r = 0; r <= p->size; r++)
        p->begin[r] = (int)((long)n * r / p->size);
    for (int r = 0; r < p->size; r++)
        p->counts[r] = p->begin[r + 1] - p->begin[r];
    p->first = p->begin[p->rank];
    p->last = p->begin[p->rank + 1];
}

int main(int argc, char **argv)
{
    part_t p;
    double total = 0;
    MPI_Init(&argc, &argv);
    divide(&p, argc > 1 ? atoi(argv[1]) : 40);
    p.x = malloc((size_t)p.n * sizeof(double));
    p.y = malloc((size_t)(p.last - p.first + 1) * sizeof(double));
    for (int i = 0; i < p.n; i++)
        p.x[i] = i % 10;
    for (int round = 0; round < 4; round++) {
        double scale = 1.0 / (2 + round), norm = 0;
        int count = p.last - p.first;
#pragma xmpi loop
        for (int k = 0; k < 8; k++) {
            double mine = 0;
            for (int i = p.first; i < p.last; i++) {
                p.y[i - p.first] = 0.5 * p.x[i] + scale * (p.x[(i + 1) % p.n] + (i + k) % 3);
                mine = fmax(mine, p.y[i - p.first]);
            }
            MPI_Allgatherv(p.y, count, MPI_DOUBLE, p.x, p.counts, p.begin, MPI_DOUBLE, MPI_COMM_WORLD);
            MPI_Allreduce(&mine, &norm, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        }
        total += norm;
        if (p.rank == 0)
            printf("round %d: %.9g, %.9g in all\n", round, norm, total);
    }
    tell(p.x + p.first, p.last - p.first);
    MPI_Finalize();
    return 0;
}
