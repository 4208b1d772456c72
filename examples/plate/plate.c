/* SPDX-License-Identifier: BSD-3-Clause
 * Heat in a square plate that does not fit in memory, its rows divided into blocks over the
 * processes: each keeps its rows in two files, with a row of its neighbours on each side, and goes
 * through them row by row, as Jacobi's method does. The pragmas are for compilers that know them;
 * any MPI compiler will do. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define USAGE "usage: plate [-n ROWS] [-s STEPS] [-w WAVES] [-a AHEAD] [-d FOLDER]"

struct options {
    int n, steps, waves;
    int ahead; /* rows that the disk is asked for before they are needed; 0: none */
    const char *folder;
};

static const char *parse(int argc, char **argv, struct options *options)
{
    int option;
    *options = (struct options){.n = 512, .steps = 50, .waves = 3, .folder = "."};
    opterr = 0;
    while ((option = getopt(argc, argv, "n:s:w:a:d:")) != -1) {
        if (option == 'n' && ((options->n = atoi(optarg)) < 2 || options->n > 1 << 16))
            return "-n: expected a number of rows from 2 to 65536";
        if (option == 's' && (options->steps = atoi(optarg)) < 1)
            return "-s: expected a number of steps";
        if (option == 'w' && (options->waves = atoi(optarg)) < 1)
            return "-w: expected a number of waves";
        if (option == 'a' && (options->ahead = atoi(optarg)) < 0)
            return "-a: expected a number of rows";
        if (option == 'd')
            options->folder = optarg;
        if (option == '?')
            return USAGE;
    }
    return optind == argc ? NULL : USAGE;
}

/* --- rows in files -------------------------------------------------------------------------------
 */

static void read_row(int file, int n, int row, double *cells)
{
    size_t bytes = (size_t)n * sizeof *cells;
    if (pread(file, cells, bytes, (off_t)row * (off_t)bytes) != (ssize_t)bytes)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void write_row(int file, int n, int row, const double *cells)
{
    size_t bytes = (size_t)n * sizeof *cells;
    if (pwrite(file, cells, bytes, (off_t)row * (off_t)bytes) != (ssize_t)bytes)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static int open_rows(const char *folder, const char *which, int rank, char *name, size_t size)
{
    snprintf(name, size, "%s/plate.%s.%d", folder, which, rank);
    int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0) {
        perror(name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return file;
}

/* --- the plate -----------------------------------------------------------------------------------
 */

/* A standing wave, cold at the edges, which lie one row and column outside. */
static double wave(const struct options *options, int i, int j)
{
    double angle = options->waves * M_PI / (options->n + 1);
    return sin(angle * (i + 1)) * sin(angle * (j + 1));
}

/* What a step leaves of a wave: the mean of four neighbours of such a product is a multiple of it.
 */
static double kept(const struct options *options)
{
    return cos(options->waves * M_PI / (options->n + 1));
}

/* The first values in both files, with the cold edges, of the COUNT rows from DISPL on and those on
 * each side. */
static void start(const struct options *options, int displ, int count, int now, int next)
{
    int n = options->n;
    double *cells = malloc((size_t)n * sizeof *cells);
    if (cells == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < count + 2; i++) {
        int row = displ + i - 1;
        for (int j = 0; j < n; j++)
            cells[j] = row >= 0 && row < n ? wave(options, row, j) : 0;
        write_row(now, n, i, cells);
        write_row(next, n, i, cells);
    }
    free(cells);
}

static void average(int n, const double *above, const double *here, const double *below,
                    double *new)
{
    for (int j = 0; j < n; j++) {
        double left = j > 0 ? here[j - 1] : 0, right = j < n - 1 ? here[j + 1] : 0;
        new[j] = (above[j] + below[j] + left + right) / 4;
    }
}

/* A step of the COUNT own rows. The disk is asked for AHEAD rows before they are needed. */
static void step(int n, int count, int ahead, int now, int next)
{
    size_t bytes = (size_t)n * sizeof(double);
    double above[n], here[n], below[n], new[n];
    read_row(now, n, 0, above);
    read_row(now, n, 1, here);
    for (int i = 1; i <= count; i++) {
        if (ahead > 0 && i % ahead == 0)
            posix_fadvise(now, (off_t)(i + ahead) * (off_t)bytes, (off_t)ahead * (off_t)bytes,
                          POSIX_FADV_WILLNEED);
        read_row(now, n, i + 1, below);
        average(n, above, here, below, new);
        write_row(next, n, i, new);
        memcpy(above, here, bytes);
        memcpy(here, below, bytes);
    }
}

/* The rows on each side, of the processes UP and DOWN; the edges stay cold. */
static void exchange(int n, int count, int up, int down, int next)
{
    double own[n], other[n];
    read_row(next, n, 1, own);
    read_row(next, n, count + 1, other);
    MPI_Sendrecv(own, n, MPI_DOUBLE, up, 0, other, n, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    write_row(next, n, count + 1, other);
    read_row(next, n, count, own);
    read_row(next, n, 0, other);
    MPI_Sendrecv(own, n, MPI_DOUBLE, down, 1, other, n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    write_row(next, n, 0, other);
}

int main(int argc, char **argv)
{
    struct options options;
    int rank, size;
    char name[2][4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *why = parse(argc, argv, &options);
    if (why == NULL && options.n < size)
        why = "-n: there are more processes than rows";
    if (why != NULL) {
        if (rank == 0)
            fprintf(stderr, "plate: %s\n", why);
        MPI_Finalize();
        return 2;
    }
    int n = options.n;
    int count = n / size + (rank < n % size);
    int displ = rank * (n / size) + (rank < n % size ? rank : n % size);
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;

    int now = open_rows(options.folder, "now", rank, name[0], sizeof name[0]);
    int next = open_rows(options.folder, "next", rank, name[1], sizeof name[1]);
    start(&options, displ, count, now, next);
    double begin = MPI_Wtime();
#pragma xmpi data file(double now[n][n] : 1, double next[n][n] : 1)
#pragma xmpi loop
    for (int k = 0; k < options.steps; k++) {
        step(n, count, options.ahead, now, next);
        exchange(n, count, up, down, next);
        int other = now;
        now = next;
        next = other;
    }
    double seconds = MPI_Wtime() - begin, factor = pow(kept(&options), options.steps);

    /* The greatest difference from what is known, and what there is of heat. */
    double own[2] = {0, 0}, all[2], here[n];
    for (int i = 0; i < count; i++) {
        read_row(now, n, i + 1, here);
        for (int j = 0; j < n; j++) {
            own[0] = fmax(own[0], fabs(here[j] - factor * wave(&options, displ + i, j)));
            own[1] = fmax(own[1], fabs(here[j]));
        }
    }
    MPI_Reduce(own, all, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("steps %d\nhottest %.15g\nerror %.3e\nseconds %.6f\n", options.steps, all[1], all[0],
               seconds);
    close(now);
    close(next);
    unlink(name[0]);
    unlink(name[1]);
    MPI_Finalize();
    return 0;
}
