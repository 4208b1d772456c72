/* Setup takes something from a number that a statement behind it changes, which is not run again.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, n = 48, off = 4;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double sum = 0, all = 0, *u = calloc((size_t)count, sizeof *u);
    int base = first + off;
    off = 2;
#pragma xmpi loop divisible
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < count; i++)
            u[i] = .9 * u[i] + .01 * ((base + i) % 4);
    for (int i = 0; i < count; i++)
        sum += u[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g %d\n", all, off);
    MPI_Finalize();
    return 0;
}
