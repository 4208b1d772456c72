#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = malloc((size_t)count * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = displ + i;
    MPI_Request open[2];
    double there = 0;
    MPI_Irecv(&there, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, &open[0]);
    MPI_Isend(&u[0], 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, &open[1]);
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + k;
    MPI_Waitall(2, open, MPI_STATUSES_IGNORE);
    free(u);
    MPI_Finalize();
    return 0;
}
