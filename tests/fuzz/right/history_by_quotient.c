/* SPDX-License-Identifier: BSD-3-Clause
 * A history has as many values as one input goes into another. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static MPI_Comm comm;
static int rank, size, N = 40, n0, nl;
static double *T, *ser;
static int steps = 30, save = 10, ns;
static void run(void)
{
#pragma xmpi loop
    for (int s = 0; s < steps; s++) {
        double a = 0, m;
        for (int i = 0; i < nl; i++)
            a += T[i];
        MPI_Allreduce(&a, &m, 1, MPI_DOUBLE, MPI_SUM, comm);
        if (s % save == 0)
            ser[ns++] = m;
        for (int i = 0; i < nl; i++)
            T[i] += 0.1 * (m / N - T[i]) + 0.01 * (n0 + i);
    }
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    n0 = N * rank / size;
    nl = N * (rank + 1) / size - n0;
    T = calloc(nl, 8);
    for (int i = 0; i < nl; i++)
        T[i] = n0 + i;
    if (argc > 1)
        steps = atoi(argv[1]);
    if (argc > 2)
        save = atoi(argv[2]);
    ser = calloc(steps / save + 1, 8);
    run();
    for (int k = 0; k < ns; k++)
        if (!rank)
            printf("%.6f\n", ser[k]);
    double a = 0, m;
    for (int i = 0; i < nl; i++)
        a += T[i] * (n0 + i);
    MPI_Reduce(&a, &m, 1, MPI_DOUBLE, MPI_SUM, 0, comm);
    if (rank == 0)
        printf("%.8f\n", m);
    MPI_Finalize();
    return 0;
}
