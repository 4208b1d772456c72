/* SPDX-License-Identifier: BSD-3-Clause
 * Solves a dense symmetric positive definite system of linear equations A x = b by Lanczos'
 * process, begun anew every five steps, its rows divided into blocks over the processes. What does
 * not fit in memory, the matrix and the basis, is out of core. The pragmas are for compilers that
 * know them; any MPI compiler will do. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tridiagonal.h"

#define USAGE "usage: lanczos [-n ORDER] [-i MAXIT] [-t TOL] [-k KINDS]"

struct options {
    int n, max_iterations, kinds; /* different eigenvalues, from 1 to LARGEST */
    double tolerance;             /* done when the norm of the residual has fallen by this factor */
};

static const char *parse(int argc, char **argv, struct options *options)
{
    int option;
    *options = (struct options){.n = 1000, .max_iterations = 1000, .kinds = 40, .tolerance = 1e-10};
    opterr = 0;
    while ((option = getopt(argc, argv, "n:i:t:k:")) != -1) {
        if (option == 'n' && ((options->n = atoi(optarg)) < 1 || options->n > 1 << 20))
            return "-n: expected an order from 1 to 1048576";
        if (option == 'i' && (options->max_iterations = atoi(optarg)) < 1)
            return "-i: expected a number of iterations";
        if (option == 't' && !((options->tolerance = atof(optarg)) > 0))
            return "-t: expected a number greater than 0";
        if (option == 'k' && (options->kinds = atoi(optarg)) < 2)
            return "-k: expected a number of eigenvalues, at least 2";
        if (option == '?')
            return USAGE;
    }
    return optind == argc ? NULL : USAGE;
}

/* --- the system ----------------------------------------------------------------------------------
 *
 * A = H D H, where D is diagonal and H reflects at the plane across the vector (1, 2, 3, 1, ...):
 * the eigenvalues are those of D, and no element need be zero. */

enum { LARGEST = 20 };

static double eigenvalue(int kinds, int i)
{
    return 1 + (LARGEST - 1.0) * (i % kinds) / (kinds - 1);
}

static double across(int i)
{
    return 1 + i % 3;
}

static void fill(int n, int kinds, int displ, int count, double *a)
{
    double square = 0, mean = 0;
    for (int k = 0; k < n; k++) {
        square += across(k) * across(k);
        mean += across(k) * across(k) * eigenvalue(kinds, k);
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < n; j++) {
            double both = across(displ + i) * across(j) / square;
            double sum = eigenvalue(kinds, displ + i) + eigenvalue(kinds, j);
            a[(size_t)i * n + j] = (displ + i == j ? eigenvalue(kinds, j) : 0) - 2 * both * sum +
                                   4 * both * mean / square;
        }
}

static double known(int i)
{
    return cos(0.1 * i) + 0.01 * (i % 7);
}

/* --- one step ------------------------------------------------------------------------------------
 */

enum { STEPS = TRIDIAGONAL };

static double dot(int n, const double *v, const double *w)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i] * w[i];
    return sum;
}

static void multiply(int n, int count, const double *a, const double *v, double *w)
{
    for (int i = 0; i < count; i++)
        w[i] = dot(n, a + (size_t)i * n, v);
}

/* What of W lies along the first STEP + 1 vectors of the basis Q; all processes get it. */
static void along(int count, int step, const double *q, const double *w, double *h)
{
    double own[STEPS] = {0};
    for (int i = 0; i < count; i++)
        for (int k = 0; k <= step; k++)
            own[k] += q[(size_t)i * STEPS + k] * w[i];
    MPI_Allreduce(own, h, STEPS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void remove_along(int count, int step, const double *q, const double *h, double *w)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k <= step; k++)
            w[i] -= h[k] * q[(size_t)i * STEPS + k];
}

static void scale(int n, double by, double *v)
{
    for (int i = 0; i < n; i++)
        v[i] *= by;
}

