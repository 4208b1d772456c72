/* SPDX-License-Identifier: BSD-3-Clause
 * A history in a struct is moved on in each iteration, by a copy within it; the loop is resizable.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct state {
    double *u, last[4];
    int first, count;
};

static void iterate(struct state *w)
{
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        double s = 0;
        for (int i = 0; i < w->count; i++)
            s += w->u[i];
        MPI_Allreduce(MPI_IN_PLACE, &s, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        memmove(&w->last[0], &w->last[1], 3 * sizeof(double));
        w->last[3] = s;
        for (int i = 0; i < w->count; i++)
            w->u[i] = 0.8 * w->u[i] + 0.01 * w->last[k % 4] + (w->first + i) % 3;
    }
}

int main(int argc, char **argv)
{
    int rank, size, n = 40;
    double t = 0, all = 0;
    struct state w;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    w.first = rank * n / size;
    w.count = (rank + 1) * n / size - w.first;
    w.u = aligned_alloc(64, 64 * ((size_t)w.count / 8 + 1));
    for (int i = 0; i < w.count; i++)
        w.u[i] = (w.first + i) % 7;
    memset(w.last, 0, sizeof w.last);
    iterate(&w);
    for (int i = 0; i < w.count; i++)
        t += w.u[i] * (1 + (w.first + i) % 5);
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g %.9g\n", all, w.last[0]);
    MPI_Finalize();
    return 0;
}
