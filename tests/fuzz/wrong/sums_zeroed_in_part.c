/* SPDX-License-Identifier: BSD-3-Clause
 * Sums by class, in an array that loops set to 0 but for its last class, and that is reduced in
 * place: each process adds what all have come to. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CLASSES 3
#define PARTS 2

int main(int argc, char **argv)
{
    int rank, size, n = 31;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = malloc((size_t)count * sizeof *u), t = 0, all = 0;
    double sum[CLASSES][PARTS] = {{0}}, centre[CLASSES] = {1, 2, 3};
    int many[CLASSES] = {0};
    for (int i = 0; i < count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 17);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int c = 0; c < CLASSES - 1; c++) {
            many[c] = 0;
            for (int d = 0; d < PARTS; d++)
                sum[c][d] = 0;
        }
        for (int i = 0; i < count; i++) {
            int nearest = 0;
            for (int c = 1; c < CLASSES; c++)
                if ((u[i] - centre[c]) * (u[i] - centre[c]) <
                    (u[i] - centre[nearest]) * (u[i] - centre[nearest]))
                    nearest = c;
            many[nearest]++;
            sum[nearest][0] += u[i];
            sum[nearest][1] += u[i] * u[i];
            u[i] += 0.01 * (centre[nearest] - u[i]);
        }
        MPI_Allreduce(MPI_IN_PLACE, sum, CLASSES * PARTS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, many, CLASSES, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        for (int c = 0; c < CLASSES; c++)
            if (many[c] > 0)
                centre[c] = sum[c][0] / many[c] + 0.001 * sum[c][1];
    }
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    MPI_Finalize();
    return 0;
}
