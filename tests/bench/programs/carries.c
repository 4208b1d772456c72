/* SPDX-License-Identifier: BSD-3-Clause
 * Carries MiB of memory along and allocates little pieces: what moving a whole program takes, and
 * what it takes to run so that it can move. Arguments: MiB, steps, pieces that are allocated and
 * freed in each. Prints the seconds of the steps. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PLAIN
#define XMPI_Point() MPI_SUCCESS
#else
#include "xmpi.h"
#endif

enum { KEPT = 1000 };

int main(int argc, char **argv)
{
    int rank, steps = atoi(argv[2]);
    long pieces = atol(argv[3]);
    size_t bytes = (size_t)atol(argv[1]) << 20;
    static char *kept[KEPT];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *memory = malloc(bytes + 1);
    memset(memory, rank + 1, bytes + 1);
    unsigned number = 1;
    double start = MPI_Wtime();
    for (int step = 0; step < steps; step++) {
        XMPI_Point();
        for (long i = 0; i < pieces; i++) {
            number = number * 1664525u + 1013904223u;
            char **place = &kept[(number >> 8) % KEPT];
            free(*place);
            *place = malloc(16 + (number >> 20) % 500);
            **place = (char)number;
        }
        memory[(size_t)step * 4096 % (bytes + 1)]++;
    }
    double seconds = MPI_Wtime() - start;
    if (rank == 0)
        printf("%.9f\n", seconds);
    MPI_Finalize();
    return 0;
}
