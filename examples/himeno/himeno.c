/* SPDX-License-Identifier: BSD-3-Clause
 * Poisson's equation by Jacobi's method on a three-dimensional grid, divided in all three
 * dimensions: what the Himeno benchmark (R. Himeno, RIKEN) computes and measures. The pragma is for
 * compilers that know it; any MPI compiler will do. */
#define _POSIX_C_SOURCE 200809L
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grid.h"

#define USAGE "usage: himeno [-i ITERATIONS] [-d X,Y,Z] [-p X,Y,Z] [XS|S|M|L]"

enum { FLOPS = 34 }; /* of a point in an iteration */

struct options {
    int iterations;
    int whole[3];     /* points */
    int processes[3]; /* 0: as MPI divides them */
};

static int parse_three(const char *text, int least, int three[3])
{
    char rest;
    return sscanf(text, "%d,%d,%d%c", &three[0], &three[1], &three[2], &rest) == 3 &&
           three[0] >= least && three[1] >= least && three[2] >= least && three[0] <= 4096 &&
           three[1] <= 4096 && three[2] <= 4096;
}

/* The sizes of the benchmark. */
static int parse_class(const char *name, int whole[3])
{
    static const char *const names[] = {"XS", "S", "M", "L"};
    for (int i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0) {
            whole[0] = 64 << i;
            whole[1] = whole[2] = 32 << i;
            return 1;
        }
    return 0;
}

static const char *parse(int argc, char **argv, struct options *options)
{
    int option;
    *options = (struct options){.iterations = 100, .whole = {64, 32, 32}};
    opterr = 0;
    while ((option = getopt(argc, argv, "i:d:p:")) != -1) {
        if (option == 'i' && (options->iterations = atoi(optarg)) < 1)
            return "-i: expected a number of iterations";
        if (option == 'd' && !parse_three(optarg, 3, options->whole))
            return "-d: expected three numbers of points from 3 to 4096, as 64,32,32";
        if (option == 'p' && !parse_three(optarg, 1, options->processes))
            return "-p: expected three numbers of processes, as 2,2,1";
        if (option == '?')
            return USAGE;
    }
    if (optind < argc - 1 || (optind == argc - 1 && !parse_class(argv[optind], options->whole)))
        return USAGE;
    return NULL;
}

/* A grid of all processes; MPI_COMM_NULL: these are not as many as -p says. */
static MPI_Comm arrange(struct options *options)
{
    static const int periods[3] = {0, 0, 0};
    MPI_Comm comm = MPI_COMM_NULL;
    int size, *parts = options->processes;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (parts[0] > 0 && (long long)parts[0] * parts[1] * parts[2] != size)
        return comm;
    MPI_Dims_create(size, 3, parts);
    MPI_Cart_create(MPI_COMM_WORLD, 3, parts, periods, 0, &comm);
    return comm;
}

/* Relaxes the whole grid so often: the residual of the last time. */
static double iterate(struct grid *grid, MPI_Comm comm, int iterations)
{
    double own, residual = 0;
#pragma xmpi loop movable
    for (int i = 0; i < iterations; i++) {
        own = grid_relax(grid);
        grid_exchange(grid, comm);
        MPI_Allreduce(&own, &residual, 1, MPI_DOUBLE, MPI_SUM, comm);
    }
    return residual;
}

static void print(const struct options *options, double residual, double seconds)
{
    const int *n = options->whole, *p = options->processes;
    double points = (double)(n[0] - 2) * (n[1] - 2) * (n[2] - 2);
    printf("grid %dx%dx%d\n", n[0], n[1], n[2]);
    printf("processes %dx%dx%d\n", p[0], p[1], p[2]);
    printf("iterations %d\n", options->iterations);
    printf("residual %.6e\n", residual);
    printf("seconds %.6f\n", seconds);
    printf("mflops %.1f\n", points * FLOPS * options->iterations / seconds * 1e-6);
}

static int complain(int rank, const char *why)
{
    if (rank == 0)
        fprintf(stderr, "himeno: %s\n", why);
    MPI_Finalize();
    return 2;
}

int main(int argc, char **argv)
{
    struct options options;
    struct grid grid;
    int rank, failed, any;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *why = parse(argc, argv, &options);
    if (why != NULL)
        return complain(rank, why);
    MPI_Comm comm = arrange(&options);
    if (comm == MPI_COMM_NULL)
        return complain(rank, "-p: there are not as many processes");
    failed = grid_make(&grid, options.whole, comm);
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MIN, comm);
    if (any != 0)
        return complain(
            rank,
            "there is no memory for the grid, or it has too few points for so many processes");
    double start = MPI_Wtime();
    double residual = iterate(&grid, comm, options.iterations);
    double seconds = MPI_Wtime() - start;
    if (rank == 0)
        print(&options, residual, seconds);
    grid_free(&grid);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
