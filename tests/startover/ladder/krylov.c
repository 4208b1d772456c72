/* SPDX-License-Identifier: BSD-3-Clause
 * An orthogonal basis of a Krylov space, its dozen vectors behind an array of pointers that a loop has
 * made; what is left of the right side is taken along them. */
#include "ladder.h"

enum { DIMENSION = 12 };

static int rank, size, own, first;
static double *basis[DIMENSION + 1], *x, *b;

static void apply(const double *v, double *y)
{
    double left = 0, right = 0;
    int l = rank > 0 ? rank - 1 : MPI_PROC_NULL, r = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&v[0], 1, MPI_DOUBLE, l, 0, &right, 1, MPI_DOUBLE, r, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&v[own - 1], 1, MPI_DOUBLE, r, 1, &left, 1, MPI_DOUBLE, l, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < own; i++) {
        double west = i > 0 ? v[i - 1] : left, east = i < own - 1 ? v[i + 1] : right;
        y[i] = 2.5 * v[i] - 0.5 * west - 0.5 * east;
    }
}

static double dot(const double *v, const double *w)
{
    double sum = 0, all;
    for (int i = 0; i < own; i++)
        sum += v[i] * w[i];
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 40, cycle = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    first = (int)((long)n * rank / size);
    own = (int)((long)n * (rank + 1) / size) - first;
    for (int k = 0; k <= DIMENSION; k++)
        basis[k] = malloc(own * sizeof(double));
    x = calloc(own, sizeof(double));
    b = malloc(own * sizeof(double));
    for (int i = 0; i < own; i++)
        b[i] = 1 + 0.5 * sin(0.05 * (first + i));
    double part[DIMENSION], norm = sqrt(dot(b, b)), rest = norm;
#pragma xmpi loop
    while (rest > 1e-13 * norm && cycle < 12) {
        apply(x, basis[0]);
        for (int i = 0; i < own; i++)
            basis[0][i] = b[i] - basis[0][i];
        rest = sqrt(dot(basis[0], basis[0]));
        for (int k = 0; k < DIMENSION; k++) {
            apply(basis[k], basis[k + 1]);
            part[k] = 0.3 * dot(basis[k], basis[0]) / dot(basis[0], basis[0]);
            for (int i = 0; i < own; i++)
                basis[k + 1][i] = basis[k][i] - 0.3 * basis[k + 1][i];
        }
        for (int k = 0; k < DIMENSION; k++)
            for (int i = 0; i < own; i++)
                x[i] += part[k] * basis[k][i];
        cycle++;
    }
    tell(x, own);
    MPI_Finalize();
    return 0;
}
