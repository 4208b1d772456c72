/* SPDX-License-Identifier: BSD-3-Clause
 * Each rank has a log of its own, with a line for each of its rows; the one of rank 0 is read
 * behind the loop. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
enum { STEPS = 10 };

int main(int argc, char **argv)
{
    int rank, size, n = 14, lines = 0;
    char name[32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u = calloc((size_t)count + 1, sizeof(double));
    snprintf(name, sizeof name, "own.%d", rank);
    FILE *log = fopen(name, "w");
    for (int i = 0; i < count; i++)
        u[i] = first + i;
#pragma xmpi loop
    for (int k = 0; k < STEPS; k++)
        for (int i = 0; i < count; i++) {
            u[i] = 0.9 * u[i] + k;
            fprintf(log, "%.9g\n", u[i]);
        }
    fclose(log);
    log = fopen("own.0", "r");
    for (int c; rank == 0 && (c = getc(log)) != EOF;)
        lines += c == '\n';
    if (rank == 0)
        printf("%d\n", lines);
    fclose(log);
    free(u);
    MPI_Finalize();
    return 0;
}
