/* SPDX-License-Identifier: BSD-3-Clause
 * Usage: starts_over ROWS STEPS, or starts_over ROWS TIMES FROM TO
 * Rows of COLUMNS numbers that each process computes for itself when it starts; the loop reads them
 * all. Prints how long the program takes to start: "start SECONDS". In the second form it only
 * moves rows, from the blocks of FROM processes to those of TO and back, by bare MPI: "bare
 * SECONDS". */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 1024 };

static int rank, size;

static double now_for_all(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

static double *fill(int first, int count)
{
    double *u = malloc(sizeof *u * COLUMNS * ((size_t)count + 1));
    for (long i = 0; i < (long)count * COLUMNS; i++)
        u[i] = (double)((first * (long)COLUMNS + i) % 1000003) / 7;
    return u;
}

/* The first row of block K of so many blocks. */
static int first_of(int n, int k, int blocks)
{
    return k >= blocks ? n : (int)((long)n * k / blocks);
}

/* What this process has (KEPT) or gets of the rows of another one, by one message each way. */
static double move(int n, int from, int to)
{
    int mine = first_of(n, rank, from), end = first_of(n, rank + 1, from), requests = 0;
    int next = first_of(n, rank, to), last = first_of(n, rank + 1, to);
    double *old = fill(mine, end - mine), begin = now_for_all();
    double *new = malloc(sizeof *new *COLUMNS *((size_t)(last - next) + 1));
    MPI_Request *request = malloc(2 * sizeof *request * (size_t)size);
    for (int other = 0; other < size; other++) {
        int theirs = first_of(n, other, from), till = first_of(n, other + 1, from);
        int low = theirs > next ? theirs : next, high = till < last ? till : last;
        if (low < high && other != rank)
            MPI_Irecv(new + (size_t)(low - next) * COLUMNS, (high - low) * COLUMNS, MPI_DOUBLE,
                      other, 0, MPI_COMM_WORLD, &request[requests++]);
        if (low < high && other == rank)
            memcpy(new + (size_t)(low - next) * COLUMNS, old + (size_t)(low - mine) * COLUMNS,
                   sizeof *old * COLUMNS * (size_t)(high - low));
        theirs = first_of(n, other, to), till = first_of(n, other + 1, to);
        low = theirs > mine ? theirs : mine, high = till < end ? till : end;
        if (low < high && other != rank)
            MPI_Isend(old + (size_t)(low - mine) * COLUMNS, (high - low) * COLUMNS, MPI_DOUBLE,
                      other, 0, MPI_COMM_WORLD, &request[requests++]);
    }
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
    double seconds = now_for_all() - begin;
    free(request);
    free(old);
    free(new);
    return seconds;
}

int main(int argc, char **argv)
{
    double begin, sum = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = atoi(argv[1]), steps = atoi(argv[2]), step;
    for (step = 0; step < steps && argc > 4; step++) {
        double seconds = move(n, atoi(argv[3]), atoi(argv[4]));
        if (rank == 0)
            printf("bare %.6f\n", seconds);
    }
    if (argc > 4)
        return MPI_Finalize();
    begin = now_for_all();
    int first = first_of(n, rank, size), count = first_of(n, rank + 1, size) - first;
    double *u = fill(first, count), seconds = now_for_all() - begin;
    if (rank == 0)
        printf("start %.6f\n", seconds);
#pragma xmpi loop state(rows(u[n][COLUMNS] from first, count), same(step, sum))
    for (step = 0; step < steps; step++) {
        double own = 0;
        for (long i = 0; i < (long)count * COLUMNS; i++)
            own += u[i];
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sum += all / steps;
    }
    if (rank == 0)
        printf("sum %.6e\n", sum);
    free(u);
    return MPI_Finalize();
}
