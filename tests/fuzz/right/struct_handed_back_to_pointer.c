/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double x, v;
} point_t;

static point_t pull(point_t p)
{
    point_t d = {p.v, -p.x};
    return d;
}

static point_t add(point_t p, double h, point_t d)
{
    p.x += h * d.x;
    p.v += h * d.v;
    return p;
}

static point_t step(point_t (*slope)(point_t), point_t p, double h)
{
    point_t half = slope(add(p, h / 2, slope(p)));
    return add(p, h, half);
}

int main(int argc, char **argv)
{
    int rank, size, n = 29, count, displ;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    displ = rank * n / size;
    count = (rank + 1) * n / size - displ;
    point_t *u = calloc((size_t)count, sizeof *u);
    double t = 0, all = 0;
    for (int i = 0; i < count; i++)
        u[i].x = 1 + 0.1 * ((displ + i) % 7);
#pragma xmpi loop
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < count; i++)
            u[i] = step(pull, u[i], 0.1);
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i].x;
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    free(u);
    MPI_Finalize();
    return 0;
}
