/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;
static void add(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    printf("added\n");
    for (int i = 0; i < *len; i++)
        ((double *)inout)[i] += ((double *)in)[i];
}

int main(int argc, char **argv)
{
    int rank, size, n = 41;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL,
        right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double t = 0, all = 0;
    double *u = calloc((size_t)count + 2, sizeof *u), *v = calloc((size_t)count + 2, sizeof *v);
    for (int i = 0; i < count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
    MPI_Op op;
    MPI_Op_create(add, 1, &op);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        double s = 0, z;
        for (int i = 0; i < count; i++)
            s += u[i];
        MPI_Allreduce(&s, &z, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            u[i] = 0.5 * u[i] + 0.001 * z;
    }
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
