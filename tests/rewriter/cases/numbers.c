/* The first process makes a number for each, scatters them and frees the list: setup, in which the pointer begins with
 * nothing each time. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 150, weight, *weights = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u = malloc((size_t)count * sizeof *u), sum = 0;
    for (int i = 0; i < count; i++)
        u[i] = (first + i) % 7;
    if (rank == 0) {
        weights = malloc((size_t)size * sizeof *weights);
        for (int p = 0; p < size; p++)
            weights[p] = 2 + 3 * p;
    }
    MPI_Scatter(weights, 1, MPI_INT, &weight, 1, MPI_INT, 0, MPI_COMM_WORLD);
    free(weights);
#pragma xmpi loop
    for (int k = 0; k < 40; k++) {
        double own = 0;
        for (int i = 0; i < count; i++) {
            u[i] += 1;
            own += u[i] + (weight != 2 + 3 * rank);
        }
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("result %.15g\n", sum);
    free(u);
    MPI_Finalize();
    return 0;
}
