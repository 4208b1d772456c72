/* Gauss and Seidel with red and black points: the full grid everywhere, a sweep over the own rows
 * for each colour, until the change is small. Everything is global. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS 30
#define COLS 20
#define EPS 1e-3

double u[ROWS][COLS];
int my_first, my_last; /* inclusive */
int *row_counts, *row_displs;
int rank, nprocs;

double sweep(int colour)
{
    double change = 0.0;
    for (int i = my_first; i <= my_last; i++)
        for (int j = 1; j < COLS - 1; j++)
            if ((i + j) % 2 == colour && i > 0 && i < ROWS - 1) {
                double old = u[i][j];
                u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
                change = fmax(change, fabs(u[i][j] - old));
            }
    return change;
}

void share(void)
{
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, &u[0][0], row_counts, row_displs, MPI_DOUBLE,
                   MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
    my_first = rank * ROWS / nprocs;
    my_last = (rank + 1) * ROWS / nprocs - 1;
    row_counts = malloc(nprocs * sizeof(int));
    row_displs = malloc(nprocs * sizeof(int));
    for (int p = 0; p < nprocs; p++) {
        row_displs[p] = p * ROWS / nprocs * COLS;
        row_counts[p] = (p + 1) * ROWS / nprocs * COLS - row_displs[p];
    }
    for (int j = 0; j < COLS; j++)
        u[0][j] = 100.0;

    int it = 0;
    double diff = 1.0;
#pragma xmpi loop
    while (diff > EPS && it < 200) {
        double red = sweep(0);
        share();
        double black = sweep(1);
        share();
        double mine = red > black ? red : black;
        MPI_Allreduce(&mine, &diff, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        it++;
    }
    if (rank == 0)
        printf("%d iterations, centre %.17g\n", it, u[ROWS / 2][COLS / 2]);
    free(row_counts);
    free(row_displs);
    MPI_Finalize();
    return 0;
}
