/* Opinions that drift towards those further on; counts and displs are only used as tables. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void deal(int n, int p, int *counts, int *displs)
{
    int at = 0;
    for (int r = 0; r < p; r++) {
        displs[r] = at;
        counts[r] = n / p + (r < n % p ? 1 : 0);
        at += counts[r];
    }
}

int main(int argc, char **argv)
{
    int rank, size, n = 80;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *counts = malloc(size * sizeof *counts), *displs = malloc(size * sizeof *displs);
    deal(n, size, counts, displs);
    double *all = malloc(n * sizeof *all);
    double *own = malloc(counts[rank] * sizeof *own);
    for (int i = 0; i < n; i++)
        all[i] = i * i % 23;
#pragma xmpi loop
    for (int round = 0; round < 30; round++) {
        for (int i = 0; i < counts[rank]; i++) {
            int person = displs[rank] + i;
            own[i] = (3 * all[person] + all[(person + round + 1) % n]) / 4;
        }
        MPI_Allgatherv(own, counts[rank], MPI_DOUBLE, all, counts, displs, MPI_DOUBLE,
                       MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("opinions %.10g %.10g %.10g\n", all[0], all[n / 2], all[n - 1]);
    free(all);
    free(own);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
