#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int lo, hi, rank, size, n = 12, w = 17;
    long total = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    lo = n * rank / size;
    hi = n * (rank + 1) / size;
    int cells = (hi - lo) * w;
    int *own = malloc((cells + 1) * sizeof(int));
    for (int i = 0; i < cells; i++) own[i] = lo * w + i;
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        long s = 0;
        for (int i = 0; i < cells; i++) { own[i] += k + 1; s += own[i]; }
        MPI_Allreduce(MPI_IN_PLACE, &s, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        total += s;
    }
    if (rank == 0) printf("%ld\n", total);
    MPI_Finalize();
    return 0;
}
