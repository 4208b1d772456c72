/* SPDX-License-Identifier: BSD-3-Clause
 * A program as the rewriter leaves it, which does what its argument says:
 *   right     nothing special
 *   slow      an iteration takes ten times as long
 *   long      there are a thousand times as many
 *   hidden    an iteration counts in a variable that joiners do not get: the result is wrong
 *   local     rows are changed by their place in the block
 *   file      the result goes into the file "result" instead; with hidden: "file hidden"
 *   headed    the result is written as bytes: an integer, the rows, and the sum of fractions
 *   ranks     each process writes a file, too, that is called by its rank
 *   called    rank 0 does, and it is called by the number of the process
 *   rounds    the result is a sum of fractions, whose digits depend on the blocks
 *   amplifies the same, and the differences grow
 *   cancels   an iteration adds what is left of two sums of fractions that should be the same
 *   sampled   it is a sum of every tenth row of each block
 *   hang      a third member hangs
 *   crash     a third member dies
 *   dies      the second member dies in any case
 *   stops     it ends the job with status 3 in any case
 *   varies    it also prints what it is called in the system, and what time it is
 *   quick     it also prints how long the loop took to begin
 *   coarse    it also prints tenths of a second that each iteration took, and who took the longest;
 *             who joins takes its time
 *   pinned    nobody knows its blocks
 *   words     what is on its standard input comes first */
#define _GNU_SOURCE
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "xmpi_gen.h"

enum { ROWS = 60, ITERATIONS = 90 };

static int argument_count;
static char **arguments;
static double hidden;

static int is(const char *word)
{
    for (int i = 1; i < argument_count; i++)
        if (strcmp(arguments[i], word) == 0)
            return 1;
    return 0;
}

static void misbehave(int rank)
{
    if (is("dies")) /* not while others are in MPI_Init: mpiexec does not see the signal then */
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1 && is("dies"))
        abort();
    if (rank == 1 && is("stops"))
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (rank < 2)
        return;
    if (is("crash"))
        abort();
    while (is("hang"))
        pause();
}

/* What a sum over blocks differs by from that in the order of the rows, many times as large. */
static double left_over(int count, int displ)
{
    double own = 0, all, whole = 0;
    for (int i = 0; i < count; i++)
        own += 1. / (displ + i + 3);
    for (int i = 0; i < ROWS; i++)
        whole += 1. / (i + 3);
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return (all - whole) * 1e9;
}

static void iterate(double *u, int count, int displ)
{
    double more = is("cancels") ? left_over(count, displ) : 0;
    hidden += is("hidden");
    for (int i = 0; i < count; i++)
        u[i] = 0.9 * u[i] + (displ + i) + (is("hidden") ? hidden : is("local") ? i : 1) + more;
    usleep(is("slow") ? 10000 : is("coarse") ? 0 : 1000);
    MPI_Barrier(MPI_COMM_WORLD);
}

static double took[ITERATIONS], busy;

static void iterate_coarsely(double *u, int count, int displ, int it, int rank)
{
    static int is_late;
    double start = MPI_Wtime();
    usleep(rank >= 2 && is_late++ == 0 ? 300000 : 1000);
    busy += MPI_Wtime() - start;
    iterate(u, count, displ);
    took[it] = MPI_Wtime() - start;
}

static void tell_coarsely(int rank)
{
    struct {
        int quarters, rank;
    } mine = {(int)(4 * busy), rank}, slowest;
    MPI_Reduce(&mine, &slowest, 1, MPI_2INT, MPI_MAXLOC, 0, MPI_COMM_WORLD);
    for (int i = 0; i < ITERATIONS && rank == 0; i++)
        printf("iteration %d took %.1f s\n", i, took[i]);
    if (rank == 0)
        printf("slowest: rank %d\n", slowest.rank);
}

static void write_own(int rank)
{
    char name[64];
    if (!is("ranks") && (!is("called") || rank != 0))
        return;
    snprintf(name, sizeof name, "own.%d", is("ranks") ? rank : (int)getpid());
    FILE *file = fopen(name, "w");
    fprintf(file, "written\n");
    fclose(file);
}

static void put_headed(FILE *file, const double *rows, double sum)
{
    const int iterations = ITERATIONS;
    fwrite(&iterations, sizeof iterations, 1, file);
    fwrite(rows, sizeof *rows, ROWS, file);
    fwrite(&sum, sizeof sum, 1, file);
}

static void tell(const double *u, int count, int displ, int rank)
{
    double mine[ROWS] = {0}, all[ROWS], sum = 0, whole = 0;
    for (int i = 0; i < count; i++) {
        mine[displ + i] = u[i];
        sum += is("sampled") && i % 10 != 0 ? 0 : u[i] / 3;
    }
    MPI_Reduce(mine, all, ROWS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&sum, &whole, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    write_own(rank);
    if (rank != 0)
        return;
    for (int i = 0; i < 25 && is("amplifies"); i++)
        whole = i == 0 ? whole - floor(whole) : 4 * whole * (1 - whole);
    FILE *file = is("file") ? fopen("result", "w") : stdout;
    const int summed = is("rounds") || is("amplifies") || is("sampled");
    for (int i = 0; i < ROWS && !summed && !is("headed"); i++)
        fprintf(file, "%.15g\n", all[i]);
    if (is("headed"))
        put_headed(file, all, whole);
    else if (summed)
        fprintf(file, "sum %.17g\n", whole);
    if (is("varies"))
        fprintf(file, "process %d took %.9f\n", (int)getpid(), (double)time(NULL) / getpid());
    if (file != stdout)
        fclose(file);
}

static void echo(int rank)
{
    int character;
    while (rank == 0 && is("words") && xmpi_gen_initial() && (character = getchar()) != EOF)
        putchar(character);
}

int main(int argc, char **argv)
{
    int rank, size, it;
    argument_count = argc;
    arguments = argv;
    xmpi_gen_program(1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int count = ROWS / size + (rank < ROWS % size);
    int displ = rank * (ROWS / size) + (rank < ROWS % size ? rank : ROWS % size);
    xmpi_gen_domain(ROWS);
    if (!is("pinned")) {
        xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
        xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    }
    double *u = malloc((size_t)count * sizeof *u + 1);
    for (int i = 0; i < count && xmpi_gen_initial(); i++)
        u[i] = displ + i;
    echo(rank);
    xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, ROWS, 1);
    xmpi_gen_elements("u", "f8");
    xmpi_gen_live("it", &it, sizeof it);
    double begin = MPI_Wtime();
    xmpi_gen_loop_begin("checked.c:106", 0);
    begin = MPI_Wtime() - begin;
    int iterations = is("long") ? 1000 * ITERATIONS : ITERATIONS;
    for (it = 0; xmpi_gen_joining() || it < iterations; it++) {
        xmpi_gen_point();
        misbehave(rank);
        if (is("coarse"))
            iterate_coarsely(u, count, displ, it, rank);
        else
            iterate(u, count, displ);
    }
    xmpi_gen_loop_end();
    tell(u, count, displ, rank);
    if (is("coarse"))
        tell_coarsely(rank);
    if (is("quick") && rank == 0)
        printf("begun in %.*f s\n", begin < 1e-3 ? 3 : 9, begin); /* never twice the same */
    free(u);
    MPI_Finalize();
    return is("status") ? 7 : 0;
}
