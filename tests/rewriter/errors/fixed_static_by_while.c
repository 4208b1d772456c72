#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define MOST 32

static int rank, size, n, lo, hi;
static double *u, y[MOST];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = 24;
    lo = rank * n / size;
    hi = (rank + 1) * n / size;
    u = calloc((size_t)(hi - lo), sizeof *u);
    memset(y, 0, sizeof y);
    {
        double *all = calloc((size_t)n, sizeof *all);
        if (rank == 0)
            for (int i = 0; i < n; i++)
                all[i] = 1 + i % 7;
        int own = hi - lo, *of = malloc(2 * size * sizeof *of), *from = of + size;
        MPI_Allgather(&own, 1, MPI_INT, of, 1, MPI_INT, MPI_COMM_WORLD);
        from[0] = 0;
        for (int r = 1; r < size; r++)
            from[r] = from[r - 1] + of[r - 1];
        MPI_Scatterv(all, of, from, MPI_DOUBLE, &y[0], own, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        free(of);
        free(all);
    }
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < hi - lo; i++)
            u[i] = 0.9 * u[i] + 0.1 * (lo + i);
        int next = 0;
        while (next < hi - lo) {
            int i = next++;
            y[i] = 0.9 * y[i] + 0.01 * ((lo + i) % 7);
        }
    }
    double t = 0, all;
    for (int i = 0; i < hi - lo; i++)
        t += (1 + (lo + i) % 5) * (u[i] + y[i]);
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    free(u);
    MPI_Finalize();
    return 0;
}
