/* A norm over the processes of a communicator that is the world at first, and a part of it later. */
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
    MPI_Comm among = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc(count, sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
    double first = norm(u, count, among);
    if (argc > 1)
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &among);
    double sum = first + norm(u, count, among);
#pragma xmpi loop divisible
    for (int k = 0; k < 50; k++) {
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 1e-9 * sum;
        sum = 0.5 * sum + norm(u, count, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%.6f\n", sum);
    free(u);
    MPI_Finalize();
    return 0;
}
