/* SPDX-License-Identifier: BSD-3-Clause
 * A function with the loop is called twice, for a few steps first and then for all of them, by a
 * main that has divided the rows; what it has added up goes on. */
#include "ladder.h"

typedef struct {
    double *u, *v;
    int first, count, n, steps;
} work_t;

static double total;

static void exchange(work_t *w, int rank, int size)
{
    if (rank > 0)
        MPI_Sendrecv(&w->u[1], 1, MPI_DOUBLE, rank - 1, 0, &w->u[0], 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    if (rank < size - 1)
        MPI_Sendrecv(&w->u[w->count], 1, MPI_DOUBLE, rank + 1, 0, &w->u[w->count + 1], 1, MPI_DOUBLE, rank + 1, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void run(work_t *w, int steps)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi loop
    for (int k = 0; k < steps; k++) {
        double largest = 0, mine = 0;
        exchange(w, rank, size);
        for (int i = 1; i <= w->count; i++) {
            w->v[i] = 0.5 * w->u[i] + 0.25 * (w->u[i - 1] + w->u[i + 1]);
            mine = fmax(mine, fabs(w->v[i]));
        }
        for (int i = 1; i <= w->count; i++)
            w->u[i] = w->v[i];
        MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        total += largest;
        w->steps++;
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    work_t w = {.n = argc > 1 ? atoi(argv[1]) : 40};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    w.count = w.n / size + (rank < w.n % size);
    w.first = rank * (w.n / size) + (rank < w.n % size ? rank : w.n % size);
    w.u = calloc((size_t)w.count + 2, sizeof *w.u);
    w.v = calloc((size_t)w.count + 2, sizeof *w.v);
    for (int i = 1; i <= w.count; i++)
        w.u[i] = (w.first + i) % 7;
    run(&w, 5);
    if (rank == 0)
        printf("%d steps: %.9g\n", w.steps, total);
    run(&w, 20);
    if (rank == 0)
        printf("%d steps: %.9g\n", w.steps, total);
    tell(w.u + 1, w.count);
    MPI_Finalize();
    return 0;
}
