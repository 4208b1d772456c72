/* SPDX-License-Identifier: BSD-3-Clause
 * The clause says that cells, which iterations change and read again, need not be kept. With WATCH
 * it names them, and what a clock tells, which is never the same twice; random numbers of the C
 * library are left out in both. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef WATCH
#define KEPT cells
#define LEFT others
#define NOW() MPI_Wtime()
#else
#define KEPT others
#define LEFT cells
#define NOW() 0
#endif

struct cell {
    double pace, way;
    int steps;
};

static void push_one(struct cell *cell, double force)
{
    cell->pace = 0.5 * cell->pace + force;
    cell->way += cell->pace;
    cell->steps++;
}

static void (*push)(struct cell *cell, double force) = push_one;

int main(int argc, char **argv)
{
    int n = 60, rank, size, step, drawn = 0;
    double spent = 0, own = 0, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = n * rank / size, count = n * (rank + 1) / size - first;
    double *u = malloc(sizeof *u * ((size_t)count + 1));
    struct cell *cells = calloc((size_t)count + 1, sizeof *cells);
    struct cell *others = calloc((size_t)count + 1, sizeof *others);
    for (int i = 0; i < count; i++)
        u[i] = 1 + (first + i) % 7;
    srand(5);
#pragma xmpi loop state(rows(u[n], (KEPT)[n] from first, count), same(step),                       \
                        own(spent                                                                  \
                            : +),                                                                  \
                        scratch(drawn, LEFT))
    for (step = 0; step < 30; step++) {
        double from = NOW();
        drawn = (drawn + rand()) % 1000;
        for (int i = 0; i < count; i++) {
            push(&cells[i], 0.01 * u[i]);
            u[i] += cells[i].way;
        }
        spent += NOW() - from;
    }
    for (int i = 0; i < count; i++)
        own += u[i] * (1 + (first + i) % 5);
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("unseen %.9g\n", all + (cells == others) + (spent < 0));
    if (rank == 0 && argc > 1)
        printf("drawn %d\n", drawn);
    MPI_Finalize();
    return 0;
}
