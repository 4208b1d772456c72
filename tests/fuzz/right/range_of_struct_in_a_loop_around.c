/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct world {
    int rank, size, n, s, e;
    double *u;
};

static void iterate(struct world *w)
{
#pragma xmpi loop
    for (int k = 0; k < 12; k++)
        for (int i = 0; i < w->e - w->s + 1; i++)
            w->u[i] = 0.9 * w->u[i] + 0.01 * (w->s - 1 + i);
}

int main(int argc, char **argv)
{
    struct world w;
    double t = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &w.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w.size);
    w.n = 29;
    w.s = w.rank * w.n / w.size + 1;
    w.e = (w.rank + 1) * w.n / w.size;
    w.u = calloc((size_t)(w.e - w.s + 1), sizeof *w.u);
    for (int step = 0; step < 3; step++) {
        iterate(&w);
    }
    for (int i = 0; i < w.e - w.s + 1; i++)
        t += (1 + (w.s + i) % 5) * w.u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (w.rank == 0)
        printf("%.9g\n", all);
    free(w.u);
    MPI_Finalize();
    return 0;
}