int main(int argc, char **argv)
{
    struct options options;
    int rank, size, it;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *why = parse(argc, argv, &options);
    if (why == NULL && options.n < size)
        why = "-n: there are more processes than rows";
    if (why != NULL) {
        if (rank == 0)
            fprintf(stderr, "lanczos: %s\n", why);
        MPI_Finalize();
        return 2;
    }
    int n = options.n;
    int count = n / size + (rank < n % size);
    int displ = rank * (n / size) + (rank < n % size ? rank : n % size);
    double *a = malloc((size_t)count * n * sizeof *a);
    double *q = malloc((size_t)count * STEPS * sizeof *q); /* a vector in each column */
    double *x = calloc(count, sizeof *x), *w = malloc(count * sizeof *w);
    double *b = malloc(count * sizeof *b), *v = malloc(n * sizeof *v); /* v is whole */
    int *counts = malloc(size * sizeof *counts), *displs = malloc(size * sizeof *displs);
    if (a == NULL || q == NULL || x == NULL || w == NULL || b == NULL || v == NULL ||
        counts == NULL || displs == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&displ, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
#pragma xmpi data outofcore(a[n][n], q[n][STEPS])
    fill(n, options.kinds, displ, count, a);
    for (int i = 0; i < n; i++)
        v[i] = known(i);
    multiply(n, count, a, v, b);
    MPI_Allgatherv(b, count, MPI_DOUBLE, v, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    double norm = sqrt(dot(n, v, v)), goal = options.tolerance * norm, begin = MPI_Wtime();
    double ritz[STEPS] = {0};
    scale(n, 1 / norm, v);
    int steps = 0;
#pragma xmpi loop
    for (it = 0; it < options.max_iterations && norm > goal; it++) {
        double alpha[STEPS], beta[STEPS], y[STEPS], h[STEPS], again[STEPS];
        int exact = 0;
        for (steps = 0; steps < STEPS && !exact; steps++) {
            for (int i = 0; i < count; i++)
                q[(size_t)i * STEPS + steps] = v[displ + i];
            multiply(n, count, a, v, w);
            along(count, steps, q, w, h);
            remove_along(count, steps, q, h, w);
            along(count, steps, q, w, again);
            remove_along(count, steps, q, again, w);
            MPI_Allgatherv(w, count, MPI_DOUBLE, v, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
            alpha[steps] = h[steps] + again[steps];
            beta[steps] = sqrt(dot(n, v, v));
            exact = beta[steps] <= 1e-12 * alpha[steps];
            scale(n, exact ? 0 : 1 / beta[steps], v);
        }
        tridiagonal_solve(steps, alpha, beta, norm, y);
        tridiagonal_eigenvalues(steps, alpha, beta, LARGEST + 1, ritz);
        for (int i = 0; i < count; i++)
            for (int k = 0; k < steps; k++)
                x[i] += y[k] * q[(size_t)i * STEPS + k];
        norm = exact ? 0 : beta[steps - 1] * fabs(y[steps - 1]); /* of what v is along */
        if (y[steps - 1] > 0)
            scale(n, -1, v);
    }
    double seconds = MPI_Wtime() - begin, own[2] = {0, 0}, all[2];

    /* The true residual and the distance from the solution that is known. */
    MPI_Allgatherv(x, count, MPI_DOUBLE, v, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    multiply(n, count, a, v, w);
    for (int i = 0; i < count; i++) {
        own[0] += (w[i] - b[i]) * (w[i] - b[i]);
        own[1] += (x[i] - known(displ + i)) * (x[i] - known(displ + i));
    }
    MPI_Allreduce(own, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("iterations %d\nconverged %s\nresidual %.6e\nerror %.6e\neigenvalues", it,
               norm > goal ? "no" : "yes", sqrt(all[0]), sqrt(all[1]));
        for (int k = 0; k < steps; k++)
            printf(" %.9f", ritz[k]);
        printf("\nseconds %.6f\n", seconds);
    }
    free(a);
    free(q);
    free(x);
    free(w);
    free(b);
    free(v);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
