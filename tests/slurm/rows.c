/* SPDX-License-Identifier: BSD-3-Clause
 * A program whose iterations take some time, and whose result says whether a row was lost, had
 * twice, or not computed: rows ITERATIONS MILLISECONDS. It ends before where there is a file
 * "stop". */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 240 };

int main(int argc, char **argv)
{
    int rank, size, iteration, iterations = argc > 1 ? atoi(argv[1]) : 100;
    long milliseconds = argc > 2 ? atol(argv[2]) : 20;
    const struct timespec pause = {.tv_sec = milliseconds / 1000,
                                   .tv_nsec = milliseconds % 1000 * 1000000};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = (int)((long)ROWS * rank / size);
    int count = (int)((long)ROWS * (rank + 1) / size) - first;
    double *row = malloc((size_t)count * sizeof *row);
    double sum = 0, stop = 0;
    for (int i = 0; i < count; i++)
        row[i] = first + i;
#pragma xmpi loop
    for (iteration = 0; iteration < iterations && stop == 0; iteration++) {
        double own = 0, ends = rank == 0 && access("stop", F_OK) == 0;
        for (int i = 0; i < count; i++) {
            row[i] = (double)(((long)row[i] * 3 + first + i + (long)sum) % 1009);
            own += row[i];
        }
        nanosleep(&pause, NULL);
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(&ends, &stop, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("sum %.0f of %d\n", sum, iteration);
    free(row);
    MPI_Finalize();
    return 0;
}
