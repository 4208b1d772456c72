/* SPDX-License-Identifier: BSD-3-Clause
 * A struct that goes to operations which are chosen has the arrays. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct solver solver;
struct solver {
    int n, count, first, rank, size;
    double time, *now, *next;
    void (*edges)(solver *s, double *u);
};

static void fixed(solver *s, double *u)
{
    if (s->first == 0)
        u[0] = -u[1];
    if (s->first + s->count == s->n)
        u[s->count + 1] = 2 - u[s->count];
}

static void open(solver *s, double *u)
{
    if (s->first == 0)
        u[0] = u[1];
    if (s->first + s->count == s->n)
        u[s->count + 1] = u[s->count];
}

static void talk(const solver *s, double *u)
{
    const int up = s->rank > 0 ? s->rank - 1 : MPI_PROC_NULL,
              down = s->rank + 1 < s->size ? s->rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(u + 1, 1, MPI_DOUBLE, up, 0, u + s->count + 1, 1, MPI_DOUBLE, down, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(u + s->count, 1, MPI_DOUBLE, down, 0, u, 1, MPI_DOUBLE, up, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void advance(solver *s)
{
    talk(s, s->now);
    s->edges(s, s->now);
    for (int i = 1; i <= s->count; i++)
        s->next[i] = s->now[i] + 0.4 * (s->now[i + 1] - 2 * s->now[i] + s->now[i - 1]) +
                     1e-3 * sin(s->time + s->first + i);
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
    s.now = calloc(s.count + 2, sizeof(double));
    s.next = calloc(s.count + 2, sizeof(double));
    for (int i = 1; i <= s.count; i++)
        s.now[i] = (s.first + i) % 10 * 0.1;
#pragma xmpi loop
    for (int k = 0; k < 50; k++)
        advance(&s);
    double sum = 0, all;
    for (int i = 1; i <= s.count; i++)
        sum += s.now[i] * (s.first + i);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (s.rank == 0)
        printf("%.9e\n", all);
    free(s.now);
    free(s.next);
    MPI_Finalize();
    return 0;
}
