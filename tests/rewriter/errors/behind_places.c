/* The place in the block of a row that a loop over own rows has chosen, which is set behind it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
struct found {
    int at;
};
int main(int argc, char **argv)
{
    int rank, size, n = 480;
    struct found far = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = malloc(sizeof(double) * (size_t)count), sum = 0, all;
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
#pragma xmpi loop divisible
    for (int k = 0; k < 40; k++)
        for (int i = 0; i < count; i++)
            u[i] = .9 * u[i] + 1;
    for (int i = 0; i < count; i++)
        if (u[i] > 9)
            far.at = i;
    u[far.at] = 7;
    for (int i = 0; i < count; i++)
        sum += u[i] * (displ + i);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    MPI_Finalize();
    return 0;
}
