/* A file of rank 0 that a choice opens, not an if. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, rows = (rank + 1) * n / size - first;
    double *u = malloc((size_t)rows * sizeof *u), all = 0;
    for (int i = 0; i < rows; i++)
        u[i] = first + i;
    FILE *series = rank == 0 ? tmpfile() : NULL;
#pragma xmpi loop
    for (int k = 0; k < 40; k++) {
        double sum = 0;
        for (int i = 0; i < rows; i++)
            sum += u[i] = .5 * u[i] + k;
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0)
            fprintf(series, "%d %g\n", k, all);
    }
    if (series) {
        printf("result %.10g, %d written\n", all, ftell(series) > 0);
        fclose(series);
    }
    free(u);
    MPI_Finalize();
    return 0;
}
