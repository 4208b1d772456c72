/* Heat in a plate that does not fit in memory: every rank keeps its rows in two files, with a row of
 * its neighbours on each side, and goes through them row by row. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS = 24 };

static void read_row(int file, int row, long *cells)
{
    const size_t bytes = COLUMNS * sizeof *cells;
    if (pread(file, cells, bytes, (off_t)row * bytes) != (ssize_t)bytes)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void write_row(int file, int row, const long *cells)
{
    const size_t bytes = COLUMNS * sizeof *cells;
    if (pwrite(file, cells, bytes, (off_t)row * bytes) != (ssize_t)bytes)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static int open_file(const char *name)
{
    int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0) {
        perror(name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return file;
}

int main(int argc, char **argv)
{
    int rank, size, rows = 30, steps = 40;
    char name[2][64];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = rows / size + (rank < rows % size);
    int first = rank * (rows / size) + (rank < rows % size ? rank : rows % size);
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;

    for (int i = 0; i < 2; i++)
        snprintf(name[i], sizeof name[i], "sheet.%d.%d", i, rank);
    int now = open_file(name[0]), next = open_file(name[1]);
    for (int i = 0; i < count + 2; i++) {
        long cells[COLUMNS];
        for (int j = 0; j < COLUMNS; j++)
            cells[j] = (first + i) * 131L + j * 17;
        write_row(now, i, cells);
        write_row(next, i, cells);
    }
#pragma xmpi data file(long now[rows][COLUMNS]: 1, long next[rows][COLUMNS]: 1)

#pragma xmpi loop interval(2)
    for (int step = 0; step < steps; step++) {
        long upper[COLUMNS], here[COLUMNS], lower[COLUMNS], new[COLUMNS];
        read_row(now, 0, upper);
        read_row(now, 1, here);
        for (int i = 1; i <= count; i++) {
            read_row(now, i + 1, lower);
            for (int j = 0; j < COLUMNS; j++)
                new[j] = (upper[j] + lower[j] + here[(j + 1) % COLUMNS] +
                          here[(j + COLUMNS - 1) % COLUMNS] + 3 * here[j]) %
                         1000003;
            write_row(next, i, new);
            memcpy(upper, here, sizeof upper);
            memcpy(here, lower, sizeof here);
        }
        read_row(next, 1, here);
        read_row(next, count + 1, lower);
        MPI_Sendrecv(here, COLUMNS, MPI_LONG, above, 0, lower, COLUMNS, MPI_LONG, below, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        write_row(next, count + 1, lower);
        read_row(next, count, here);
        read_row(next, 0, upper);
        MPI_Sendrecv(here, COLUMNS, MPI_LONG, below, 0, upper, COLUMNS, MPI_LONG, above, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        write_row(next, 0, upper);
        int other = now;
        now = next;
        next = other;
    }

    long sum = 0, all;
    for (int i = 1; i <= count; i++) {
        long cells[COLUMNS];
        read_row(now, i, cells);
        for (int j = 0; j < COLUMNS; j++)
            sum += cells[j] * (j + 1);
    }
    MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %ld\n", all);
    close(now);
    close(next);
    for (int i = 0; i < 2; i++)
        unlink(name[i]);
    MPI_Finalize();
    return 0;
}
