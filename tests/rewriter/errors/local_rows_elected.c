/* SPDX-License-Identifier: BSD-3-Clause
 * Who has the largest row sets its fourth one. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *y = malloc(count * sizeof *y);
    for (int i = 0; i < count; i++)
        y[i] = (first + i) * 37 % 101;
#pragma xmpi loop
    for (int k = 0; k < 40; k++) {
        struct {
            double value;
            int rank;
        } own = {-1, rank}, all;
        int mine = 0, owner;
        double got = 0;
        for (int i = 0; i < count; i++)
            if (y[i] > own.value) {
                own.value = y[i];
                mine = i;
            }
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
        owner = all.rank;
        if (rank == owner)
            y[3] = 0;

        got = got;
        for (int i = 0; i < count; i++)
            y[i] += 0.01 * got + (first + i) % 3 - 0.1 * y[i];
    }
    double sum = 0, total;
    for (int i = 0; i < count; i++)
        sum += y[i] * (1 + (first + i) % 13);
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", total);
    MPI_Finalize();
    return 0;
}
