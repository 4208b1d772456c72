/* SPDX-License-Identifier: BSD-3-Clause
 * A loop around leaves a request open behind the adaptive one, whose first iteration waits for it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 24, cycles = argc > 1 ? atoi(argv[1]) : 10, cycle, k;
    long mine = 0, all = 0;
    MPI_Request open = MPI_REQUEST_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = n * rank / size, count = n * (rank + 1) / size - first;
    long *u = calloc((size_t)count + 1, sizeof *u);
    for (cycle = 0; cycle < cycles; cycle++) {
#pragma xmpi loop state(rows(u[n] from first, count), same(k, cycle))
        for (k = 0; k < 2; k++) {
            if (k == 0)
                MPI_Wait(&open, MPI_STATUS_IGNORE);
            for (int i = 0; i < count; i++)
                u[i] = (3 * u[i] + first + i + k) % 1009;
        }
        MPI_Ibarrier(MPI_COMM_WORLD, &open);
    }
    MPI_Wait(&open, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++)
        mine += u[i] * (1 + (first + i) % 5);
    MPI_Reduce(&mine, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld\n", all);
    free(u);
    MPI_Finalize();
    return 0;
}
