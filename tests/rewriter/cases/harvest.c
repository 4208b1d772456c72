/* One loop of the prologue fills the matrix, the right side and the first guess: the loop goes on with the guess, so
 * the matrix moves with it. A second matrix, of another loop, is made again, with the number of its entries. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIELDS = 70 };

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = FIELDS * rank / size, rows = FIELDS * (rank + 1) / size - first;
    int *counts = malloc((size_t)size * sizeof *counts), *firsts = malloc((size_t)size * sizeof *firsts);
    MPI_Allgather(&rows, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&first, 1, MPI_INT, firsts, 1, MPI_INT, MPI_COMM_WORLD);
    double *x = malloc((size_t)rows * sizeof *x), *b = malloc((size_t)rows * sizeof *b);
    double *all = malloc(FIELDS * sizeof *all);
    int *start = malloc(((size_t)rows + 1) * sizeof *start), *column = malloc(3 * (size_t)rows * sizeof *column);
    double *value = malloc(3 * (size_t)rows * sizeof *value);
    int entries = 0;
    start[0] = 0;
    for (int i = 0; i < rows; i++) {
        int g = first + i;
        if (g > 0) {
            column[entries] = g - 1;
            value[entries++] = -0.25;
        }
        column[entries] = g;
        value[entries++] = 0.5;
        if (g < FIELDS - 1) {
            column[entries] = g + 1;
            value[entries++] = 0.125;
        }
        start[i + 1] = entries;
        b[i] = 1 + g % 4;
        x[i] = g % 3;
    }
    int *from = malloc(((size_t)rows + 1) * sizeof *from), *partner = malloc(4 * (size_t)rows * sizeof *partner);
    int *degree = malloc((size_t)rows * sizeof *degree), links = 0, odd = 0;
    from[0] = 0;
    for (int i = 0; i < rows; i++) {
        degree[i] = (first + i) % 5;
        for (int k = 0; k < degree[i]; k++)
            partner[links++] = (7 * (first + i) + 11 * k) % FIELDS;
        from[i + 1] = links;
        if ((first + i) % 2 == 1)
            odd++;
    }
    double harvest = 0;
#pragma xmpi loop
    for (int year = 0; year < 20; year++) {
        double own = 0.001 * odd;
        MPI_Allgatherv(x, rows, MPI_DOUBLE, all, counts, firsts, MPI_DOUBLE, MPI_COMM_WORLD);
        for (int i = 0; i < rows; i++) {
            double sum = b[i];
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * all[column[k]];
            for (int k = from[i]; k < from[i + 1]; k++)
                sum += 0.0625 * all[partner[k]] / degree[i];
            x[i] = sum / 2;
            own += x[i] > 2;
        }
        for (int k = 0; k < links; k++)
            own += partner[k] % 3 == 0;
        double sum;
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        harvest += sum;
    }
    MPI_Allgatherv(x, rows, MPI_DOUBLE, all, counts, firsts, MPI_DOUBLE, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.6f %.15g %.15g\n", harvest, all[0], all[FIELDS / 2]);
    free(x);
    free(b);
    free(all);
    free(start);
    free(column);
    free(value);
    free(from);
    free(partner);
    free(degree);
    free(counts);
    free(firsts);
    MPI_Finalize();
    return 0;
}
