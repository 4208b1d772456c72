/* What is put out of the rows: some by their places in blocks, which is said, and what blocks come to. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u), sum = 0, all = 0, squares = 0;
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
#pragma xmpi loop
    for (int k = 0; k < 30; k++)
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * (displ + i);
    for (int i = 0; i < count; i += 5)
        printf("sample %g\n", u[i]);
    printf("rank %d of %d: rows from %d, %g to %g\n", rank, size, displ, u[0], u[count - 1]);
    for (int i = 0; i < count; i++)
        sum += u[i];
    printf("rank %d: mean %g\n", rank, sum / count);
    double square = sum * sum;
    MPI_Reduce(&square, &squares, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("squares %g\n", squares);
    double edge = u[0], edges = 0;
    MPI_Reduce(&edge, &edges, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("first rows %g\n", edges);
    for (int r = 0; r < size; r++) {
        if (r == rank)
            for (int i = 0; i < count; i++)
                if ((displ + i) % 10 == 0)
                    printf("row %d: %g\n", displ + i, u[i]);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("first %g\nresult %.12g\n", u[0], all);
    free(u);
    MPI_Finalize();
    return 0;
}
