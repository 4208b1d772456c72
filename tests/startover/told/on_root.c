/* SPDX-License-Identifier: BSD-3-Clause
 * Memory that rank 0 alone has, and goes on from. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 60, steps = argc > 2 ? atoi(argv[2]) : 120;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size),
        first = rank * (n / size) + (rank < n % size ? rank : n % size);
    int lf = rank ? rank - 1 : MPI_PROC_NULL, rt = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;

    int *cnt = malloc(size * sizeof(int)), *dsp = malloc(size * sizeof(int));
    MPI_Allgather(&count, 1, MPI_INT, cnt, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&first, 1, MPI_INT, dsp, 1, MPI_INT, MPI_COMM_WORLD);
    double *u = malloc((count + 2) * sizeof *u), *all = NULL, *guess = NULL;
    if (rank == 0) {
        all = malloc(n * sizeof *all);
        guess = calloc(n, sizeof *guess);
    }
    for (int i = 0; i < count + 2; i++)
        u[i] = sin(0.1 * (first + i));
#pragma xmpi loop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i <= count; i++)
            u[i] += 0.01 * ((first + i + t) % 5);
        MPI_Gatherv(u + 1, count, MPI_DOUBLE, all, cnt, dsp, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (rank == 0)
            for (int sweep = 0; sweep < 3; sweep++)
                for (int i = 0; i < n; i++)
                    guess[i] =
                        (all[i] + (i ? guess[i - 1] : 0) + (i < n - 1 ? guess[i + 1] : 0)) / 3;
        MPI_Scatterv(guess, cnt, dsp, MPI_DOUBLE, u + 1, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    double s = 0, tot;
    for (int i = 1; i <= count; i++)
        s += u[i] * (first + i);
    MPI_Reduce(&s, &tot, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9e\n", tot);
    MPI_Finalize();
}
