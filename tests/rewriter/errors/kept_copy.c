/* A copy with ghost rows, which the loop does not use, and what follows it compares. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 120
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * N / size, count = (rank + 1) * N / size - first;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double *u = calloc(count + 2, sizeof *u), *v = calloc(count + 2, sizeof *v), most = 0, all;
    double *old = malloc((count + 2) * sizeof *old);
    for (int i = 1; i <= count; i++)
        u[i] = (first + i) * 7 % 13;
    memcpy(old, u, (count + 2) * sizeof *u);
#pragma xmpi loop divisible
    for (int t = 0; t < 20; t++) {
        MPI_Sendrecv(u + 1, 1, MPI_DOUBLE, left, 1, u + count + 1, 1, MPI_DOUBLE, right, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + count, 1, MPI_DOUBLE, right, 2, u, 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]);
        double *w = u;
        u = v;
        v = w;
    }
    for (int i = 1; i <= count; i++)
        most = u[i] - old[i] > most ? u[i] - old[i] : most;
    MPI_Allreduce(&most, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
