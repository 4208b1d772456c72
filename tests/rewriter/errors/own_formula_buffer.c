/* A buffer for the rows that the formula gives a rank at most. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define N 100
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int chunk = (N + size - 1) / size;
    int lo = rank * chunk < N ? rank * chunk : N;
    int hi = lo + chunk < N ? lo + chunk : N;
    double *buf = malloc(chunk * sizeof *buf);
    double sum = 0;
#pragma xmpi loop
    for (int t = 0; t < 30; t++) {
        double own = 0, all;
        for (int i = lo; i < hi; i++)
            buf[i - lo] = i * 0.5 + t;
        for (int i = lo; i < hi; i++)
            own += buf[i - lo];
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sum += all;
    }
    if (rank == 0)
        printf("%g\n", sum);
    free(buf);
    MPI_Finalize();
    return 0;
}
