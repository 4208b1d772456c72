/* SPDX-License-Identifier: BSD-3-Clause
 * A pointer that goes on through its memory. */
/* None: for that to change, set 'here' in each iteration by a number */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 60, steps = argc > 2 ? atoi(argv[2]) : 120;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size),
        first = rank * (n / size) + (rank < n % size ? rank : n % size);
    double *u = malloc(count * sizeof *u), s = 0, tot;
    for (int i = 0; i < count; i++)
        u[i] = sin(first + i);
    double *snap = calloc(12 * count, sizeof *snap), *here = snap;
#pragma xmpi loop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < count; i++)
            u[i] += 0.1 * sin(t + first + i);
        if (t % 10 == 9) {
            for (int i = 0; i < count; i++)
                here[i] = u[i];
            here += count;
        }
    }
    for (int k = 0; k < 12; k++)
        for (int i = 0; i < count; i++)
            s += (snap + k * count)[i] * (first + i + 1) * (k + 1);
    MPI_Reduce(&s, &tot, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9e\n", tot);
    MPI_Finalize();
    return 0;
}
