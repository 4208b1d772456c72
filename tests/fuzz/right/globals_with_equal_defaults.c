/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static int width = 20, height = 20;
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        width = atoi(argv[1]);
    int displ = rank * height / size, count = (rank + 1) * height / size - displ;
    double *u = calloc((size_t)count * width, sizeof *u), t = 0, all = 0;
    for (int i = 0; i < count * width; i++)
        u[i] = 1 + 0.1 * ((displ * width + i) % 7);
#pragma xmpi loop
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < count; i++)
            for (int j = 0; j < width; j++)
                u[i * width + j] = 0.9 * u[i * width + j] + 0.01 * (displ + i + j);
    for (int i = 0; i < count * width; i++)
        t += u[i] * (1 + (displ * width + i) % 5);
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    free(u);
    MPI_Finalize();
    return 0;
}
