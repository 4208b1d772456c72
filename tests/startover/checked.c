/* SPDX-License-Identifier: BSD-3-Clause
 * Usage: checked MODE
 * A loop whose state is told: all of it (0), or not what mode 1 to 7 is about: v is no scratch in 1. The iteration of the
 * program that starts over comes to something else then. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { RIGHT, NOT_TOLD, BY_RANK, IN_A_STRUCT, EACH_ONES_OWN, ENDS, SAME, IN_A_ROW, MODES };

struct cell {
    double x;
    int tag;
};

int main(int argc, char **argv)
{
    int rank, size, n = 24, k, mode = argc > 1 ? atoi(argv[1]) : RIGHT;
    double sum = 0, all = 0, mean = 0;
    long met = 0, met_by_all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count + 1, sizeof *u), *v = calloc((size_t)count + 1, sizeof *v);
    double(*w)[3] = calloc((size_t)count + 1, sizeof *w);
    struct cell *c = calloc((size_t)count + 1, sizeof *c);
    for (int i = 0; i < count; i++) {
        u[i] = displ + i;
        v[i] = 2 * u[i];
        c[i] = (struct cell){u[i], displ + i};
    }
#pragma xmpi loop state(rows(u[n], c[n], w[n][3] from displ, count), same(k, mean), own(met : +), scratch(v))
    for (k = 0; k < 30; k++) {
        sum = 0;
        for (int i = 0; i < count; i++) {
            u[i] = 0.9 * u[i] + 0.01 * v[i] + 0.001 * mean + (mode == BY_RANK ? 0.01 * rank : 0);
            if (mode == NOT_TOLD)
                v[i] = v[i] * 0.9 + 1;
            c[i].x = 0.9 * c[i].x + 0.001 * mean + 0.01 * k;
            c[i].tag += mode == IN_A_STRUCT ? i : 1;
            w[i][2] += mode == IN_A_ROW ? i : 1;
            met += mode == EACH_ONES_OWN ? count : 1;
            sum += u[i] + c[i].x;
        }
        MPI_Allreduce(&sum, &mean, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        mean += mode == SAME ? size : 0;
        if (mode == ENDS && size != 3)
            break;
    }
    sum = 0;
    for (int i = 0; i < count; i++)
        sum += u[i] + v[i] + w[i][2] + c[i].x + c[i].tag * (1 + (displ + i) % 3);
    MPI_Reduce(&met, &met_by_all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g %ld\n", all, met_by_all);
    free(u);
    free(v);
    free(w);
    free(c);
    MPI_Finalize();
    return 0;
}
