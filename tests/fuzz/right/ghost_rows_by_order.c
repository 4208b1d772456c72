/* SPDX-License-Identifier: BSD-3-Clause
 * How many ghost rows there are follows an input. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, size, n = 60, order = 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        order = atoi(argv[1]);
    int w = order > 3 ? 2 : 1;
    int lo = (long)n * rank / size, hi = (long)n * (rank + 1) / size, cnt = hi - lo,
        prev = (rank + size - 1) % size, next = (rank + 1) % size;
    double *u = calloc(cnt + 2 * w, sizeof *u), *v = calloc(cnt + 2 * w, sizeof *v);
    for (int i = 0; i < cnt; i++)
        u[i + w] = (lo + i) % 7;
#pragma xmpi loop
    for (int s = 0; s < 30; s++) {
        MPI_Sendrecv(u + cnt, w, MPI_DOUBLE, next, 0, u, w, MPI_DOUBLE, prev, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + w, w, MPI_DOUBLE, prev, 1, u + cnt + w, w, MPI_DOUBLE, next, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = w; i < cnt + w; i++) {
            double a = 0;
            for (int k = 1; k <= w; k++)
                a += (u[i - k] + u[i + k] - 2 * u[i]) / (k * k);
            v[i] = u[i] + 0.1 * a;
        }
        double *t = u;
        u = v;
        v = t;
    }
    double a = 0, M;
    for (int i = 0; i < cnt; i++)
        a += u[i + w] * (lo + i);
    MPI_Reduce(&a, &M, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.8f\n", M);
    MPI_Finalize();
    return 0;
}
