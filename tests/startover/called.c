/* SPDX-License-Identifier: BSD-3-Clause
 * A loop whose function is called in several places, some of them in a function that is called
 * twice itself, and in a loop: it is to go on where it was. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 48 };

static int rank, size, first, count, calls;
static double *u, total;

static double relax(double factor, int steps)
{
    double sum = 0;
    int k;
    calls++;
#pragma xmpi loop state(rows(u[ROWS] from first, count), same(k, factor, sum, total, calls))
    for (k = 0; k < steps; k++) {
        double mine = 0;
        for (int i = 0; i < count; i++) {
            u[i] = u[i] * factor + (first + i + k) % 5;
            mine += (long)(u[i] * 256) % 4096; /* whole numbers: any order is right */
        }
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        total += sum;
    }
    return sum;
}

static void say(const char *what, double sum)
{
    if (rank == 0)
        printf("%s %d: %.17g %.17g\n", what, calls, sum, total);
}

static void twice(double factor, int steps)
{
    say("half", relax(factor, steps / 2));
    say("all", relax(factor / 2, steps));
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 20;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    first = ROWS * rank / size;
    count = ROWS * (rank + 1) / size - first;
    u = calloc((size_t)count + 1, sizeof *u);
    twice(0.5, steps);
    say("before", relax(0.25, steps / 4));
    for (; calls < 6;)
        say("behind", relax(0.75, steps / 4));
    twice(0.875, steps / 2);
    free(u);
    MPI_Finalize();
    return 0;
}
