/* SPDX-License-Identifier: BSD-3-Clause
 * Iterates until there is a file "stop" in its folder; then says whether every element was changed
 * in every iteration. patient [MICROSECONDS [ITERATIONS]]: what each element takes, wherever it is
 * and whatever else runs there, and iterations after which it ends in any case. */
#define _DEFAULT_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, size, n = 64, stop = 0, it = 0;
    long sum = 0, all = 0;
    unsigned each = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
    int most = argc > 2 ? atoi(argv[2]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size);
    int displ = rank * (n / size) + (rank < n % size ? rank : n % size);
    int *a = malloc((count + 1) * sizeof *a);
#pragma xmpi data distributed(a[n])
#pragma xmpi initial
    for (int i = 0; i < count; i++)
        a[i] = displ + i;
#pragma xmpi loop interval(5)
    while (!stop) {
        for (int i = 0; i < count; i++)
            a[i] = a[i] + 1;
        usleep(each > 0 ? each * (unsigned)count : 2000);
        if (rank == 0)
            stop = it + 1 == most || access("stop", F_OK) == 0;
        MPI_Bcast(&stop, 1, MPI_INT, 0, MPI_COMM_WORLD);
        it++;
    }
    for (int i = 0; i < count; i++)
        sum += a[i];
    MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s\n", all == (long)n * (n - 1) / 2 + (long)n * it ? "right" : "wrong");
    free(a);
    MPI_Finalize();
    return 0;
}
