/* What rank 0 puts out of rows that it has gathered: of rows by their numbers, which is said nothing of, and of what
 * each block has made of its own neighbours, which is. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 96;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = malloc(sizeof *u * (size_t)count);
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
#pragma xmpi loop
    for (int k = 0; k < 40; k++)
        for (int i = 0; i < count; i++)
            u[i] = .5 * u[i] + .01 * k * (displ + i);
    double *w = malloc(sizeof *w * (size_t)count), *all = malloc(sizeof *all * (size_t)n);
    int *counts = malloc(sizeof *counts * (size_t)size), *displs = malloc(sizeof *displs * (size_t)size);
    MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&displ, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
    w[0] = u[0];
    for (int i = 1; i < count; i++)
        w[i] = u[i] - u[i - 1];
    MPI_Gatherv(u, count, MPI_DOUBLE, all, counts, displs, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        for (int i = 0; i < n; i += 5)
            printf("%d %.9g\n", i, all[i]);
    double *steps = malloc(sizeof *steps * (size_t)n);
    MPI_Gatherv(w, count, MPI_DOUBLE, steps, counts, displs, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        for (int i = 0; i < n; i += 5)
            printf("%d %.9g\n", i, steps[i]);
    if (rank == 0)
        printf("result %.12g\n", all[n - 1]);
    free(u);
    MPI_Finalize();
    return 0;
}
