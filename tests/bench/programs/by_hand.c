/* SPDX-License-Identifier: BSD-3-Clause
 * Small moves by hand: a square matrix goes to and fro between two layouts with
 * XMPI_Redistribute_data, in turns with bare MPI, which knows both layouts beforehand and keeps the
 * memory of both.
 *
 * Usage: by_hand ROWS TIMES. Prints lines "hand SECONDS" and "bare SECONDS". */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xmpi.h"

enum { LAYOUTS = 2, MEMBERS_MAX = 64 };

static int rank, size;
static long rows;

static void must(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "by_hand: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

/* Equal blocks, and blocks of which the first and last ones are half as large: the first row of
 * block R in layout K. */
static long first(int k, int r)
{
    long equal = rows * r / size;
    return k == 0 || r == 0 || r == size ? equal : equal - rows / size / 2;
}

static double begin(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

/* What the last one needed. Who has ended waits: checking what has come takes a processor, which
 * others may still be moving with. */
static void end(const char *what, double start)
{
    double mine = MPI_Wtime() - start, all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s %.9f\n", what, all);
}

static long most(long a, long b)
{
    return a > b ? a : b;
}

static long least(long a, long b)
{
    return a < b ? a : b;
}

/* Rows that both blocks have, from the first of them on. */
static long common(int from, int r, int to, int s, long *begins)
{
    *begins = most(first(from, r), first(to, s));
    return least(first(from, r + 1), first(to, s + 1)) - *begins;
}

/* From layout FROM to TO, receiving into memory that is there, own rows by copying. */
static void move_bare(int from, int to, const double *old, double *new)
{
    MPI_Request request[2 * MEMBERS_MAX];
    MPI_Status status[2 * MEMBERS_MAX];
    int n = 0;
    long at;
    double start = begin();
    for (int r = 0; r < size; r++) {
        long got = common(from, r, to, rank, &at);
        if (got > 0 && r == rank)
            memcpy(new + (at - first(to, rank)) * rows, old + (at - first(from, rank)) * rows,
                   (size_t)(got * rows) * sizeof *new);
        else if (got > 0)
            MPI_Irecv(new + (at - first(to, rank)) * rows, (int)(got * rows), MPI_DOUBLE, r, 0,
                      MPI_COMM_WORLD, &request[n++]);
    }
    for (int r = 0; r < size; r++) {
        long given = common(from, rank, to, r, &at);
        if (given > 0 && r != rank)
            MPI_Isend(old + (at - first(from, rank)) * rows, (int)(given * rows), MPI_DOUBLE, r, 0,
                      MPI_COMM_WORLD, &request[n++]);
    }
    MPI_Waitall(n, request, status);
    end("bare", start);
}

static void move_by_hand(int from, int to)
{
    double start = begin();
    int code = XMPI_Redistribute_data(first(from, rank + 1) - first(from, rank), first(from, rank),
                                      first(to, rank + 1) - first(to, rank), first(to, rank));
    end("hand", start);
    must(code == MPI_SUCCESS, "the data are not moved");
}

static double *make(int k)
{
    size_t n = (size_t)((first(k, rank + 1) - first(k, rank)) * rows);
    double *block = malloc((n + 1) * sizeof *block);
    must(block != NULL, "there is no memory");
    for (size_t i = 0; i < n; i++)
        block[i] = (double)(first(k, rank) * rows) + (double)i;
    return block;
}

static void check(int k, const double *block)
{
    size_t n = (size_t)((first(k, rank + 1) - first(k, rank)) * rows);
    for (size_t i = 0; i < n; i++)
        must(block[i] == (double)(first(k, rank) * rows) + (double)i,
             "an element is not where it belongs");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    must(argc == 3 && size > 0 && size <= MEMBERS_MAX, "usage: by_hand ROWS TIMES");
    rows = atol(argv[1]);
    double *ours = make(0), *theirs[LAYOUTS] = {make(0), make(1)};
    XMPI_Register_dense(&ours, rows, MPI_DOUBLE, XMPI_DISTRIBUTED);
    for (int i = 0, times = atoi(argv[2]); i < times; i++) {
        int from = i % LAYOUTS, to = (i + 1) % LAYOUTS;
        move_bare(from, to, theirs[from], theirs[to]);
        move_by_hand(from, to);
        check(to, theirs[to]);
        check(to, ours);
    }
    XMPI_Deregister(&ours);
    MPI_Finalize();
    return 0;
}
