/* Neighbours as most programs find them: nobody, but where there is one. The values at the ends of the field, too. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 180;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    int left = MPI_PROC_NULL, right = MPI_PROC_NULL;
    if (rank > 0)
        left = rank - 1;
    if (rank + 1 < size)
        right = rank + 1;
    double edge = 0;
    if (first == 0)
        edge = 8;
    double *u = calloc((size_t)count + 2, sizeof *u), *next = calloc((size_t)count + 2, sizeof *next);
    for (int i = 1; i <= count; i++)
        u[i] = (first + i) % 5;
#pragma xmpi loop
    for (int k = 0; k < 50; k++) {
        MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 0, &u[count + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[count], 1, MPI_DOUBLE, right, 1, &u[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        if (left == MPI_PROC_NULL)
            u[0] = edge;
        if (right == MPI_PROC_NULL)
            u[count + 1] = 0;
        for (int i = 1; i <= count; i++)
            next[i] = 0.25 * (u[i - 1] + 2 * u[i] + u[i + 1]);
        double *swap = u;
        u = next;
        next = swap;
    }
    double own = 0, all;
    for (int i = 1; i <= count; i++)
        own += u[i] * (first + i);
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.10g\n", all);
    free(u);
    free(next);
    MPI_Finalize();
    return 0;
}
