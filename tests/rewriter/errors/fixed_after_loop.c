#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define ROWS 24
#define MOST 28

static void iterate(int rank, int size, int n, int lo, int hi, double *u, double x[MOST][2])
{
#pragma xmpi loop
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < hi - lo; i++)
            u[i] = 0.9 * u[i] + 0.1 * (lo + i);
    double t = 0, all;
    for (int i = 0; i < hi - lo; i++)
        t += (1 + (lo + i) % 5) * (u[i] + x[i][0]);
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
}

int main(int argc, char **argv)
{
    int rank, size, n = ROWS, lo, hi;
    double *u, x[MOST][2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    lo = rank * n / size;
    hi = (rank + 1) * n / size;
    u = calloc((size_t)(hi - lo), sizeof *u);
    memset(x, 0, sizeof x);
    {
        double *all = calloc((size_t)n * 2, sizeof *all);
        if (rank == 0)
            for (int i = 0; i < n * 2; i++)
                all[i] = 1 + i % 7;
        MPI_Bcast(all, n * 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        memcpy(&x[0][0], all + lo * 2, (size_t)(hi - lo) * 2 * sizeof *all);
        free(all);
    }
    iterate(rank, size, n, lo, hi, u, x);
    free(u);
    MPI_Finalize();
    return 0;
}
