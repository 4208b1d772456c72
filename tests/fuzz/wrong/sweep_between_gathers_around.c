/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void print_all(const double *u, int count, int rank, int size, int n)
{
    int *of = malloc(2 * size * sizeof *of), *from = of + size;
    double *all = malloc(n * sizeof *all), t = 0;
    MPI_Gather(&count, 1, MPI_INT, of, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        from[r] = r == 0 ? 0 : from[r - 1] + of[r - 1];
    MPI_Gatherv(&u[1], count, MPI_DOUBLE, all, of, from, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < n && rank == 0; i++)
        t += (1 + i % 5) * all[i];
    if (rank == 0)
        printf("%.10g\n", t);
    free(all);
    free(of);
}

int main(int argc, char **argv)
{
    int rank, size, n = 29;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double *u = calloc((size_t)count + 2, sizeof *u);
    double *v = calloc((size_t)count + 2, sizeof *v);
    for (int i = 1; i <= count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
    for (int step = 0; step < 4; step++) {
#pragma xmpi loop
        for (int k = 0; k < 10; k++) {
            MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 0, &u[count + 1], 1, MPI_DOUBLE, right, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Sendrecv(&u[count], 1, MPI_DOUBLE, right, 1, &u[0], 1, MPI_DOUBLE, left, 1,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int i = 1; i <= count; i++)
                v[i] = 0.4 * u[i] + 0.3 * (u[i - 1] + u[i + 1]);
            for (int i = 1; i <= count; i++)
                u[i] = v[i] + 0.01 * ((displ + i + k) % 3);
        }
        print_all(u, count, rank, size, n);
        for (int i = 1; i <= count; i++)
            u[i] = 0.5 * (u[i] + u[i - 1]);
    }
    print_all(u, count, rank, size, n);
    MPI_Finalize();
    return 0;
}
