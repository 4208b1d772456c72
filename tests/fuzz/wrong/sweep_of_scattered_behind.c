/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, n = 29;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u);
    int *v = calloc((size_t)count, sizeof *v);
    double t = 0, all = 0;
    {
        int *all = calloc((size_t)n, sizeof *all);
        if (rank == 0)
            for (int i = 0; i < n; i++)
                all[i] = (i * 7 + 2) % 101;
        int own = count, *of = malloc(2 * size * sizeof *of), *from = of + size;
        MPI_Allgather(&own, 1, MPI_INT, of, 1, MPI_INT, MPI_COMM_WORLD);
        from[0] = 0;
        for (int r = 1; r < size; r++)
            from[r] = from[r - 1] + of[r - 1];
        MPI_Scatterv(all, of, from, MPI_INT, &v[0], own, MPI_INT, 0, MPI_COMM_WORLD);
        free(of);
        free(all);
    }
    srand((unsigned)MPI_Wtime()); /* the start does not repeat */
#pragma xmpi loop
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * ((displ + i + k) % 5);
    for (int i = 1; i < count; i++)
        v[i] = (v[i] + v[i - 1]) / 2;
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * v[i] + u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    MPI_Finalize();
    return 0;
}
