/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define STEPS 12
static double twice(double x)
{
    return 2 * x;
}
static double (*operation)(double) = twice;
int main(int argc, char **argv)
{
    int rank;
    int size;
    int n;
    int *counts;
    int *displs;
    float *v;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = 13;
    counts = malloc(size * sizeof(int));
    displs = malloc(size * sizeof(int));
    for (int r = 0; r < size; r++) {
        displs[r] = r * (n / size) + (r < n % size ? r : n % size);
        counts[r] = (r + 1) * (n / size) + ((r + 1) < n % size ? 0 : n % size) - displs[r];
    }
    v = calloc((counts[rank]), sizeof(float));
    int k;
#pragma xmpi loop
    for (k = 0; k < STEPS; k++) {
        {
            for (int g = displs[rank]; g < displs[rank] + counts[rank]; g++) {
                if (operation((((g - displs[rank]) + k) & 1)) > 1)
                    v[g - displs[rank]] = 0.7 * v[g - displs[rank]] + 0.01;
            }
        }
    }
    {
        double t = -1e30, all = 0;
        for (int i = 1; i <= counts[rank]; i++) {
            if (v[i - 1] > t)
                t = v[i - 1];
        }
        MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        if (rank == 0)
            printf("largest of v ~%.9g\n", all);
    }
    MPI_Finalize();
}
