/* SPDX-License-Identifier: BSD-3-Clause
 * Solves a sparse symmetric positive definite system of linear equations by conjugate gradients
 * (Algorithm 10 of G. Martin Cruz, PhD thesis, UC3M 2015), its rows divided into blocks over the
 * processes. The pragmas are for compilers that know them; any MPI compiler will do. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "matrix.h"
#include "multiply.h"
#include "output.h"

#define USAGE "usage: cg [-i MAXIT] [-t TOL] [-o SOLUTION] MATRIX"

struct options {
    int max_iterations;
    double tolerance;     /* done when the norm of the residual has fallen by this factor */
    const char *solution; /* file to write, NULL for none */
    const char *matrix;   /* file to read */
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
    options->matrix = argv[optind];
    return 0;
}

/* Whether a process failed; the first of those that did says why. */
static int any_failed(int rank, int status, const struct problem *problem)
{
    int failed = status != 0 ? rank : INT_MAX, first;
    MPI_Allreduce(&failed, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == rank)
        fprintf(stderr, "cg: %s\n", problem->text);
    return first != INT_MAX;
}

/* Blocks of rows of equal length; the first ones take one more each of the rest. */
static void divide_rows(int n, int rank, int size, int *count, int *displ)
{
    int rest = n % size;
    *count = n / size + (rank < rest);
    *displ = rank * (n / size) + (rank < rest ? rank : rest);
}

/* Ends MPI and the program, with STATUS. */
static int leave(int status)
{
    MPI_Finalize();
    return status;
}

static double sum_of_all(double mine)
{
    double sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* w'(A v) for V of N elements, of which the process has COUNT rows of A; V becomes w. */
static double form(int n, int displ, int count, const int64_t *ia, const int *ja, const double *a,
                   double *v, double *z, double w_step, double *size)
{
    multiply(count, ia, ja, a, v, z);
    for (int i = 0; i < count; i++)
        *size += fabs(z[i]);
    for (int i = 0; i < n; i++)
        v[i] = cos(w_step * i);
    return sum_of_all(dot(count, v + displ, z));
}

/* A matrix of which w'(A v) and v'(A w) differ for some v and w is not symmetric. V, of N elements,
 * is overwritten. */
static int check_symmetry(int n, int displ, int count, const int64_t *ia, const int *ja,
                          const double *a, double *v, struct problem *problem)
{
    double size = 0, *z = malloc(((size_t)count + 1) * sizeof *z);
    int missing = z == NULL;
    MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (missing) {
        free(z);
        return problem_set(problem, "there is no memory for %d rows of %d", count, n);
    }
    for (int i = 0; i < n; i++)
        v[i] = cos(i);
    double first = form(n, displ, count, ia, ja, a, v, z, 1.7, &size);
    double second = form(n, displ, count, ia, ja, a, v, z, 1, &size);
    free(z);
    if (fabs(first - second) <= 1e-9 * sum_of_all(size))
        return 0;
    return problem_set(problem, "the matrix is not symmetric");
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
    double curvature; /* v'(A v) in the last iteration: positive for every v there is */
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
    if (rank == 0 && !(outcome->curvature > 0) && !outcome->converged)
        status = problem_set(&problem, "the matrix is not positive definite: found in iteration %d",
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
    int64_t *ia;
    int *ja = NULL;
    double *a = NULL, *b, *x, *r, *v, *z; /* names as in the thesis; v is whole */
    double c = 0, vz = 1, goal = 0;
    struct options options;
    struct problem problem = {""};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int status = parse_options(argc, argv, &options, &problem);

#pragma xmpi initial
    {
        if (status == 0)
            status = matrix_order(options.matrix, &n, &problem);
        if (any_failed(rank, status, &problem))
            return leave(2);
    }

#pragma xmpi domain(n) range(count, displ)
    divide_rows(n, rank, size, &count, &displ);

    /* One more than needed, as a process may have no row and malloc(0) may give NULL. */
    ia = malloc(((size_t)count + 1) * sizeof *ia);
    b = malloc(((size_t)count + 1) * sizeof *b);
    x = malloc(((size_t)count + 1) * sizeof *x);
    r = malloc(((size_t)count + 1) * sizeof *r);
    v = malloc((size_t)n * sizeof *v);

#pragma xmpi setup
    {
        z = malloc(((size_t)count + 1) * sizeof *z);
        counts = malloc((size_t)size * sizeof *counts);
        displs = malloc((size_t)size * sizeof *displs);
        if (z == NULL || counts == NULL || displs == NULL) {
            fprintf(stderr, "cg: there is no memory for the blocks of %d processes\n", size);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Allgather(&displ, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
    }

#pragma xmpi initial
    {
        status = ia == NULL || b == NULL || x == NULL || r == NULL || v == NULL
                     ? problem_set(&problem, "there is no memory for %d rows of %d", count, n)
                     : matrix_pointers(options.matrix, n, displ, count, ia, &problem);
        if (any_failed(rank, status, &problem))
            return leave(2);
        ja = malloc(((size_t)ia[count] + 1) * sizeof *ja);
        a = malloc(((size_t)ia[count] + 1) * sizeof *a);
        status = ja == NULL || a == NULL
                     ? problem_set(&problem, "there is no memory for %d rows of %d", count, n)
                     : matrix_rows(options.matrix, n, displ, count, ia, ja, a, &problem);
        if (status == 0)
            status = matrix_side(options.matrix, n, displ, count, ia, a, b, &problem);
        if (any_failed(rank, status, &problem))
            return leave(2);
        status = check_symmetry(n, displ, count, ia, ja, a, v, &problem);
        if (any_failed(rank, status, &problem))
            return leave(2);
        for (int i = 0; i < count; i++) {
            x[i] = 0;
            r[i] = b[i];
        }
        MPI_Allgatherv(r, count, MPI_DOUBLE, v, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
        c = dot(n, v, v);
        goal = options.tolerance * sqrt(c);
        done = c == 0;
    }

#pragma xmpi data csr(ia, ja, a : n)
#pragma xmpi data distributed(b[n], x[n], r[n]) replicated(v[n])

    double start = MPI_Wtime();
#pragma xmpi loop iterations(options.max_iterations)
    for (it = 0; it < options.max_iterations && !done; it++) {
        multiply(count, ia, ja, a, v, z);
        vz = sum_of_all(dot(count, v + displ, z));
        if (!(vz > 0))
            break;
        add_to(count, c / vz, v + displ, x);
        add_to(count, -c / vz, z, r);
        double d = sum_of_all(dot(count, r, r));
        scale_and_add(count, d / c, r, v + displ);
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, v, counts, displs, MPI_DOUBLE,
                       MPI_COMM_WORLD);
        c = d;
        done = sqrt(d) <= goal || d == 0;
    }
    double seconds = MPI_Wtime() - start;

    /* The true residual; the solution is gathered where the search direction was. */
    MPI_Allgatherv(x, count, MPI_DOUBLE, v, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    multiply(count, ia, ja, a, v, z);
    add_to(count, -1, b, z);
    struct outcome outcome = {it, done, vz, sqrt(sum_of_all(dot(count, z, z))), seconds};
    status = finish(rank, &outcome, options.solution, n, v);

    free(ia);
    free(ja);
    free(a);
    free(b);
    free(x);
    free(r);
    free(v);
    free(z);
    free(counts);
    free(displs);
    MPI_Finalize();
    return status;
}
