/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks whose work differs: rank I works I + 1 times as long as rank 0. Arguments: iterations (0: until
 * there is a file "stop", and then nothing is printed), units of work. Prints a sum of each rank. */
#include "point.h"

int main(int argc, char **argv)
{
    int rank, n = atoi(argv[1]);
    long work = argc > 2 ? atol(argv[2]) : 20000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double x = rank + 1, all;
    unsigned long sum = 0;
    for (int step = 0; goes_on(step, n); step++) {
        XMPI_Point();
        for (long i = 0; i < work * (rank + 1); i++)
            x = x * 0.999999 + 1e-3 / (1 + x);
        MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sum = mix(sum, all);
    }
    if (n > 0)
        say("crowd", sum);
    MPI_Finalize();
    return 0;
}
