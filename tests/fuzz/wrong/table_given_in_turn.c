/* SPDX-License-Identifier: BSD-3-Clause
 * A function is handed one array of a table after another: what starts over comes to its loop with
 * the first one, whatever the counter around is said to be. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, count, displ, n = 30, which;
static double *u[2];

static void relax(double *rows)
{
    int k;
#pragma xmpi loop state(rows((u[0])[n], (u[1])[n] from displ, count), same(k, which))
    for (k = 0; k < 20; k++)
        for (int i = 0; i < count; i++)
            rows[i] += 0.1 * (displ + i) + k;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    displ = rank * n / size;
    count = (rank + 1) * n / size - displ;
    for (which = 0; which < 2; which++)
        u[which] = calloc((size_t)count, sizeof(double));
    for (which = 0; which < 2; which++)
        relax(u[which]);
    double s[2] = {0, 0}, all[2];
    for (int i = 0; i < count; i++) {
        s[0] += u[0][i];
        s[1] += u[1][i];
    }
    MPI_Reduce(s, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g %.10g\n", all[0], all[1]);
    MPI_Finalize();
    return 0;
}
