/* A loop with a policy of its own. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 120;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size);
    int displ = rank * (n / size) + (rank < n % size ? rank : n % size);
    long *x = malloc((size_t)(count + 1) * sizeof *x), sum = 0;
    for (int i = 0; i < count; i++)
        x[i] = displ + i;
#pragma xmpi loop policy(hpmp, tolerance(0.02), window(2)) interval(5)
    for (int step = 0; step < 100; step++) {
        long own = 0;
        for (int i = 0; i < count; i++)
            own += x[i] = x[i] / 2 + step;
        MPI_Allreduce(&own, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("result %ld\n", sum);
    free(x);
    MPI_Finalize();
    return 0;
}
