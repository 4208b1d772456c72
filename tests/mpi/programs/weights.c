/* SPDX-License-Identifier: BSD-3-Clause
 * A program as the rewriter leaves it, whose rows differ in work and say so by weights: those of
 * the first half are nine times as heavy. A row takes its time asleep, so that it is the same
 * beside whatever else the machine does.
 *
 * Usage: weights ROWS ITERATIONS MILLISECONDS KIND: a row of weight 1 takes MILLISECONDS. KIND is
 * the storage and type of the weights: distributed, replicated, by_hand (replicated, by the
 * function of xmpi.h), taken_back (by hand, and then taken back), wandering (distributed; evenly
 * from first halves that weigh 9 to second ones that do) or none (no weights are given). */
#define _GNU_SOURCE
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "xmpi.h"
#include "xmpi_gen.h"

static double weight(int row, int rows)
{
    return row < rows / 2 ? 9 : 1;
}

/* Of those that wander, before iteration IT. */
static double wandering(int row, int rows, int it, int iterations)
{
    double gone = (double)it / iterations;
    return 1 + 8 * (row < rows / 2 ? 1 - gone : gone);
}

static void take(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&t, NULL);
}

static void must(int code, int expected, const char *what)
{
    if (code == expected)
        return;
    fprintf(stderr, "weights: %s: %d, not %d\n", what, code, expected);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

/* What is refused leaves what was given before. */
static void give_by_hand(int **all, int take_back)
{
    must(XMPI_Set_weights((void *)all, MPI_INT, XMPI_REPLICATED), MPI_SUCCESS, "weights");
    if (!take_back) {
        must(XMPI_Set_weights((void *)all, MPI_CHAR, XMPI_REPLICATED), MPI_ERR_TYPE, "characters");
        must(XMPI_Set_weights((void *)all, MPI_INT, (XMPI_Scheme)99), MPI_ERR_ARG, "no scheme");
    } else
        must(XMPI_Set_weights(NULL, MPI_DATATYPE_NULL, XMPI_REPLICATED), MPI_SUCCESS, "none");
}

int main(int argc, char **argv)
{
    int rank, size, it, rows = atoi(argv[1]), iterations = atoi(argv[2]);
    double milliseconds = atof(argv[3]);
    int wanders = argc > 4 && strcmp(argv[4], "wandering") == 0;
    int distributed = wanders || (argc > 4 && strcmp(argv[4], "distributed") == 0);
    int replicated = argc > 4 && strcmp(argv[4], "replicated") == 0;
    int by_hand = argc > 4 && strcmp(argv[4], "by_hand") == 0;
    int taken_back = argc > 4 && strcmp(argv[4], "taken_back") == 0;

    xmpi_gen_program(1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int count = rows / size + (rank < rows % size);
    int displ = rank * (rows / size) + (rank < rows % size ? rank : rows % size);
    xmpi_gen_domain(rows);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    double *w = malloc((size_t)count * sizeof *w + 1);
    int *all = malloc((size_t)rows * sizeof *all + 1);
    for (int i = 0; i < count && xmpi_gen_initial(); i++)
        w[i] = weight(displ + i, rows);
    for (int i = 0; i < rows; i++)
        all[i] = (int)weight(i, rows);
    xmpi_gen_data("w", (void *)&w, sizeof *w, XMPI_GEN_DISTRIBUTED, rows, 1);
    if (distributed)
        xmpi_gen_weight((void *)&w, XMPI_GEN_DOUBLE, XMPI_GEN_DISTRIBUTED);
    if (replicated)
        xmpi_gen_weight((void *)&all, XMPI_GEN_INT32, XMPI_GEN_REPLICATED);
    if (by_hand || taken_back)
        give_by_hand(&all, taken_back);
    xmpi_gen_live("it", &it, sizeof it);
    xmpi_gen_loop_begin("weights.c", 0);
    for (it = 0; xmpi_gen_joining() || it < iterations; it++) {
        xmpi_gen_point();
        double seconds = 0;
        for (int i = 0; i < count; i++)
            seconds += 1e-3 * milliseconds * w[i];
        take(seconds);
        for (int i = 0; i < count && wanders; i++)
            w[i] = wandering(displ + i, rows, it + 1, iterations);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    xmpi_gen_loop_end();
    free(w);
    free(all);
    MPI_Finalize();
    return 0;
}
