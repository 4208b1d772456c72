/* SPDX-License-Identifier: BSD-3-Clause
 * Rows that differ in work, and nothing is said of it: those from BEGIN to END are WORK times as
 * much as the others.
 *
 * Usage: density ROWS BEGIN END WORK ITERATIONS. Prints a sum of the result, which does not depend
 * on the members, and the seconds of the loop. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double relax(double x, int row, int work)
{
    for (int k = 0; k < 300 * work; k++)
        x = x * 0.999 + 0.001 * row;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 6)
        MPI_Abort(MPI_COMM_WORLD, 3);
    int rows = atoi(argv[1]), begin = atoi(argv[2]), end = atoi(argv[3]), work = atoi(argv[4]);
    int iterations = atoi(argv[5]);
    int first = (int)((long)rows * rank / size);
    int count = (int)((long)rows * (rank + 1) / size) - first;
    double *u = malloc((size_t)(count > 0 ? count : 1) * sizeof *u);
    if (u == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    for (int i = 0; i < count; i++)
        u[i] = first + i;
    double start = MPI_Wtime(), sum = 0;
#pragma xmpi loop
    for (int it = 0; it < iterations; it++) {
        double mine = 0;
        for (int i = 0; i < count; i++) {
            int row = first + i;
            u[i] = relax(u[i], row, row >= begin && row < end ? work : 1);
            mine += u[i];
        }
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    double seconds = MPI_Wtime() - start;
    if (rank == 0)
        printf("density %.9g %.6f\n", sum, seconds);
    free(u);
    MPI_Finalize();
    return 0;
}
