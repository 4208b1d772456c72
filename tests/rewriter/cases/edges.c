/* A rod whose ends are held at temperatures: what a rank has at its ends follows from conditions. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void look(int rank, int size, int *left, int *right)
{
    if (rank > 0)
        *left = rank - 1;
    if (rank + 1 < size)
        *right = rank + 1;
}

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    int left = MPI_PROC_NULL, right = MPI_PROC_NULL;
    look(rank, size, &left, &right);
    int messages = 0;
    messages += left != MPI_PROC_NULL ? 2 : 0;
    messages += right != MPI_PROC_NULL ? 2 : 0;
    double heat = 0;
    if (rank == 0)
        heat = 100;
    else if (rank == size - 1)
        heat = 50;
    double *u = calloc((size_t)count + 2, sizeof *u), *next = calloc((size_t)count + 2, sizeof *u);
    int wrong = 0;
#pragma xmpi loop
    for (int k = 0; k < 50; k++) {
        u[0] = heat;
        u[count + 1] = size == 1 ? 50 : heat;
        MPI_Sendrecv(u + 1, 1, MPI_DOUBLE, left, 0, u + count + 1, 1, MPI_DOUBLE, right, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + count, 1, MPI_DOUBLE, right, 1, u, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            next[i] = (u[i - 1] + u[i] + u[i + 1]) / 3;
        double *other = u;
        u = next;
        next = other;
        int bad = messages != (rank > 0 ? 2 : 0) + (rank + 1 < size ? 2 : 0), all;
        MPI_Allreduce(&bad, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        wrong += all;
    }
    double own = 0, sum = 0;
    for (int i = 1; i <= count; i++)
        own += u[i] * (first + i);
    MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.9g, wrong %d\n", sum, wrong);
    free(u);
    free(next);
    MPI_Finalize();
    return 0;
}
