/* Sand that does not fit in memory, which slides to the rows beside: every rank keeps its rows in
 * two files, with one of its neighbours on each side, and goes through them by several at a time,
 * read with those beside. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { COLUMNS = 17 };

static const long bytes = COLUMNS * sizeof(int);

static void need(int good, const char *what)
{
    if (!good) {
        perror(what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void get(int file, int at, int rows, int *to)
{
    need(pread(file, to, rows * bytes, at * bytes) == rows * bytes, "read");
}

static void put(int file, int at, int rows, const int *from)
{
    need(pwrite(file, from, rows * bytes, at * bytes) == rows * bytes, "write");
}

/* ROWS of SAND as they are next; the first of them stands behind one of its neighbours. */
static void slide(const int *sand, int rows, int *next)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < COLUMNS; j++) {
            int here = sand[(i + 1) * COLUMNS + j];
            int above = sand[i * COLUMNS + j], below = sand[(i + 2) * COLUMNS + j];
            next[i * COLUMNS + j] = here + (above - here) / 4 + (below - here) / 4 + (here + j) % 3;
        }
}

/* The first and last row of FILE go to the neighbours ABOVE and BELOW, and theirs beside them. */
static void exchange(int file, int count, int above, int below)
{
    int own[COLUMNS], other[COLUMNS];
    get(file, 1, 1, own);
    get(file, count + 1, 1, other);
    MPI_Sendrecv(own, COLUMNS, MPI_INT, above, 0, other, COLUMNS, MPI_INT, below, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    put(file, count + 1, 1, other);
    get(file, count, 1, own);
    get(file, 0, 1, other);
    MPI_Sendrecv(own, COLUMNS, MPI_INT, below, 0, other, COLUMNS, MPI_INT, above, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    put(file, 0, 1, other);
}

static int begin(const char *name, int first, int count)
{
    int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    need(file >= 0, name);
    for (int i = 0; i < count + 2; i++) {
        int row[COLUMNS];
        for (int j = 0; j < COLUMNS; j++)
            row[j] = (first + i) * 37 % 101 + j * j;
        put(file, i, 1, row);
    }
    return file;
}

int main(int argc, char **argv)
{
    int rank, size, rows = 38, steps = 30;
    char name[2][64];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int most = argc > 1 ? atoi(argv[1]) : 4;
    int first = rank * rows / size;
    int count = (rank + 1) * rows / size - first;
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;

    for (int i = 0; i < 2; i++)
        snprintf(name[i], sizeof name[i], "dunes.%d.%d", i, rank);
    int now = begin(name[0], first, count), next = begin(name[1], first, count);
#pragma xmpi data file(int now[rows][COLUMNS] : 1, int next[rows][COLUMNS] : 1)

    int *sand = malloc((most + 2) * bytes), *moved = malloc(most * bytes);
#pragma xmpi loop divisible interval(1)
    for (int step = 0; step < steps; step++) {
        for (int at = 0; at < count; at += most) {
            int here = count - at < most ? count - at : most;
            get(now, at, here + 2, sand);
            slide(sand, here, moved);
            put(next, at + 1, here, moved);
        }
        exchange(next, count, above, below);
        int other = now;
        now = next;
        next = other;
    }

    long sum = 0, all;
    for (int i = 1; i <= count; i++) {
        int row[COLUMNS];
        get(now, i, 1, row);
        for (int j = 0; j < COLUMNS; j++)
            sum += row[j] * (j + 1L) * (first + i);
    }
    MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %ld\n", all);
    free(sand);
    free(moved);
    close(now);
    close(next);
    for (int i = 0; i < 2; i++)
        unlink(name[i]);
    MPI_Finalize();
    return 0;
}
