// flags: -w
/* SPDX-License-Identifier: BSD-3-Clause
 * A function that is called before it is declared, as what it is not: compilers of C warn of that,
 * and parsers that are stricter do not go on. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 100 };

int main(int argc, char **argv)
{
    int rank, steps = argc > 1 ? atoi(argv[1]) : 10;
    double values[LENGTH], most = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < LENGTH; i++)
        values[i] = rank + i % 7;
#pragma xmpi loop
    for (int step = 0; step < steps; step++) {
        advance(values, step);
        MPI_Allreduce(&values[step % LENGTH], &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        values[0] += 0.001 * most;
    }
    double sum = 0, all;
    for (int i = 0; i < LENGTH; i++)
        sum += values[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.17g %.17g\n", all, most);
    MPI_Finalize();
    return 0;
}

void advance(double *values, int step)
{
    for (int i = 0; i < LENGTH; i++)
        values[i] = 0.9 * values[i] + (i + step) % 3;
}
