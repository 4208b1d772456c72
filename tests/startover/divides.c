/* SPDX-License-Identifier: BSD-3-Clause
 * A program that does not run with every number of processes, and says so in several ways. */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 60 };

static void end(int rank, const char *how)
{
    if (strcmp(how, "exit") == 0) {
        fprintf(stderr, "n must be divisible by size\n");
        exit(1);
    }
    if (strcmp(how, "finalize") == 0) {
        MPI_Finalize();
        exit(0);
    }
    if (strcmp(how, "abort") == 0 && rank == 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (strcmp(how, "assert") == 0)
        assert(N % 7 == 0);
    if (strcmp(how, "one") == 0 && rank == 0)
        exit(2);
}

int main(int argc, char **argv)
{
    int rank, size, steps = argc > 1 ? atoi(argv[1]) : 10, n = 0, step;
    const char *how = argc > 2 ? argv[2] : "exit";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (N % size != 0)
        end(rank, how);
    if (rank == 0)
        n = N;
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    int count = n / size;
    int *v = malloc((size_t)count * sizeof *v);
    for (int i = 0; i < count; i++)
        v[i] = rank * count + i;
#pragma xmpi loop state(rows(v[n] from rank * count, count), same(step))
    for (step = 0; step < steps; step++) {
        int before = v[count - 1], comes = 0;
        MPI_Sendrecv(&before, 1, MPI_INT, (rank + 1) % size, 0, &comes, 1, MPI_INT, (rank + size - 1) % size,
                     0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = count - 1; i > 0; i--)
            v[i] = v[i - 1];
        v[0] = comes;
    }
    int *all = rank == 0 ? malloc(N * sizeof *all) : NULL;
    MPI_Gather(v, count, MPI_INT, all, count, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < N; i++)
        printf("%d%c", all[i], i == N - 1 ? '\n' : ' ');
    MPI_Finalize();
    return 0;
}
