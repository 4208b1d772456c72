#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double take(const double *u, int row)
{
    return u[row];
}

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size;
    int count = (rank + 1) * n / size - first;
    double *u = malloc((size_t)count * sizeof *u);
    int *order = malloc((size_t)count * sizeof *order);
    for (int i = 0; i < count; i++) {
        u[i] = first + i;
        order[i] = i;
    }
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int j = 1; j < count; j++) {
            if (take(u, order[j]) < take(u, order[j - 1])) {
                int other = order[j];
                order[j] = order[j - 1];
                order[j - 1] = other;
            }
            u[j] += 1;
        }
    printf("%g\n", u[0]);
    MPI_Finalize();
    return 0;
}
