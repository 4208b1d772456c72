/* SPDX-License-Identifier: BSD-3-Clause
 * Two loops, one after the other, of rows that are divided by a table in a function: the second one
 * goes on with the rows of the first one, and with a mean that has been made of them. */
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

static void share(part_t *p)
{
    MPI_Allgatherv(p->y, p->last - p->first, MPI_DOUBLE, p->x, p->counts, p->begin, MPI_DOUBLE, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    part_t p;
    double mean = 0, most = 0;
    MPI_Init(&argc, &argv);
    divide(&p, argc > 1 ? atoi(argv[1]) : 40);
    p.x = malloc((size_t)p.n * sizeof(double));
    p.y = malloc((size_t)(p.last - p.first + 1) * sizeof(double));
    for (int i = 0; i < p.n; i++)
        p.x[i] = i % 10;
#pragma xmpi loop
    for (int k = 0; k < 10; k++) {
        for (int i = p.first; i < p.last; i++)
            p.y[i - p.first] = 0.5 * p.x[i] + 0.5 * p.x[(i + 1) % p.n];
        share(&p);
    }
    for (int i = 0; i < p.n; i++)
        mean += p.x[i] / p.n;
#pragma xmpi loop
    for (int k = 0; k < 12; k++) {
        double mine = 0, all;
        for (int i = p.first; i < p.last; i++) {
            p.y[i - p.first] = 0.9 * p.x[i] + 0.1 * mean * (i % 4);
            mine = fmax(mine, p.y[i - p.first]);
        }
        share(&p);
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        most += all;
    }
    if (p.rank == 0)
        printf("mean %.9g, most %.9g\n", mean, most);
    tell(p.x + p.first, p.last - p.first);
    MPI_Finalize();
    return 0;
}
