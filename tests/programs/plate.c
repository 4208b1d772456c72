/* Heat in a plate, in arrays of fixed size that hold all rows: each process computes its own ones. */
#include <mpi.h>
#include <math.h>
#include <stdio.h>

#define NROWS 60
#define NCOLS 20

static double plate[NROWS][NCOLS], next[NROWS][NCOLS];

static void init(void)
{
    for (int i = 0; i < NROWS; i++)
        for (int j = 0; j < NCOLS; j++)
            plate[i][j] = i * (NROWS - 1 - i) * (double)j * (NCOLS - 1 - j);
}

static double update(int lo, int hi)
{
    double most = 0;
    for (int i = lo; i < hi; i++)
        for (int j = 0; j < NCOLS; j++)
            if (i == 0 || i == NROWS - 1 || j == 0 || j == NCOLS - 1)
                next[i][j] = plate[i][j];
            else
                next[i][j] = plate[i][j] + 0.1 * (plate[i + 1][j] + plate[i - 1][j] - 2 * plate[i][j]) +
                             0.1 * (plate[i][j + 1] + plate[i][j - 1] - 2 * plate[i][j]);
    for (int i = lo; i < hi; i++)
        for (int j = 0; j < NCOLS; j++) {
            most = fmax(most, fabs(next[i][j] - plate[i][j]));
            plate[i][j] = next[i][j];
        }
    return most;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int lo = rank * NROWS / size, hi = (rank + 1) * NROWS / size;
    double change = 0, sum = 0;
    init();
#pragma xmpi loop
    for (int t = 0; t < 40; t++) {
        if (rank > 0)
            MPI_Sendrecv(plate[lo], NCOLS, MPI_DOUBLE, rank - 1, 0, plate[lo - 1], NCOLS, MPI_DOUBLE, rank - 1, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank < size - 1)
            MPI_Sendrecv(plate[hi - 1], NCOLS, MPI_DOUBLE, rank + 1, 0, plate[hi], NCOLS, MPI_DOUBLE, rank + 1, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double own = update(lo, hi);
        MPI_Allreduce(&own, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        sum += change;
    }
    if (rank == 0)
        printf("last change %.9f, all %.9f\n", change, sum);
    MPI_Finalize();
    return 0;
}
