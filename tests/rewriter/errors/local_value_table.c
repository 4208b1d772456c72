#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 48;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *counts = malloc((size_t)size * sizeof *counts), *displs = malloc((size_t)size * sizeof *displs);
    for (int r = 0; r < size; r++) {
        displs[r] = r * n / size;
        counts[r] = (r + 1) * n / size - displs[r];
    }
    double *u = malloc(sizeof(double) * (size_t)counts[rank]);
    for (int i = 0; i < counts[rank]; i++)
        u[i] = (displs[rank] + i) % 7;
#pragma xmpi loop
    for (int k = 0; k < 40; k++)
        for (int g = displs[rank]; g < displs[rank] + counts[rank]; g++)
            u[g - displs[rank]] = .9 * u[g - displs[rank]] + ((g - displs[rank] + k) & 1);
    double own = 0, all;
    for (int i = 0; i < counts[rank]; i++)
        own += u[i] * (displs[rank] + i);
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    MPI_Finalize();
    return 0;
}
