/* SPDX-License-Identifier: BSD-3-Clause
 * The start reads options and draws random numbers, on which all that follows depends: they are the
 * same in whatever process the program starts again, and however often. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, size, option, n = 5, steps = 10;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    while ((option = getopt(argc, argv, "n:s:")) != -1) {
        if (option == 'n')
            n = atoi(optarg);
        if (option == 's')
            steps = atoi(optarg);
    }
    int first = n * rank / size, count = n * (rank + 1) / size - first;
    long *u = calloc((size_t)count + 1, sizeof *u), mine = 0, sum;
    long shift = random() % 1000 + lrand48() % 1000 + rand() % 10;
#pragma xmpi loop state(rows(u[n] from first, count), same(step))
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < count; i++)
            u[i] = (u[i] * 5 + (first + i) * shift) % 10007;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int i = 0; i < count; i++)
        mine += u[i];
    MPI_Reduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d rows of %s: %ld\n", n, argv[optind], sum);
    MPI_Finalize();
    return 0;
}
