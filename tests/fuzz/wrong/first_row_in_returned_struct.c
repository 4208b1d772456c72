/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
enum { STEPS = 14 };
struct cell {
    double x;
    int tag;
};
static struct cell first(const struct cell *u)
{
    return u[0];
}

int main(int argc, char **argv)
{
    int rank, size, n = 41;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double t = 0, all = 0;
    struct cell *u = malloc(sizeof *u * (size_t)count);
    for (int i = 0; i < count; i++) {
        u[i].x = 1 + 0.1 * ((displ + i) % 7);
        u[i].tag = (displ + i) % 9;
    }
#pragma xmpi loop
    for (int k = 0; k < STEPS; k++) {
        for (int i = 0; i < count; i++) {
            u[i].x = 0.9 * u[i].x + 0.01 * ((displ + i + k) % 5);
            u[i].tag = (5 * u[i].tag + k) % 11;
        }
        struct cell c = first(u);
        for (int i = 0; i < count; i++)
            u[i].x += 0.01 * c.x;
    }
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * (u[i].x + u[i].tag);
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
