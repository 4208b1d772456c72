/* Heat equation: the first own cell is how many the processes before have, which MPI_Exscan leaves
 * open on rank 0. What is put out is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 60, first = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size);
    MPI_Exscan(&count, &first, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        first = 0;
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double *u = calloc((size_t)count + 2, sizeof *u), *v = calloc((size_t)count + 2, sizeof *v);
    for (int i = 1; i <= count; i++)
        u[i] = (first + i) % 7;
#pragma xmpi loop
    for (int t = 1; t <= 20; t++) {
        MPI_Sendrecv(u + 1, 1, MPI_DOUBLE, up, 0, u + count + 1, 1, MPI_DOUBLE, down, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + count, 1, MPI_DOUBLE, down, 1, u, 1, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            v[i] = u[i] + 0.3 * (u[i - 1] - 2 * u[i] + u[i + 1]);
        double *w = u;
        u = v;
        v = w;
    }
    double own = 0, all;
    for (int i = 1; i <= count; i++)
        own += u[i] * (first + i);
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.10g\n", all);
    MPI_Finalize();
    return 0;
}
