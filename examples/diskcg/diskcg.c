/* SPDX-License-Identifier: BSD-3-Clause
 * Solves a dense symmetric positive definite system of linear equations A x = b by conjugate
 * gradients, with A in a file: in each iteration every process reads its rows, one by one. The
 * pragma is for compilers that know it; any MPI compiler will do. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define USAGE "usage: diskcg [-n ORDER] [-i MAXIT] [-t TOL] FILE"

struct options {
    int n, max_iterations;
    double tolerance; /* done when the norm of the residual has fallen by this factor */
    const char *file;
};

static const char *parse(int argc, char **argv, struct options *options)
{
    int option;
    *options = (struct options){.n = 1000, .max_iterations = 1000, .tolerance = 1e-10};
    opterr = 0;
    while ((option = getopt(argc, argv, "n:i:t:")) != -1) {
        if (option == 'n' && ((options->n = atoi(optarg)) < 1 || options->n > 1 << 16))
            return "-n: expected an order from 1 to 65536";
        if (option == 'i' && (options->max_iterations = atoi(optarg)) < 1)
            return "-i: expected a number of iterations";
        if (option == 't' && !((options->tolerance = atof(optarg)) > 0))
            return "-t: expected a number greater than 0";
        if (option == '?')
            return USAGE;
    }
    if (optind != argc - 1)
        return USAGE;
    options->file = argv[optind];
    return NULL;
}

/* --- the system ----------------------------------------------------------------------------------
 */

/* Positive definite, as the first of these is convex in the distance from the diagonal. */
static double element(int i, int j)
{
    return 4.0 / (1 + abs(i - j)) + (i == j ? 1 + i % 13 : 0);
}

static double known(int i)
{
    return cos(0.1 * i);
}

/* The rows of each process at their places, which there are before anybody reads them, and their
 * right side. */
static void write_system(const char *name, int n, int displ, int count, double *b)
{
    double row[n];
    MPI_File file;
    if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                      &file) != MPI_SUCCESS) {
        fprintf(stderr, "diskcg: %s cannot be written\n", name);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int i = 0; i < count; i++) {
        b[i] = 0;
        for (int j = 0; j < n; j++) {
            row[j] = element(displ + i, j);
            b[i] += row[j] * known(j);
        }
        MPI_File_write_at(file, (MPI_Offset)(displ + i) * n * (MPI_Offset)sizeof *row, row, n,
                          MPI_DOUBLE, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* --- vectors -------------------------------------------------------------------------------------
 */

static double dot(int n, const double *v, const double *w)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i] * w[i];
    return sum;
}

static double sum_of_all(double mine)
{
    double sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* z = A v for the COUNT rows from DISPL on. */
static void multiply(MPI_File file, int n, int displ, int count, const double *v, double *z)
{
    double row[n];
    for (int i = 0; i < count; i++) {
        MPI_File_read_at(file, (MPI_Offset)(displ + i) * n * (MPI_Offset)sizeof *row, row, n,
                         MPI_DOUBLE, MPI_STATUS_IGNORE);
        z[i] = dot(n, row, v);
    }
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
            fprintf(stderr, "diskcg: %s\n", why);
        MPI_Finalize();
        return 2;
    }
    int n = options.n;
    int count = n / size + (rank < n % size);
    int displ = rank * (n / size) + (rank < n % size ? rank : n % size);
    double *x = calloc(count, sizeof *x), *r = malloc(count * sizeof *r);
    double *z = malloc(count * sizeof *z), *b = malloc(count * sizeof *b);
    double *v = malloc(n * sizeof *v); /* whole */
    int *counts = malloc(size * sizeof *counts), *displs = malloc(size * sizeof *displs);
    if (x == NULL || r == NULL || z == NULL || b == NULL || v == NULL || counts == NULL ||
        displs == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&displ, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
    write_system(options.file, n, displ, count, b);
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, options.file, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    for (int i = 0; i < count; i++)
        r[i] = b[i];
    MPI_Allgatherv(r, count, MPI_DOUBLE, v, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    double c = dot(n, v, v), goal = options.tolerance * sqrt(c), begin = MPI_Wtime();
#pragma xmpi loop
    for (it = 0; it < options.max_iterations && sqrt(c) > goal; it++) {
        multiply(file, n, displ, count, v, z);
        double alpha = c / sum_of_all(dot(count, v + displ, z));
        for (int i = 0; i < count; i++) {
            x[i] += alpha * v[displ + i];
            r[i] -= alpha * z[i];
        }
        double d = sum_of_all(dot(count, r, r)), beta = d / c;
        for (int i = 0; i < count; i++)
            z[i] = r[i] + beta * v[displ + i];
        MPI_Allgatherv(z, count, MPI_DOUBLE, v, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
        c = d;
    }
    double seconds = MPI_Wtime() - begin, own = 0, error;

    /* The true residual and the distance from the solution that is known. */
    MPI_Allgatherv(x, count, MPI_DOUBLE, v, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    multiply(file, n, displ, count, v, z);
    for (int i = 0; i < count; i++) {
        z[i] -= b[i];
        own = fmax(own, fabs(x[i] - known(displ + i)));
    }
    double residual = sqrt(sum_of_all(dot(count, z, z)));
    MPI_Allreduce(&own, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("iterations %d\nconverged %s\nresidual %.6e\nerror %.6e\nseconds %.6f\n", it,
               sqrt(c) > goal ? "no" : "yes", residual, error, seconds);
    MPI_File_close(&file);
    if (rank == 0)
        MPI_File_delete(options.file, MPI_INFO_NULL);
    free(x);
    free(r);
    free(z);
    free(b);
    free(v);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
