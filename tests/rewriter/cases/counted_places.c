/* An integer that counts places of numbers is what all goes by where it is handed back, and of no
 * account where it is not: the one has to be known before the loop. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int count(int first, int end)
{
    double last[4];
    int k = 0;
    for (int i = first; i < end; i++)
        last[k++ % 4] = i;
    (void)last;
    return k;
}

static void fill(double *field, int rows)
{
    double buffer[2];
    int k = 0;
    for (int i = 0; i < rows; i++) {
        buffer[k++ % 2] = 0.5;
        field[i] = buffer[i % 2];
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = 48;
    int first = rank * n / size;
    int rows = count(first, (rank + 1) * n / size);
    double *field = malloc(sizeof(double) * (size_t)rows), sum = 0, all;
    fill(field, rows);
#pragma xmpi loop
    for (int step = 0; step < 10; step++)
        for (int i = 0; i < rows; i++)
            field[i] = 0.5 * field[i] + 1;
    for (int i = 0; i < rows; i++)
        sum += field[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.12f\n", all);
    free(field);
    MPI_Finalize();
    return 0;
}
