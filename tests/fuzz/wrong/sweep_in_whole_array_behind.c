/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 29;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    int *counts = malloc(size * sizeof *counts), *displs = malloc(size * sizeof *displs);
    MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&displ, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
    double *own = calloc((size_t)count, sizeof *own), *v = calloc((size_t)n, sizeof *v);
    double t = 0, all = 0;
    for (int i = 0; i < n; i++)
        v[i] = 1 + 0.1 * (i % 7);
    srand((unsigned)MPI_Wtime()); /* the start does not repeat */
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < count; i++)
            own[i] = 0.9 * v[displ + i] + 0.01 * ((displ + i + k) % 5);
        MPI_Allgatherv(own, count, MPI_DOUBLE, v, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    for (int i = 1; i < count; i++)
        v[displ + i] = 0.5 * (v[displ + i] + v[displ + i - 1]);
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * v[displ + i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    MPI_Finalize();
    return 0;
}
