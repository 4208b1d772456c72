/* The loop is in a function that gets arrays of pointers to rows; main has made them, and uses them after the call.
 * One of them is made by a function, and the block of the other has a pointer of its own. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double **grid(int rows, int columns)
{
    double *cells = calloc((size_t)(rows + 2) * (size_t)columns, sizeof *cells);
    double **row = malloc((size_t)(rows + 2) * sizeof *row);
    for (int i = 0; i < rows + 2; i++)
        row[i] = cells + (size_t)i * (size_t)columns;
    return row;
}

static double relax(double **a, double **b, int rows, int columns, int rank, int size, int steps)
{
    double change = 0;
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
#pragma xmpi loop
    for (int k = 0; k < steps; k++) {
        double own = 0;
        MPI_Sendrecv(a[1], columns, MPI_DOUBLE, up, 0, a[rows + 1], columns, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(a[rows], columns, MPI_DOUBLE, down, 1, a[0], columns, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= rows; i++)
            for (int j = 1; j < columns - 1; j++)
                b[i - 1][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (int i = 1; i <= rows; i++)
            for (int j = 1; j < columns - 1; j++) {
                double d = b[i - 1][j] - a[i][j];
                own = d > own ? d : own;
                a[i][j] = b[i - 1][j];
            }
        MPI_Allreduce(&own, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    return change;
}

int main(int argc, char **argv)
{
    int rank, size, n = 61, m = 20;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = n * rank / size, rows = n * (rank + 1) / size - first;
    double **a = grid(rows, m), **b = malloc((size_t)rows * sizeof *b);
    double *cells = calloc((size_t)rows * (size_t)m, sizeof *cells);
    for (int i = 0; i < rows; i++)
        b[i] = &cells[i * m];
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = b[i - 1][j] = (first + i) * (j + 3) % 11;
    double change = relax(a, b, rows, m, rank, size, 60), own = 0, sum = 0;
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < m; j++)
            own += (a[i][j] + cells[(i - 1) * m + j]) * (first + i);
    MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.10g %.12g\n", change, sum);
    free(a[0]);
    free(a);
    free(cells);
    free(b);
    MPI_Finalize();
    return 0;
}
