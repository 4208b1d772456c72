/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* What a loop around changes behind a pointer of which nobody knows where it leads. */
struct store {
    double *values;
};
static struct store *stores[2];

static double *find(int which)
{
    return stores[which]->values;
}

int main(int argc, char **argv)
{
    int rank, size, n = 29;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count + 1, sizeof *u);
    for (int w = 0; w < 2; w++) {
        stores[w] = malloc(sizeof *stores[w]);
        stores[w]->values = calloc(4, sizeof(double));
    }
    double t = 0, all = 0;
    for (int i = 0; i < count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
    for (int step = 0; step < 4; step++) {
#pragma xmpi loop
        for (int k = 0; k < 10; k++)
            for (int i = 0; i < count; i++)
                u[i] = 0.9 * u[i] + 0.01 * ((displ + i + k) % 5);
        double *kept = find(step % 2);
        kept[step] = 1 + step;
        for (int i = 0; i < count; i++)
            u[i] += kept[0] + kept[step / 2];
    }
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    MPI_Finalize();
    return 0;
}
