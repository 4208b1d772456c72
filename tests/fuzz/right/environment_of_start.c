/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double weight(void)
{
    const char *text = getenv("WEIGHT_OF_STEP");
    return text != NULL ? atof(text) : 1;
}

int main(int argc, char **argv)
{
    int rank, size, n = 29;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    setenv("WEIGHT_OF_STEP", "0.25", 1); /* by all that join, too */
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u), t = 0, all = 0;
    for (int i = 0; i < count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
    for (int step = 0; step < 4; step++) {
#pragma xmpi loop
        for (int k = 0; k < 10; k++)
            for (int i = 0; i < count; i++)
                u[i] = 0.9 * u[i] + 0.1 * weight();
        for (int i = 0; i < count; i++)
            u[i] += weight() * step;
        setenv("LAST_STEP", step == 3 ? "yes" : "no", 1); /* for other programs */
    }
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    free(u);
    MPI_Finalize();
    return 0;
}
