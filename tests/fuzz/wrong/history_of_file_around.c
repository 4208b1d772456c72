/* SPDX-License-Identifier: BSD-3-Clause
 * What a loop around has put into an array of a caller's, by a pointer, is printed behind it. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { STEPS = 10 };

static double past_of_all[STEPS];

static void turn(int k, int rank, int *counts, int *displs, double *u, double past[STEPS])
{
    for (int i = 0; i < counts[rank]; i++)
        u[i] = 0.8 * u[i] + 0.1 / (1 + fabs(past[k])) + 0.3 / (1 + (displs[rank] + i) + k);
}

static void iterate(int rank, int *counts, int *displs, double *u, double past[STEPS], double sum)
{
    for (int cycle = 0; cycle < 3; cycle++) {
        double t = 0;
        for (int i = 0; i < counts[rank]; i++)
            t += u[i] * u[i];
        MPI_Allreduce(MPI_IN_PLACE, &t, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sum = t;
        past[cycle] = sum;
        turn(cycle, rank, counts, displs, u, past);
        int k = 0;
#pragma xmpi loop
        do {
            for (int i = 0; i < counts[rank]; i++)
                u[i] = 0.9 * u[i] + 0.3 / (1 + displs[rank] + i + k);
            k++;
        } while (k < STEPS);
    }
    if (rank == 0) {
        double s = 0;
        for (int i = 0; i < STEPS; i++)
            s += past[i];
        printf("%.9g\n", s);
    }
}

int main(int argc, char **argv)
{
    int rank, size, n = 14;
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *counts = malloc(size * sizeof(int)), *displs = malloc(size * sizeof(int));
    for (int r = 0; r < size; r++) {
        displs[r] = (int)((long)r * n / size);
        counts[r] = (int)((long)(r + 1) * n / size) - displs[r];
    }
    double *u = calloc((size_t)counts[rank], sizeof(double));
    for (int i = 0; i < counts[rank]; i++)
        u[i] = 1 + 0.1 * (((displs[rank] + i) * 7 + 1) % 11);
    memset(past_of_all, 0, sizeof past_of_all);
    iterate(rank, counts, displs, u, past_of_all, sum);
    free(u);
    MPI_Finalize();
    return 0;
}
