/* SPDX-License-Identifier: BSD-3-Clause
 * Conway's game of life on a torus, its rows divided into blocks over the processes. The pragmas
 * are for compilers that know them; any MPI compiler will do. */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "board.h"

#define USAGE "usage: life [-n SIZE] [-g GENERATIONS] [-p glider|pentomino|acorn|random]"

struct options {
    int n, generations;
    const char *pattern;
};

static const char *parse(int argc, char **argv, struct options *options)
{
    int option;
    *options = (struct options){.n = 256, .generations = 100, .pattern = "random"};
    opterr = 0;
    while ((option = getopt(argc, argv, "n:g:p:")) != -1) {
        if (option == 'n' && ((options->n = atoi(optarg)) < 16 || options->n > 32768))
            return "-n: expected a number of rows from 16 to 32768";
        if (option == 'g' && (options->generations = atoi(optarg)) < 1)
            return "-g: expected a number of generations";
        if (option == 'p')
            options->pattern = optarg;
        if (option == '?')
            return USAGE;
    }
    if (optind != argc || board_pattern(options->pattern, options->n, 0, 0) < 0)
        return USAGE;
    return NULL;
}

static void start(const struct options *options, unsigned char *rows, int displ, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < options->n; j++)
            rows[(long)(i + 1) * options->n + j] =
                (unsigned char)board_pattern(options->pattern, options->n, displ + i, j);
}

static long alive_here(const unsigned char *rows, int n, int count)
{
    long alive = 0;
    for (long i = n; i < (long)(count + 1) * n; i++)
        alive += rows[i];
    return alive;
}

/* The living cells after all generations. */
static long live(const struct options *options, int rank, int size)
{
    int n = options->n;
    int count = n / size + (rank < n % size);
    int displ = rank * (n / size) + (rank < n % size ? rank : n % size);
    int up = (rank + size - 1) % size, down = (rank + 1) % size;
    unsigned char *rows = calloc((size_t)(count + 2) * n, 1), *next = calloc((size_t)count * n, 1);
    long own, alive = 0;
    if (rows == NULL || next == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    start(options, rows, displ, count);
#pragma xmpi data halo(rows[n][n] : 1) distributed(next[n][n])
#pragma xmpi loop
    for (int generation = 0; generation < options->generations; generation++) {
        MPI_Sendrecv(rows + n, n, MPI_UNSIGNED_CHAR, up, 0, rows + (long)(count + 1) * n, n,
                     MPI_UNSIGNED_CHAR, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(rows + (long)count * n, n, MPI_UNSIGNED_CHAR, down, 1, rows, n,
                     MPI_UNSIGNED_CHAR, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        board_step(rows, next, count, n);
        memcpy(rows + n, next, (size_t)count * n);
    }
    own = alive_here(rows, n, count);
    MPI_Allreduce(&own, &alive, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    free(rows);
    free(next);
    return alive;
}

int main(int argc, char **argv)
{
    struct options options;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *why = parse(argc, argv, &options);
    if (why == NULL && options.n < size)
        why = "-n: there are more processes than rows";
    if (why != NULL) {
        if (rank == 0)
            fprintf(stderr, "life: %s\n", why);
        MPI_Finalize();
        return 2;
    }
    double begin = MPI_Wtime();
    long alive = live(&options, rank, size);
    if (rank == 0)
        printf("generations %d\nalive %ld\nseconds %.6f\n", options.generations, alive,
               MPI_Wtime() - begin);
    MPI_Finalize();
    return 0;
}
