/* SPDX-License-Identifier: BSD-3-Clause
 * Conjugate gradients of kernels that are called with several vectors: whole ones, parts of them,
 * and own rows. It ends when it has converged. */
#include "ladder.h"

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static void add_to(int n, double alpha, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] += alpha * x[i];
}

static void scale_and_add(int n, double beta, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] + beta * y[i];
}

/* Rows of a matrix with three diagonals. */
static void multiply(int n, int first, int count, const double *v, double *z)
{
    for (int i = 0; i < count; i++) {
        int row = first + i;
        z[i] = 2.5 * v[row] - (row > 0 ? v[row - 1] : 0) - (row + 1 < n ? v[row + 1] : 0);
    }
}

static double sum_of_all(double mine)
{
    double sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40, done = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rest = n % size, count = n / size + (rank < rest);
    int first = rank * (n / size) + (rank < rest ? rank : rest);
    int *counts = malloc(size * sizeof *counts), *displs = malloc(size * sizeof *displs);
    MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&first, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
    double *x = calloc(count, sizeof *x), *r = malloc(count * sizeof *r);
    double *z = malloc(count * sizeof *z), *v = malloc(n * sizeof *v);
    for (int i = 0; i < count; i++)
        r[i] = 1 + (first + i) % 3;
    MPI_Allgatherv(r, count, MPI_DOUBLE, v, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    double c = dot(n, v, v), goal = 1e-8 * c;
#pragma xmpi loop
    for (int k = 0; k < 60 && !done; k++) {
        multiply(n, first, count, v, z);
        double vz = sum_of_all(dot(count, v + first, z));
        add_to(count, c / vz, v + first, x);
        add_to(count, -c / vz, z, r);
        double d = sum_of_all(dot(count, r, r));
        scale_and_add(count, d / c, r, v + first);
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, v, counts, displs, MPI_DOUBLE,
                       MPI_COMM_WORLD);
        c = d;
        done = d < goal;
    }
    MPI_Allgatherv(x, count, MPI_DOUBLE, v, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    multiply(n, first, count, v, z);
    if (rank == 0)
        printf("done %d\n", done);
    tell(z, count);
    MPI_Finalize();
    return 0;
}
