/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct cell {
    double x;
    int tag;
};
static struct cell saved[40];
static struct cell *v;
static int displ, count;

static void save(void)
{
    for (int i = 0; i < count; i++)
        saved[i].x = v[displ + i].x;
}

int main(int argc, char **argv)
{
    int rank, size, n = 33;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    displ = rank * n / size;
    count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u), t = 0, all = 0;
    v = calloc((size_t)n, sizeof *v);
    for (int i = 0; i < n; i++)
        v[i].x = 0.5 * (i % 5);
    save();
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < n; i++)
            v[i].x = 0.1 * ((k + i) % 11);
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + v[displ + i].x;
    }
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 3) * saved[i].x + u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    MPI_Finalize();
    return 0;
}
