/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct world {
    int displ, count;
    double *x;
    double largest, kept[4];
};

static void compare(struct world *w)
{
    double t = 0;
    for (int i = 0; i < w->count; i++)
        t = w->x[i] > t ? w->x[i] : t;
    MPI_Allreduce(MPI_IN_PLACE, &t, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    w->largest = t;
}

int main(int argc, char **argv)
{
    int rank, size, n = 33;
    struct world *w = calloc(1, sizeof *w);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    w->displ = rank * n / size;
    w->count = (rank + 1) * n / size - w->displ;
    w->x = calloc((size_t)w->count, sizeof *w->x);
    for (int i = 0; i < w->count; i++)
        w->x[i] = 1 + (w->displ + i) * 7 % 13;
    for (int step = 0; step < 4; step++) {
        compare(w);
        w->kept[step] = w->largest;
#pragma xmpi loop
        for (int k = 0; k < 10; k++)
            for (int i = 0; i < w->count; i++)
                w->x[i] = 0.9 * w->x[i] + 0.1 * ((w->displ + i + k) % 5);
        if (rank == 0)
            printf("%d\n", step);
    }
    if (rank == 0)
        printf("%.10g %.10g %.10g\n", w->kept[1], w->kept[2], w->kept[3]);
    MPI_Finalize();
    return 0;
}
