/* SPDX-License-Identifier: BSD-3-Clause
 * Columns of arrays of a struct are divided, which goes to operations that are chosen. */
/* None: rows(s.now[rows] from first, count) */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINES = 6 };

typedef struct solver solver;
struct solver {
    int n, count, first, rank, size;
    double time, *now, *next;
    void (*edges)(solver *s, double *u);
};

static void fixed(solver *s, double *u)
{
    if (s->first == 0)
        u[0] = 1;
}

static void open(solver *s, double *u)
{
    if (s->first == 0)
        u[0] = 0.5 * u[0];
}

static void advance(solver *s)
{
    s->edges(s, s->now);
    for (int i = 0; i < LINES; i++)
        for (int j = 0; j < s->count; j++)
            s->next[i * s->count + j] =
                0.9 * s->now[(i + 1) % LINES * s->count + j] + 1e-3 * sin(s->time + s->first + j);
    double *other = s->now;
    s->now = s->next;
    s->next = other;
    s->time += 0.1;
}

int main(int argc, char **argv)
{
    solver s = {70};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s.size);
    s.edges = argc > 1 ? open : fixed;
    s.first = s.rank * s.n / s.size;
    s.count = (s.rank + 1) * s.n / s.size - s.first;
    s.now = calloc(LINES * s.count, sizeof(double));
    s.next = calloc(LINES * s.count, sizeof(double));
    for (int j = 0; j < s.count; j++)
        s.now[j] = (s.first + j) % 10 * 0.1;
#pragma xmpi loop
    for (int k = 0; k < 50; k++)
        advance(&s);
    double sum = 0, all;
    for (int j = 0; j < s.count; j++)
        sum += s.now[j] * (s.first + j);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (s.rank == 0)
        printf("%.9e\n", all);
    free(s.now);
    free(s.next);
    MPI_Finalize();
    return 0;
}
