/* The statement that divides the rows asks for the rank, which all processes do, and communicates. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static int rank, size, n, count, first;
static void divide(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        n = 100;
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    first = n * rank / size;
    count = n * (rank + 1) / size - first;
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
#pragma xmpi domain(n) range(count, first)
    divide();
    double *u = malloc(count * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = first + i;
#pragma xmpi data distributed(u[n])
#pragma xmpi loop
    for (int k = 0; k < 50; k++)
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 1;
    if (rank == 0)
        printf("%.6f\n", u[0]);
    free(u);
    MPI_Finalize();
    return 0;
}
