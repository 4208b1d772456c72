/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define N 61
static double g;
typedef struct {
    double *x, *y;
    int n, first, count;
    double t;
} S;
static void step(S *s, int it)
{
    for (int i = 0; i < s->count; i++)
        s->y[i] = s->x[i] * 0.9 + 0.01 * (s->first + i) + g;
    double *h = s->x;
    s->x = s->y;
    s->y = h;
    s->t += 0.1;
}
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    S s = {0};
    s.n = N;
    s.first = rank * N / size;
    s.count = (rank + 1) * N / size - s.first;
    s.x = malloc(s.count * sizeof(double));
    s.y = malloc(s.count * sizeof(double));
    for (int i = 0; i < s.count; i++)
        s.x[i] = s.y[i] = s.first + i;
    double sum = 0, all = 0;
#pragma xmpi loop divisible
    for (int it = 0; it < 60; it++) {
        double value = 0;
        int owner = ((it + 1) * size - 1) / N;
        if (owner == rank)
            value = s.x[it - s.first];
        MPI_Bcast(&value, 1, MPI_DOUBLE, owner, MPI_COMM_WORLD);
        g = 0.001 * value;
        step(&s, it);
    }
    for (int i = 0; i < s.count; i++)
        sum += s.x[i] * ((s.first + i) % 5);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g %.10g\n", all, s.t);
    MPI_Finalize();
    return 0;
}
