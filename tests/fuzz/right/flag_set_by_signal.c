/* SPDX-License-Identifier: BSD-3-Clause
 * A signal would end the loop, of all processes at once: its handler sets a flag, and does nothing
 * that follows the layout. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile sig_atomic_t stop;

static void on_term(int number)
{
    (void)number;
    stop = 1;
}

int main(int argc, char **argv)
{
    int rank, size, n = 40;
    MPI_Init(&argc, &argv);
    signal(SIGTERM, on_term);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u = malloc(count * sizeof *u), sum = 0;
    for (int i = 0; i < count; i++)
        u[i] = first + i;
#pragma xmpi loop divisible
    for (int k = 0; k < 30; k++) {
        int mine = stop, all;
        MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        if (all)
            break;
        double own = 0;
        for (int i = 0; i < count; i++) {
            u[i] = 0.5 * u[i] + k;
            own += u[i];
        }
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%.6f\n", sum);
    free(u);
    MPI_Finalize();
    return 0;
}
