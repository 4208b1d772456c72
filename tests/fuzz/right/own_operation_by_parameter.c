/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void most(void *in, void *out, int *n, MPI_Datatype *type)
{
    const double *a = in;
    double *b = out;
    (void)type;
    for (int i = 0; i < *n; i++)
        if (a[i] > b[i])
            b[i] = a[i];
}
static double reduce(double x, MPI_Op op)
{
    double g;
    MPI_Allreduce(&x, &g, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
    return g;
}

int main(int argc, char **argv)
{
    int rank, size, n = 29;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u), t = 0, all = 0;
    for (int i = 0; i < count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
    MPI_Op op;
    MPI_Op_create(most, 1, &op);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        double m = 0, s = 0;
        for (int i = 0; i < count; i++) {
            m = fmax(m, u[i]);
            s += u[i];
        }
        m = reduce(m, op);
        s = reduce(s, MPI_SUM);
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.1 * m - 0.001 * s;
    }
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    free(u);
    MPI_Finalize();
    return 0;
}
