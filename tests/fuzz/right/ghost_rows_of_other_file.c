/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef OTHER_FILE
#include <mpi.h>
void exchange(double *u, int n, MPI_Comm comm)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&u[n], 1, MPI_DOUBLE, right, 0, &u[0], 1, MPI_DOUBLE, left, 0, comm,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 1, &u[n + 1], 1, MPI_DOUBLE, right, 1, comm,
                 MPI_STATUS_IGNORE);
}
void advance(const double *u, double *v, int n)
{
    for (int i = 1; i <= n; i++)
        v[i] = (u[i - 1] + u[i] + u[i + 1]) / 3;
}
#else
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define STEPS 12
void exchange(double *u, int n, MPI_Comm comm);
void advance(const double *u, double *v, int n);
int main(int argc, char **argv)
{
    int rank, size, n = 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = n * rank / size, count = n * (rank + 1) / size - first;
    double *u = calloc(count + 2, sizeof *u), *v = calloc(count + 2, sizeof *v);
    for (int i = 1; i <= count; i++)
        u[i] = (first + i) % 5;
#pragma xmpi data halo(u[n]: 1) halo(v[n]: 1)
#pragma xmpi loop
    for (int k = 0; k < STEPS; k++) {
        exchange(u, count, MPI_COMM_WORLD);
        advance(u, v, count);
        double *swapped = u;
        u = v;
        v = swapped;
    }
    double own = 0, all;
    for (int i = 1; i <= count; i++)
        own += u[i] * (first + i);
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %.9g\n", all);
    free(u);
    free(v);
    MPI_Finalize();
    return 0;
}
#endif
