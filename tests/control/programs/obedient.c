/* SPDX-License-Identifier: BSD-3-Clause
 * Iterates until it is told to end by SIGTERM, and then comes to its end. obedient ITERATIONS: ends
 * in the loop after so many. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t told;

static void note(int signal)
{
    (void)signal;
    told = 1;
}

int main(int argc, char **argv)
{
    enum { N = 64 };
    int rank, size, all = 0, it = 0, last = argc > 1 ? atoi(argv[1]) : 0;
    MPI_Init(&argc, &argv);
    signal(SIGTERM, note);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = N / size + (rank < N % size);
    int first = rank * (N / size) + (rank < N % size ? rank : N % size);
    double *x = malloc((size_t)count * sizeof *x);
    for (int i = 0; i < count; i++)
        x[i] = first + i;
#pragma xmpi loop
    while (!all) {
        int mine = told;
        for (int i = 0; i < count; i++)
            x[i] += 1;
        usleep(2000);
        MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        if (++it == last) {
            MPI_Finalize();
            exit(0);
        }
    }
    if (rank == 0)
        printf("\n===\nobedient\n");
    free(x);
    MPI_Finalize();
    return 0;
}
