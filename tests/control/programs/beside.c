/* SPDX-License-Identifier: BSD-3-Clause
 * A sum that is rounded otherwise with other processes, beside a number that is so large that it
 * does not show in sums over both. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, n = 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = n * rank / size, count = n * (rank + 1) / size - first;
    double *x = malloc((count + 1) * sizeof *x), total[2] = {1e20, 0};
    for (int i = 0; i < count; i++)
        x[i] = (first + i) % 7 + 1;
#pragma xmpi loop
    for (int step = 0; step < 100; step++) {
        double sum = 0, all;
        for (int i = 0; i < count; i++)
            sum += 1 / x[i];
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        total[1] = all;
        for (int i = 0; i < count; i++)
            x[i] = x[i] < 9 ? x[i] + 0.25 : 1;
    }
    if (rank == 0)
        printf("%.3f\n", total[1]);
    MPI_Finalize();
    return 0;
}
