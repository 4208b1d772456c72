/* SPDX-License-Identifier: BSD-3-Clause
 * A mark of the process that has a row decides what is added. */
/* None: 'flag' is kept, too, and may differ on each process, and iterations go by it: only
 * same(...) */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 60, steps = argc > 2 ? atoi(argv[2]) : 120,
                    flag = 0, hit = 0, last;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size),
        first = rank * (n / size) + (rank < n % size ? rank : n % size);
    double *u = malloc(count * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = 1 + 0.01 * (first + i);
#pragma xmpi loop
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < count; i++) {
            u[i] *= 0.95;
            if (first + i == n / 2 && !flag && u[i] < 0.5) {
                flag = 1;
                hit += t;
            }
        }
    MPI_Reduce(&hit, &last, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("hit in step %d\n", last);
    MPI_Finalize();
    return 0;
}
