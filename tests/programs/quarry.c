/* Blocks of a quarry: rank 0 knows how many rows and columns there are, and one function tells the
 * others, divides the rows, makes those of the rank and gives them their first values. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rows, columns, count, first;
static double *stone;

static void open_quarry(int argc)
{
    int rank, size;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        rows = 37 + argc;
        columns = 6;
    }
    MPI_Bcast(&rows, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&columns, 1, MPI_INT, 0, MPI_COMM_WORLD);
    first = rows * rank / size;
    count = rows * (rank + 1) / size - first;
    stone = malloc((size_t)(count * columns) * sizeof *stone);
    for (int i = 0; i < count * columns; i++)
        stone[i] = first * columns + i;
}

int main(int argc, char **argv)
{
    int rank;
    double largest = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    open_quarry(argc);
#pragma xmpi loop
    for (int day = 0; day < 30; day++) {
        largest = 0;
        for (int i = 0; i < count * columns; i++) {
            stone[i] = 0.75 * stone[i] + 1;
            largest = stone[i] > largest ? stone[i] : largest;
        }
        MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("largest %.12g of %d by %d\n", largest, rows, columns);
    free(stone);
    MPI_Finalize();
    return 0;
}
