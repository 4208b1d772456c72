#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static void set(int o, int *w) { *w = 1; if (o > 500) *w = 2; }
int main(int argc, char **argv)
{
    int rank, size, n = 48, order = argc > 1 ? atoi(argv[1]) : 600;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    int before = rank > 0 ? rank - 1 : MPI_PROC_NULL, after = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    double t = 0, all = 0;
    int w; set(order, &w);
    double *u = calloc((size_t)(count + 2 * w), sizeof *u);
    double *v = calloc((size_t)(count + 2 * w), sizeof *v);
    for (int i = w; i < count + w; i++)
        u[i] = 1 + 0.1 * ((displ + i - w) % 7);
#pragma xmpi loop
    for (int k = 0; k < 40; k++) {
        MPI_Sendrecv(u + w, w, MPI_DOUBLE, before, 1, u + count + w, w, MPI_DOUBLE, after, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + count, w, MPI_DOUBLE, after, 2, u, w, MPI_DOUBLE, before, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = w; i < count + w; i++)
            v[i] = 0.5 * u[i] + 0.2 * (u[i - w] + u[i + w]);
        for (int i = w; i < count + w; i++)
            u[i] = v[i];
    }
    for (int i = w; i < count + w; i++)
        t += (1 + (displ + i - w) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
