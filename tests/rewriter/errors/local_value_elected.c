/* SPDX-License-Identifier: BSD-3-Clause
 * The fourth own row of who has the largest one is sent to all. */
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
    double *y = calloc(count + 2, sizeof *y), *x = calloc(count + 2, sizeof *x);
    for (int i = 1; i <= count; i++)
        y[i] = (first + i - 1) * 37 % 101;
#pragma xmpi loop
    for (int k = 0; k < 40; k++) {
        int left = rank > 0 ? rank - 1 : MPI_PROC_NULL,
            right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
        MPI_Sendrecv(&y[1], 1, MPI_DOUBLE, left, 0, &y[count + 1], 1, MPI_DOUBLE, right, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&y[count], 1, MPI_DOUBLE, right, 1, &y[0], 1, MPI_DOUBLE, left, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        struct {
            double value;
            int rank;
        } own = {-1, rank}, all;
        int mine = 1, owner;
        double got = 0;
        for (int i = 1; i <= count; i++)
            if (y[i] > own.value) {
                own.value = y[i];
                mine = i;
            }
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
        owner = all.rank;
        if (rank == owner)
            got = y[3];
        MPI_Bcast(&got, 1, MPI_DOUBLE, owner, MPI_COMM_WORLD);
        got = got;
        for (int i = 1; i <= count; i++)
            x[i] = 0.01 * got + (first + i - 1) % 3 + 0.3 * (y[i - 1] + y[i + 1]);
        double *other = x;
        x = y;
        y = other;
    }
    double sum = 0, total;
    for (int i = 1; i <= count; i++)
        sum += y[i] * (1 + (first + i - 1) % 13);
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", total);
    MPI_Finalize();
    return 0;
}
