/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers that iterations make of the own rows, of which only some are made again behind the loop.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
enum { STEPS = 10, HIDDEN = 6 };

int main(int argc, char **argv)
{
    int rank, size, n = 14, some = argc > 1 ? atoi(argv[1]) : 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u = calloc((size_t)count + 1, sizeof(double));
    double *work = malloc(HIDDEN * sizeof(double));
    for (int i = 0; i < count; i++)
        u[i] = (first + i) * 7 % 11;
#pragma xmpi loop
    for (int k = 0; k < STEPS; k++)
        for (int i = 0; i < count; i++) {
            for (int h = 0; h < HIDDEN; h++)
                work[h] = u[i] * (h + 1);
            for (int h = 0; h < HIDDEN; h++)
                u[i] += 0.001 * work[h];
        }
    for (int h = 0; h < some; h++)
        work[h] = h;
    if (rank == 0)
        printf("%.9g\n", work[HIDDEN - 1]);
    free(u);
    free(work);
    MPI_Finalize();
    return 0;
}
