/* SPDX-License-Identifier: BSD-3-Clause
 * Solves a dense system of linear equations by Jacobi's method, its rows divided into blocks over
 * the processes. The pragmas are for compilers that know them; any MPI compiler will do. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "sweep.h"
#include "system.h"

#define USAGE "usage: jacobi [-i MAXIT] [-t TOL] [-o SOLUTION] SYSTEM"

struct options {
    int max_iterations;
    double tolerance;     /* done when no unknown changes by more */
    const char *solution; /* file to write, NULL for none */
    const char *system;   /* file to read */
};

static int parse_count(const char *text, int *count)
{
    char *end;
    long value = strtol(text, &end, 10);
    *count = (int)value;
    return end != text && *end == '\0' && value >= 1 && value <= INT_MAX;
}

static int parse_tolerance(const char *text, double *tolerance)
{
    char *end;
    *tolerance = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*tolerance) && *tolerance >= 0;
}

static int parse_options(int argc, char **argv, struct options *options, struct problem *problem)
{
    int option;
    *options = (struct options){.max_iterations = 10000, .tolerance = 1e-10};
    opterr = 0;
    while ((option = getopt(argc, argv, "i:t:o:")) != -1) {
        if (option == 'i' && !parse_count(optarg, &options->max_iterations))
            return problem_set(problem, "-i %s: expected a number of iterations", optarg);
        if (option == 't' && !parse_tolerance(optarg, &options->tolerance))
            return problem_set(problem, "-t %s: expected a number that is not negative", optarg);
        if (option == 'o')
            options->solution = optarg;
        if (option == '?')
            return problem_set(problem, USAGE);
    }
    if (optind != argc - 1)
        return problem_set(problem, USAGE);
    options->system = argv[optind];
    return 0;
}

/* Whether a process failed; the first of those that did says why. */
static int any_failed(int rank, int status, const struct problem *problem)
{
    int failed = status != 0 ? rank : INT_MAX, first;
    MPI_Allreduce(&failed, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == rank)
        fprintf(stderr, "jacobi: %s\n", problem->text);
    return first != INT_MAX;
}

/* Blocks of rows of equal length; the first ones take one more each of the rest. */
static void divide_rows(int n, int rank, int size, int *count, int *displ)
{
    int rest = n % size;
    *count = n / size + (rank < rest);
    *displ = rank * (n / size) + (rank < rest ? rank : rest);
}

/* The system from its file, and the first guess. */
static int fill(const char *path, int n, int displ, int count, double *A, double *b, double *x,
                struct problem *problem)
{
    if (A == NULL || b == NULL || x == NULL)
        return problem_set(problem, "there is no memory for %d rows of %d", count, n);
    for (int i = 0; i < n; i++)
        x[i] = 0;
    return system_rows(path, n, displ, count, A, b, problem);
}

static void release(double *A, double *b, double *x)
{
    free(A);
    free(b);
    free(x);
}

struct solution {
    int n;
    const double *x;
};

/* Enough digits to tell every number from its neighbours. */
static void put_solution(const void *content, FILE *file)
{
    const struct solution *solution = content;
    for (int i = 0; i < solution->n && !ferror(file); i++)
        fprintf(file, "%.17g\n", solution->x[i]);
}

static int write_solution(const char *path, int n, const double *x, struct problem *problem)
{
    struct solution solution = {n, x};
    if (output_write(path, put_solution, &solution) == 0)
        return 0;
    return problem_set(problem, "%s: %s", path, strerror(errno));
}

struct outcome {
    int iterations, converged;
    double change; /* in the last iteration */
    double residual, seconds;
};

static void print_outcome(const struct outcome *outcome)
{
    printf("iterations %d\n", outcome->iterations);
    printf("converged %s\n", outcome->converged ? "yes" : "no");
    printf("residual %.6e\n", outcome->residual);
    printf("seconds %.6f\n", outcome->seconds);
    printf("seconds_per_iteration %.9f\n", outcome->seconds / outcome->iterations);
    fflush(stdout);
}

/* Rank 0 writes what came out. The exit status of every process. */
static int finish(int rank, const struct outcome *outcome, const char *path, int n, const double *x)
{
    struct problem problem;
    int status = 0;
    if (rank == 0 && isinf(outcome->change))
        status = problem_set(&problem, "diverges: after %d iterations a value is not finite",
                             outcome->iterations);
    else if (rank == 0 && path != NULL)
        status = write_solution(path, n, x, &problem);
    if (any_failed(rank, status, &problem))
        return 1;
    if (rank == 0)
        print_outcome(outcome);
    return 0;
}

int main(int argc, char **argv)
{
    int rank, size, n, count, displ, it, done = 0;
    int *counts, *displs; /* the blocks of all processes */
    double *A, *b, *x, *x_new, change = 0;
    struct options options;
    struct problem problem = {""};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int status = parse_options(argc, argv, &options, &problem);

#pragma xmpi initial
    {
        if (status == 0)
            status = system_order(options.system, &n, &problem);
        if (any_failed(rank, status, &problem)) {
            MPI_Finalize();
            return 2;
        }
    }

#pragma xmpi domain(n) range(count, displ)
    divide_rows(n, rank, size, &count, &displ);

    /* One more than needed, as a process may have no row and malloc(0) may give NULL. */
    A = malloc(((size_t)count * (size_t)n + 1) * sizeof *A);
    b = malloc(((size_t)count + 1) * sizeof *b);
    x = malloc((size_t)n * sizeof *x);

#pragma xmpi initial
    {
        status = fill(options.system, n, displ, count, A, b, x, &problem);
        if (any_failed(rank, status, &problem)) {
            release(A, b, x);
            MPI_Finalize();
            return 2;
        }
    }

#pragma xmpi setup
    {
        x_new = malloc(((size_t)count + 1) * sizeof *x_new);
        counts = malloc((size_t)size * sizeof *counts);
        displs = malloc((size_t)size * sizeof *displs);
        if (x_new == NULL || counts == NULL || displs == NULL) {
            fprintf(stderr, "jacobi: there is no memory for the blocks of %d processes\n", size);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Allgather(&displ, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
    }

#pragma xmpi data distributed(A[n][n], b[n]) replicated(x[n])

    double start = MPI_Wtime();
#pragma xmpi loop iterations(options.max_iterations)
    for (it = 0; it < options.max_iterations && !done; it++) {
        change = sweep(n, displ, count, A, b, x, x_new);
        MPI_Allgatherv(x_new, count, MPI_DOUBLE, x, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        done = change < options.tolerance || isinf(change);
    }
    double seconds = MPI_Wtime() - start;

    double greatest = residual(n, count, A, b, x);
    MPI_Allreduce(MPI_IN_PLACE, &greatest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    struct outcome outcome = {it, done && !isinf(change), change, greatest, seconds};
    status = finish(rank, &outcome, options.solution, n, x);

    release(A, b, x);
    free(x_new);
    free(counts);
    free(displs);
    MPI_Finalize();
    return status;
}
