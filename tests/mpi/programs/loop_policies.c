/* Two adaptive loops, of which the first has a policy of its own: POLICY(...). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 120;
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size);
    int displ = rank * (n / size) + (rank < n % size ? rank : n % size);
    double *x = malloc((size_t)(count + 1) * sizeof *x);
    for (int i = 0; i < count; i++)
        x[i] = displ + i;
#pragma xmpi loop POLICY interval(5)
    for (int step = 0; step < 20; step++) {
        double own = 0;
        for (int i = 0; i < count; i++)
            own += x[i] = x[i] / 2 + 1;
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
#pragma xmpi loop interval(5)
    for (int step = 0; step < 20; step++) {
        double own = 0;
        for (int i = 0; i < count; i++)
            own += x[i] = x[i] / 2 + 1;
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%.0f\n", sum);
    free(x);
    MPI_Finalize();
    return 0;
}
