/* Water in a basin: all ranks share one file, in which each reads and writes its rows at their
 * places. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { COLUMNS = 12 };

static const char name[] = "basin.rows";

static void need(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "cannot %s %s\n", what, name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

int main(int argc, char **argv)
{
    int rank, size, rows = 33, steps = 30;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * rows / size;
    int count = (rank + 1) * rows / size - first;

    if (rank == 0) {
        int made = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
        for (int i = 0; i < rows; i++) {
            int row[COLUMNS];
            for (int j = 0; j < COLUMNS; j++)
                row[j] = i * 100 + j;
            need(write(made, row, sizeof row) == sizeof row, "begin");
        }
        close(made);
    }
    MPI_Barrier(MPI_COMM_WORLD);
#pragma xmpi setup
    int basin = open(name, O_RDWR);

    long level = 0;
#pragma xmpi loop interval(1)
    for (int step = 0; step < steps; step++) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            int row[COLUMNS];
            const off_t place = (first + i) * (off_t)sizeof row;
            need(pread(basin, row, sizeof row, place) == sizeof row, "read");
            for (int j = 0; j < COLUMNS; j++) {
                row[j] += (first + i + j + level) % 5;
                sum += row[j];
            }
            need(pwrite(basin, row, sizeof row, place) == sizeof row, "write");
        }
        MPI_Allreduce(&sum, &level, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    }

    if (rank == 0)
        printf("level %ld\n", level);
    close(basin);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        unlink(name);
    MPI_Finalize();
    return 0;
}
