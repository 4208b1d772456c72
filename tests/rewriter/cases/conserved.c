/* A norm before the loop, which the loop compares with, and an energy, which what follows compares with: functions
 * reduce them from the field. They are what the field was then, whoever joins. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double sum_of(const double *u, int count, int power)
{
    double own = 0, all;
    for (int i = 0; i < count; i++)
        own += power == 2 ? u[i] * u[i] : u[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    int rank, size, n = 240;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u = malloc((size_t)count * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = 1 + (first + i) % 8;
    double start = sqrt(sum_of(u, count, 2)), mass = sum_of(u, count, 1), norm = start;
    int steps = 0;
#pragma xmpi loop
    while (norm > 0.01 * start && steps < 400) {
        for (int i = 0; i < count; i++)
            u[i] *= 0.875 + 0.0078125 * ((first + i) % 4);
        norm = sqrt(sum_of(u, count, 2));
        steps++;
    }
    double left = sum_of(u, count, 1) / mass;
    if (rank == 0)
        printf("result %d %.6f\n", steps, left);
    free(u);
    MPI_Finalize();
    return 0;
}
