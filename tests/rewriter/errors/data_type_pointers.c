#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size, displ = rank * count;
    double *u = malloc((size_t)count * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
    double **all = malloc(3 * sizeof *all);
    for (int j = 0; j < 3; j++) {
        all[j] = malloc((size_t)n * sizeof **all);
        for (int i = 0; i < n; i++)
            all[j][i] = j + i % 5;
    }
#pragma xmpi data replicated(all[3])
#pragma xmpi loop
    for (int k = 0; k < 12; k++) {
        for (int i = 0; i < count; i++)
            u[i] = .9 * u[i] + k;
        for (int i = 0; i < n; i++)
            all[1][i] += k;
        for (int i = 0; i < count; i++)
            u[i] += all[1][displ + i] * .01;
    }
    double last = 0, result = 0;
    for (int i = 0; i < count; i++)
        last += u[i] * (displ + i);
    MPI_Reduce(&last, &result, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.9g\n", result);
    MPI_Finalize();
    return 0;
}
