/* A table of rows of 17 numbers; how many numbers each rank sends follows from its rows. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int lo, hi, rank, size, n = 12;
    long sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    lo = n * rank / size;
    hi = n * (rank + 1) / size;
    int *own = malloc(((hi - lo) * 17 + 1) * sizeof(int));
    for (int i = 0; i < (hi - lo) * 17; i++) own[i] = lo * 17 + i;
    int *counts = malloc(size * sizeof(int));
    int *displs = malloc(size * sizeof(int));
    int bytes = (hi - lo) * 17;
    int at = lo * 17;
    MPI_Allgather(&bytes, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&at, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
    int *full = malloc(n * 17 * sizeof(int));
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < (hi - lo) * 17; i++) own[i] += k + 1;
        MPI_Allgatherv(own, (hi - lo) * 17, MPI_INT, full, counts, displs, MPI_INT, MPI_COMM_WORLD);
        sum = 0;
        for (int i = 0; i < n * 17; i++) sum += (long)full[i] * (i + 1);
    }
    if (rank == 0) printf("%ld\n", sum);
    MPI_Finalize();
    return 0;
}
