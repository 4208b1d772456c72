/* Steepest descent for a sparse system. A function of the file assembles the rows that it is told, and returns the
 * matrix in a struct, with their number: after a reconfiguration it assembles the rows that the process then has. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int rows;
    int *start, *column;
    double *value;
} matrix;

static matrix assemble(int first, int rows, int side)
{
    matrix a;
    int n = side * side, k = 0;
    a.rows = rows;
    a.start = malloc(((size_t)rows + 1) * sizeof *a.start);
    a.column = malloc(5 * (size_t)rows * sizeof *a.column);
    a.value = malloc(5 * (size_t)rows * sizeof *a.value);
    a.start[0] = 0;
    for (int i = 0; i < rows; i++) {
        int g = first + i, near[] = {g - side, g - 1, g + 1, g + side};
        for (int j = 0; j < 4; j++)
            if (near[j] >= 0 && near[j] < n && (j == 0 || j == 3 || near[j] / side == g / side)) {
                a.column[k] = near[j];
                a.value[k++] = -1;
            }
        a.column[k] = g;
        a.value[k++] = 8;
        a.start[i + 1] = k;
    }
    return a;
}

static void multiply(const matrix *a, const double *x, double *y)
{
    for (int i = 0; i < a->rows; i++) {
        y[i] = 0;
        for (int k = a->start[i]; k < a->start[i + 1]; k++)
            y[i] += a->value[k] * x[a->column[k]];
    }
}

int main(int argc, char **argv)
{
    int rank, size, side = 8;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = side * side, rows = n / size + (rank < n % size);
    int first = rank * (n / size) + (rank < n % size ? rank : n % size);
    int *counts = malloc((size_t)size * sizeof *counts), *firsts = malloc((size_t)size * sizeof *firsts);
    MPI_Allgather(&rows, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    firsts[0] = 0;
    for (int r = 1; r < size; r++)
        firsts[r] = firsts[r - 1] + counts[r - 1];
    matrix a = assemble(first, rows, side);
    double *x = malloc((size_t)n * sizeof *x), *own = malloc((size_t)rows * sizeof *own);
    for (int i = 0; i < n; i++)
        x[i] = 0;
#pragma xmpi loop
    for (int k = 0; k < 25; k++) {
        multiply(&a, x, own);
        for (int i = 0; i < rows; i++)
            own[i] = x[first + i] + 0.125 * (1 + (first + i) % 3 - own[i]);
        MPI_Allgatherv(own, rows, MPI_DOUBLE, x, counts, firsts, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("result %.15g %.15g\n", x[0], x[n / 2]);
    free(a.start);
    free(a.column);
    free(a.value);
    free(x);
    free(own);
    free(counts);
    free(firsts);
    MPI_Finalize();
    return 0;
}
