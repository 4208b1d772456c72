/* A norm over the processes of every second rank, in the rows of all. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static double norm(const double *x, int rows, MPI_Comm among)
{
    double s = 0, all = 0;
    for (int i = 0; i < rows; i++)
        s += x[i] * x[i];
    MPI_Allreduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, among);
    return all;
}
int main(int argc, char **argv)
{
    int rank, size, n = 300;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc(count, sizeof *u), sum = 0, all;
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
#pragma xmpi loop divisible
    for (int k = 0; k < 50; k++) {
        double s = norm(u, count, half);
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 1e-3 * s;
    }
    for (int i = 0; i < count; i++)
        sum += u[i] * (displ + i);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.13g\n", all);
    MPI_Finalize();
    return 0;
}
