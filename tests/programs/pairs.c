/* A relay whose steps are in time with those of pairs of neighbours and of the first ones of the pairs. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    long total = 0;
    MPI_Comm pair, firsts, turn[2] = {MPI_COMM_NULL, MPI_COMM_NULL};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2 == 0 ? 0 : MPI_UNDEFINED, rank, &firsts);
#pragma xmpi setup
    for (int i = 0; i < 2; i++) {
        if (turn[i] != MPI_COMM_NULL)
            MPI_Comm_free(&turn[i]);
        MPI_Comm_split(pair, i, -rank, &turn[i]);
    }
    int first = n * rank / size, count = n * (rank + 1) / size - first;
    long *load = malloc((count + 1) * sizeof *load);
    for (int i = 0; i < count; i++)
        load[i] = (first + i) * 37 % 101;
#pragma xmpi loop
    for (int step = 0; step < 100; step++) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            load[i] = (load[i] * 5 + total) % 1009;
            sum += load[i];
        }
        MPI_Barrier(pair);
        MPI_Barrier(turn[step % 2]);
        if (firsts != MPI_COMM_NULL)
            MPI_Barrier(firsts);
        MPI_Allreduce(&sum, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%ld\n", total);
    MPI_Comm_free(&pair);
    if (firsts != MPI_COMM_NULL)
        MPI_Comm_free(&firsts);
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&turn[i]);
    MPI_Finalize();
    free(load);
    return 0;
}
