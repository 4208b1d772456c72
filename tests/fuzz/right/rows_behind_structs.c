/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct view {
    double *p;
};
struct pair {
    struct view one;
    int many;
};
static const double table[3] = {.01, .02, .03};
static double weights[3] = {.03, .01, .05};

static void add(const struct view *v, int first, int many)
{
    for (int i = 0; i < many; i++)
        v->p[i] += table[(first + i) % 3];
}

static struct view view_of(double *p)
{
    struct view v = {p};
    return v;
}

int main(int argc, char **argv)
{
    int rank, size, n = 29;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u), *x = calloc((size_t)n, sizeof *x);
    double t = 0, all = 0;
    for (int i = 0; i < n; i++)
        x[i] = 0.1 * (i % 7);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        const struct view v = {u};
        struct pair two = {{u}, count};
        struct view made = view_of(u);
        double *both[2] = {u, u}, before = 0, own = 0, left;
        int rounds = 0;
        add(&v, displ, count);
        for (int i = 0; i < two.many; i++)
            two.one.p[i] *= 0.9;
        for (int i = 0; i < count; i++)
            made.p[i] += 0.01 * weights[(displ + i) % 3];
        for (int i = 0; i < count; i++)
            both[k % 2][i] += 0.01 * x[displ + i];
        do {
            left = 0;
            for (int i = 0; i < count; i++) {
                u[i] *= 0.99;
                left = u[i] > left ? u[i] : left;
            }
            MPI_Allreduce(MPI_IN_PLACE, &left, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        } while (left > 1 && ++rounds < 3);
        for (int i = 0; i < count; i++)
            if (u[i] > 0.3)
                own += u[i];
        MPI_Exscan(&own, &before, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0)
            before = 0;
        for (int i = 0; i < count; i++) {
            double one = u[i];
            u[i] += 1e-3 * before;
            if (one > 0.3)
                before += one;
        }
    }
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.7g\n", all);
    MPI_Finalize();
    return 0;
}
