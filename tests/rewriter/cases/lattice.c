/* Sand falls over on a lattice: rows reached through pointers, which a function makes, with a row of
 * the neighbours' on either side; the two lattices change places. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 12 };

static int **lattice(int rows, int columns)
{
    int **row = malloc((size_t)rows * sizeof *row);
    int *cells = calloc((size_t)rows * (size_t)columns, sizeof *cells);
    for (int i = 0; i < rows; i++)
        row[i] = cells + i * columns;
    return row;
}

static void exchange(int **sand, int rows, int above, int below)
{
    MPI_Sendrecv(sand[1], WIDTH, MPI_INT, above, 0, sand[rows + 1], WIDTH, MPI_INT, below, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(sand[rows], WIDTH, MPI_INT, below, 1, sand[0], WIDTH, MPI_INT, above, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int topple(int **from, int **to, int rows)
{
    int fallen = 0;
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < WIDTH; j++) {
            int in = (from[i - 1][j] > 3) + (from[i + 1][j] > 3);
            in += j > 0 ? from[i][j - 1] > 3 : 0;
            in += j + 1 < WIDTH ? from[i][j + 1] > 3 : 0;
            to[i][j] = from[i][j] + in - (from[i][j] > 3 ? 4 : 0);
            fallen += from[i][j] > 3;
        }
    return fallen;
}

int main(int argc, char **argv)
{
    int rank, size, n = 41, fallen, total = 1, rounds = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, rows = (rank + 1) * n / size - first;
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int below = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    int **sand = lattice(rows + 2, WIDTH), **next = lattice(rows + 2, WIDTH);
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < WIDTH; j++)
            sand[i][j] = (first + i) * (j + 3) % 11;
#pragma xmpi loop
    while (total > 0 && rounds < 60) {
        int **other = sand;
        exchange(sand, rows, above, below);
        fallen = topple(sand, next, rows);
        MPI_Allreduce(&fallen, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        sand = next;
        next = other;
        rounds++;
    }
    long own = 0, sum;
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < WIDTH; j++)
            own += sand[i][j] * (long)((first + i) * WIDTH + j);
    MPI_Reduce(&own, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %d %d %ld\n", rounds, total, sum);
    free(sand[0]);
    free(sand);
    free(next[0]);
    free(next);
    MPI_Finalize();
    return 0;
}
