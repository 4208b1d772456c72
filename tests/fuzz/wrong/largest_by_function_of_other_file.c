/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef OTHER_FILE
double norm(const double *u, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        if (u[i] > s)
            s = u[i];
    return s;
}
#else
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double norm(const double *u, int n);
int main(int argc, char **argv)
{
    int rank, size, n = 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u = malloc((count + 2) * sizeof *u), *v = malloc((count + 2) * sizeof *v);
    for (int i = 0; i < count + 2; i++)
        u[i] = v[i] = (first + i) % 7;
    int up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    double total = 0;
#pragma xmpi loop
    for (int step = 0; step < 30; step++) {
        MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, down, 0, &u[count + 1], 1, MPI_DOUBLE, up, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[count], 1, MPI_DOUBLE, up, 1, &u[0], 1, MPI_DOUBLE, down, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        double s = 0, all;
        for (int i = 1; i <= count; i++) {
            v[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1];
            s += v[i];
        }
        MPI_Allreduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        total += all;
        double b = norm(v + 1, count), bs;
        MPI_Allreduce(&b, &bs, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        total += bs;
        double *t = u;
        u = v;
        v = t;
    }
    double mine = 0, sum;
    for (int i = 1; i <= count; i++)
        mine += u[i];
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.6f %.6f\n", sum, total);
    free(u);
    free(v);
    MPI_Finalize();
    return 0;
}
#endif
